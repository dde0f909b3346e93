import Foundation
import ParleyClient
import Postgres
import Reactor
import TestSupport
import Testing

extension OwnClusters {
    @Test("cursors, tokens and file links are sealed: no number reaches a client, and only who got one can use it")
    func sealed() async throws {
        let cluster = try await TestCluster()
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob")
        for name in ["one", "two", "three"] {
            let group = try await alice.client.createGroup(name: name, users: [bob.user]).conversation.id
            _ = try await alice.client.send("Hello", to: group)
        }
        func page(_ cursor: String, _ device: Device) async throws -> Result<[String], ParleyError> {
            do throws(ParleyError) {
                return .success(try await device.client.inbox(cursor: cursor, limit: 1).entries.map(\.conversation))
            } catch {
                return .failure(error)
            }
        }
        func isInvalid(_ cursor: String, _ device: Device) async throws -> Bool {
            guard case .failure(let error) = try await page(cursor, device) else { return false }
            return error.code == "invalid" && error.field == "cursor"
        }

        let first = try await alice.client.inbox(limit: 1)
        try #require(first.cursor.contains(/^[A-Za-z0-9_-]{60,}$/))
        let second = try await page(first.cursor, alice).get()
        #expect(second.count == 1 && second != first.entries.map(\.conversation))
        #expect(try await alice.client.inbox(limit: 1).cursor == first.cursor, "the same place has the same cursor")
        #expect(try await isInvalid(first.cursor, bob), "of another person")
        let synced = try await alice.client.syncMessaging(epoch: "", cursor: "").cursor
        #expect(try await isInvalid(synced, alice), "of another request")
        for index in [0, 1, 5, 30, 59] {
            var changed = Array(first.cursor)
            changed[index] = changed[index] == "A" ? "B" : "A"
            #expect(try await isInvalid(String(changed), alice), "\(index)")
        }

        let account = try await number(
            "SELECT account FROM conversations.accounts WHERE user_id = $1", alice.user, cluster)
        let credentials = try #require(await alice.client.credentials)
        let claims = try #require(decoded(credentials.accessToken.split(separator: ".")[1]))
        #expect(claims.contains(#""acc":""#) && !claims.contains(#""acc":\#(account)"#))
        #expect(!credentials.refreshToken.hasPrefix("\(account)."))

        // A key that is added seals after the next start. Both open; the first no longer does once it is deleted.
        _ = try await number("SELECT messaging.add_sealing_key()::bigint", nil, cluster)
        let before = try #require(await cluster.pids["messaging-1"])
        try await cluster.cluster.kill("messaging-1")
        try await eventually(within: .seconds(30), "messaging has restarted") {
            await cluster.pids["messaging-1"].map { $0 != before } ?? false
        }
        try await cluster.cluster.waitUntilReady("messaging-1", within: .seconds(30))
        let renewed = try await alice.client.inbox(limit: 1).cursor
        #expect(renewed != first.cursor)
        #expect(try await page(first.cursor, alice).get() == second)
        #expect(try await page(renewed, alice).get() == second)
        _ = try await number("DELETE FROM messaging.sealing_keys WHERE id = 1 RETURNING id::bigint", nil, cluster)
        try await cluster.cluster.kill("messaging-1")
        try await eventually(within: .seconds(30), "the deleted key is forgotten") {
            try await isInvalid(first.cursor, alice)
        }
        #expect(try await page(renewed, alice).get() == second)
        await cluster.end()
    }

    private func decoded(_ part: Substring) -> String? {
        let text = part.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Data(base64Encoded: text + padding).map { String(decoding: $0, as: UTF8.self) }
    }

    @ReactorActor
    private func number(_ sql: String, _ parameter: String?, _ cluster: TestCluster) async throws -> Int64 {
        let connection = try await Connection.open(DatabaseConfiguration(test: cluster.endpoints.database))
        defer { connection.close() }
        return try #require(
            await connection.first(Statement(sql) { try $0.int64(0) }, parameter.map { [.text($0)] } ?? []))
    }
}
