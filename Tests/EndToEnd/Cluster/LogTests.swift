import Foundation
import ParleyClient
import TestSupport
import Testing

extension OperatedClusters {
    @Test("D1 a request has one id in the logs of all processes, known to its client; the logs contain no content")
    func requestIDs() async throws {
        let everything = ["PARLEY_LOG_LEVEL": "debug", "PARLEY_LOG_FORMAT": "json"]
        let names = ["gateway", "conversations", "messaging", "presence", "entities", "notifications"]
        let cluster = try await TestCluster(
            .init(gateways: 1, settings: Dictionary(uniqueKeysWithValues: names.map { ($0, everything) })))
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob")
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        _ = try await alice.client.send("a secret of ours", to: talk)
        let refused = try await refusal { () async throws(ParleyError) in
            try await alice.client.edit(7, of: talk, text: "another secret")
        }
        #expect(refused.code == "message_not_found")
        let invalid = try await refusal { () async throws(ParleyError) in
            _ = try await alice.client.createReminder(.with { ($0.id, $0.title) = (Data([1]), "a secret plan") })
        }
        #expect(invalid.code == "invalid")
        let file = try await alice.client.upload(Array("secret bytes".utf8), to: talk, name: "a.txt")
        _ = try await alice.client.send(file, to: talk)
        let id = await alice.client.newID()
        _ = try await alice.client.createReminder(
            .with { ($0.id, $0.title, $0.dueAtUs) = (Data(id.bytes), "a secret plan", 4_102_444_800_000_000) })
        _ = try await alice.client.watchPresence([bob.user])
        let session = await alice.client.welcome.session

        func lines(_ process: String) -> [[String: String]] {
            cluster.log(of: process, last: 10_000).compactMap { line in
                (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?.mapValues { "\($0)" }
            }
        }
        for (process, method, code) in [
            ("messaging-1", "messaging.SendMessage", "ok"),
            ("messaging-1", "messaging.EditMessage", "message_not_found"),
            ("entities-1", "entities.CreateReminder", "invalid"),
            ("conversations-1", "conversations.StartDirect", "ok"), ("entities-1", "entities.CreateReminder", "ok"),
            ("presence-1", "presence.WatchPresence", "ok"),
        ] {
            var (front, back): (String?, String?)
            try await eventually("both log \(method)") {
                front = lines("gateway-1").first { $0["method"] == method && $0["code"] == code }?["request"]
                back = lines(process).first { $0["method"] == method && $0["code"] == code }?["request"]
                return front != nil && back != nil
            }
            #expect(front == back && front?.hasPrefix("\(session).") == true, "\(front ?? "") \(back ?? "")")
        }
        let server = cluster.endpoints.http[0]
        let answer = try #require(
            try await onThread { try RawHTTP.send("GET", "/v1/files/none", to: server) })
        let exchange = try #require(answer.headers["x-request-id"])
        #expect(exchange.hasPrefix("http."))
        try await eventually("both log the file exchange") {
            ["gateway-1", "messaging-1"].allSatisfy { process in
                lines(process).contains { $0["method"] == "http.Exchange" && $0["request"] == exchange }
            }
        }
        let link = try await alice.client.createCalendarLink()
        let calendar = try #require(try await onThread { try RawHTTP.send("GET", link, to: server) })
        let fetch = try #require(calendar.headers["x-request-id"])
        #expect(calendar.status == 200)
        try await eventually("both log the fetch of a calendar") {
            ["gateway-1", "entities-1"].allSatisfy { lines($0).contains { $0["request"] == fetch } }
        }
        let token = await alice.client.credentials?.accessToken ?? ""
        for process in names {
            let text = cluster.log(of: "\(process)-1", last: 100_000).joined()
            for secret in ["secret", Device.password, token, "ecret bytes", secret(of: link)] {
                #expect(!text.contains(secret), "\(process)")
            }
        }
        await cluster.end()
    }
}
