import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("A2: a device signs in another", .disabled(if: TestCluster.isElsewhere), .timeLimit(.minutes(8)))
struct DeviceLinkTests {
    private func move(_ code: String, by seconds: Int) async throws {
        // All of this cluster's, which no other test uses.
        let scene = try await AccountScene.shared.value
        try await scene.cluster.execute(
            "UPDATE conversations.device_links SET ends_at = ends_at - \(seconds)000000, "
                + "finished_at = finished_at - \(seconds)000000 WHERE device_name = '\(code)'")
    }

    @Test("A2 the new device shows a code, another one sees its name and address and approves, once")
    func whole() async throws {
        let scene = try await AccountScene.shared.value
        let (alice, bob) = (try await scene.cluster.person("alice"), try await scene.cluster.person("bob"))
        let client = try await scene.cluster.stranger(once: true)
        let name = "Küche " + String(UInt32.random(in: .min ... .max))
        let begun = try await client.beginDeviceLink(deviceName: name)
        #expect(begun.code.utf8.count == 22 && begun.code != begun.secret)
        #expect(
            await codeOf { () async throws(ParleyError) in try await client.finishDeviceLink(begun) } == "link_pending")
        let shown = try await alice.client.deviceLink(begun.code)
        #expect(shown.deviceName == name && shown.address == "127.0.0.1" && shown.begunAtUs > 0)
        try await alice.client.approveDeviceLink(begun.code)
        try await alice.client.approveDeviceLink(begun.code)
        for refused in [
            await codeOf { () async throws(ParleyError) in try await bob.client.approveDeviceLink(begun.code) },
            await codeOf { () async throws(ParleyError) in _ = try await bob.client.deviceLink(begun.code) },
            await codeOf { () async throws(ParleyError) in
                // Whoever reads the code from the screen.
                try await client.finishDeviceLink(.with { $0.code = begun.code })
            },
            await codeOf { () async throws(ParleyError) in
                try await client.finishDeviceLink(.with { ($0.code, $0.secret) = (begun.code, begun.code) })
            },
        ] { #expect(refused == "code_refused") }
        let signedIn = try await client.finishDeviceLink(begun)
        #expect(signedIn.user.id == alice.user)
        #expect(try await alice.client.devices().map(\.name).contains(name))
        // The reply may be lost: for a minute it may be repeated.
        let again = try await scene.cluster.stranger(once: true)
        let second = try await again.finishDeviceLink(begun)
        #expect(second.device == signedIn.device)
        #expect(try await alice.client.devices().filter { $0.name == name }.map(\.id) == [second.device])
        try await move(name, by: 61)
        #expect(
            await codeOf { () async throws(ParleyError) in try await again.finishDeviceLink(begun) } == "code_refused")
        for client in [client, again] { await client.close() }
    }

    @Test("A2 a code that nobody approves ends after two minutes; one of an erased person signs nobody in")
    func ended() async throws {
        let scene = try await AccountScene.shared.value
        let alice = try await scene.cluster.person("alice")
        let client = try await scene.cluster.stranger(once: true)
        let name = "late " + String(UInt32.random(in: .min ... .max))
        let begun = try await client.beginDeviceLink(deviceName: name)
        try await move(name, by: 121)
        let codes = [
            await codeOf { () async throws(ParleyError) in try await client.finishDeviceLink(begun) },
            await codeOf { () async throws(ParleyError) in _ = try await alice.client.deviceLink(begun.code) },
            await codeOf { () async throws(ParleyError) in try await alice.client.approveDeviceLink(begun.code) },
            await codeOf { () async throws(ParleyError) in try await alice.client.approveDeviceLink("") },
        ]
        #expect(codes == [String](repeating: "code_refused", count: 4))
        let other = try await client.beginDeviceLink()
        try await alice.client.approveDeviceLink(other.code)
        try await alice.client.erase(password: alice.password)
        #expect(
            await codeOf { () async throws(ParleyError) in try await client.finishDeviceLink(other) } == "code_refused")
        await client.close()
    }

    @Test("A2 what a device approved signs nobody in once that device is signed out")
    func signedOut() async throws {
        let scene = try await AccountScene.shared.value
        let alice = try await scene.cluster.person("alice")
        for everywhere in [false, true] {
            let thief = try await scene.cluster.stranger()
            try await thief.signIn(username: alice.username, password: alice.password)
            let client = try await scene.cluster.stranger(once: true)
            let begun = try await client.beginDeviceLink()
            try await thief.approveDeviceLink(begun.code)
            if everywhere {
                try await alice.client.signOut(everywhere: true)
            } else {
                try await alice.client.revokeDevice(try #require(await thief.credentials?.device))
            }
            #expect(
                await codeOf { () async throws(ParleyError) in try await client.finishDeviceLink(begun) }
                    == "code_refused")
            for client in [thief, client] { await client.close() }
        }
    }

    @Test("A2 ten people approve the same code at once: one of them does")
    func races() async throws {
        let scene = try await AccountScene.shared.value
        let people = try await scene.cluster.people(10)
        let client = try await scene.cluster.stranger()
        let begun = try await client.beginDeviceLink()
        let codes = try await withThrowingTaskGroup(of: String.self) { group in
            for person in people {
                group.addTask {
                    await codeOf { () async throws(ParleyError) in
                        try await person.client.approveDeviceLink(begun.code)
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.filter { $0 == "ok" }.count == 1 && codes.filter { $0 == "code_refused" }.count == 9, "\(codes)")
        let signedIn = try await client.finishDeviceLink(begun)
        #expect(people.map(\.user).contains(signedIn.user.id))
        await client.close()
    }
}
