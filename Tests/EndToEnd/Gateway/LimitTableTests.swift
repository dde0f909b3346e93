import Foundation
import ParleyClient
import TestSupport
import Testing

extension OperatedClusters {
    /// Limits so low that a test exceeds them.
    private static let low = [
        "gateway": [
            "PARLEY_LIMITS_REQUESTS_PER_SECOND": "5", "PARLEY_LIMITS_REQUESTS_BURST": "40",
            "PARLEY_LIMITS_ACCOUNT_REQUESTS_PER_SECOND": "5", "PARLEY_LIMITS_ACCOUNT_REQUESTS_BURST": "40",
            "PARLEY_LIMITS_REQUESTS_IN_FLIGHT": "4",
        ],
        "conversations": [
            "PARLEY_LIMITS_SIGN_INS_PER_MINUTE": "5", "PARLEY_LIMITS_SIGN_INS_PER_PERSON": "3",
            "PARLEY_LIMITS_SIGN_IN_TURNS_PER_PERSON": "1",
            "PARLEY_LIMITS_SIGN_INS_PER_ADDRESS": "10", "PARLEY_LIMITS_REGISTRATIONS_PER_MINUTE": "25",
            "PARLEY_LIMITS_REQUESTS_PER_MINUTE": "1", "PARLEY_LIMITS_INVITATIONS_PER_HOUR": "2",
            "PARLEY_LIMITS_GROUP_CHANGES_PER_MINUTE": "5", "PARLEY_LIMITS_PROFILE_CHANGES_PER_MINUTE": "2",
            "PARLEY_LIMITS_FINDS_PER_MINUTE": "2", "PARLEY_LIMITS_REPORTS_PER_MINUTE": "2",
            "PARLEY_LIMITS_WRONG_TOKENS_PER_ADDRESS": "3", "PARLEY_REQUESTS_REQUIRED": "yes",
            "PARLEY_LIMITS_DEVICE_LINKS_PER_ADDRESS": "2", "PARLEY_LIMITS_CODE_TRIES_PER_ADDRESS": "2",
            "PARLEY_LIMITS_MAILS_PER_ADDRESS": "6", "PARLEY_LIMITS_MAILS_PER_RECIPIENT": "2",
            "PARLEY_MAIL_SERVER": "smtp://127.0.0.1:1", "PARLEY_MAIL_FROM": "chat@example.com",
        ],
        "entities": ["PARLEY_LIMITS_ENTITY_CHANGES_PER_MINUTE": "2"],
        "presence": ["PARLEY_LIMITS_PRESENCE_CHANGES_PER_MINUTE": "2"],
        "notifications": ["PARLEY_LIMITS_PUSH_CHANGES_PER_MINUTE": "2"],
        "messaging": [
            "PARLEY_LIMITS_MESSAGES_PER_DAY": "12", "PARLEY_LIMITS_DELIVERED_BYTES_PER_SECOND": "100",
            "PARLEY_LIMITS_DELIVERED_BYTES_BURST": "20000", "PARLEY_LIMITS_ATTACHMENTS_PER_MINUTE": "2",
            "PARLEY_LIMITS_UNSENT_ATTACHMENTS": "1",
        ],
    ]

    /// The settings in deploy/LIMITS.md beyond which a request is refused for a while.
    private static func waits() throws -> Set<String> {
        let page = try String(
            contentsOf: MigratedDatabase.root.appending(path: "deploy/LIMITS.md"), encoding: .utf8)
        let rows = page.matches(of: /(?m)^\| `([a-z.-]+)` \|.*\| (?:rate_limited|quota_reached), with the wait \|$/)
        return Set(rows.map { String($0.1) })
    }

    /// Does something again and again until it is refused.
    private func refused(_ act: (Int) async throws -> Void) async throws -> ParleyError {
        for number in 0..<100 {
            do {
                try await act(number)
            } catch let error as ParleyError where error.code != "wrong_credentials" {
                return error
            } catch is ParleyError {}
        }
        throw NeverHappened(description: "nothing was refused")
    }

    @Test("O1 whoever exceeds a limit that time heals learns when to try again, for every such limit of the table")
    func waitsAreTold() async throws {
        let cluster = try await TestCluster(.init(gateways: 1, settings: Self.low, repeats: false))
        let people = try await cluster.people(12)
        let me = people.map(\.client)
        var notes: [String] = []
        for person in people { notes.append(try await person.client.startDirect(with: person.user).conversation.id) }
        let stranger = try await cluster.stranger(once: true)
        var told: [String: ParleyError] = [:]
        func exceed(_ settings: String..., by act: (Int) async throws -> Void) async throws {
            let error = try await refused(act)
            for setting in settings { told["limits.\(setting)"] = error }
        }
        func room(_ person: Int) async throws -> Data {
            let id = Data(await me[person].newID().bytes)
            _ = try await me[person].call(
                MessagingMethods.createAttachment, key: notes[person],
                .with {
                    ($0.id, $0.conversation, $0.name, $0.sizeBytes) = (id, notes[person], "a.bin", 1)
                    $0.mimeType = "application/octet-stream"
                })
            return id
        }
        try await exceed("finds-per-minute") { _ in _ = try await me[0].searchUsers("p") }
        try await exceed("reports-per-minute") { _ in try await me[0].report(people[1].user, reason: .spam) }
        try await exceed("requests-per-minute") { number in
            let talk = try await me[0].startDirect(with: people[number + 1].user).conversation.id
            _ = try await me[0].send("hello", to: talk)
        }
        try await exceed("invitations-per-hour") { _ in
            _ = try await me[1].createGroup(name: "g", users: [people[0].user])
        }
        try await exceed("group-changes-per-minute") { _ in _ = try await me[2].createGroup(name: "g", users: []) }
        try await exceed("profile-changes-per-minute") { number in
            _ = try await me[2].updateProfile(displayName: "n\(number)")
        }
        try await exceed("entity-changes-per-minute") { _ in
            _ = try await me[3].createReminder(.with { ($0.title, $0.dueAtUs) = ("t", 4_000_000_000_000_000) })
        }
        try await exceed("presence-changes-per-minute") { number in
            _ = try await me[3].setPresence(status: .with { $0.text = "\(number)" })
        }
        try await exceed("push-changes-per-minute") { _ in try await me[3].unregisterPush() }
        try await exceed("messages-per-day") { number in _ = try await me[4].send("\(number)", to: notes[4]) }
        try await exceed("delivered-bytes-per-second", "delivered-bytes-burst") { _ in
            _ = try await me[5].send(String(repeating: "x", count: 8000), to: notes[5])
        }
        try await exceed("unsent-attachments") { _ in _ = try await room(6) }
        #expect(told["limits.unsent-attachments"]?.message.contains("unsent") == true)
        try await exceed("attachments-per-minute") { _ in
            do {
                _ = try await room(7)
            } catch let error as ParleyError where error.message.contains("unsent") {}
        }
        let (client, note) = (me[8], notes[8])
        try await exceed("requests-in-flight") { _ in
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for _ in 0..<20 { tasks.addTask { _ = try await client.history(of: note) } }
                try await tasks.waitForAll()
            }
        }
        try await exceed("requests-per-second", "requests-burst") { _ in _ = try await me[9].devices() }
        let both = [try await cluster.session(of: people[10], once: true), people[10]]
        try await exceed("account-requests-per-second", "account-requests-burst") { number in
            _ = try await both[number % 2].client.devices()
        }
        // Wrong passwords: on a device that signed in before, of one person, and from one address for all.
        let known = try #require(await me[11].credentials?.knownDevice)
        try await exceed("sign-ins-per-minute") { _ in
            try await stranger.signIn(username: people[11].username, password: "wrong", knownDevice: known)
        }
        try await exceed("sign-in-turns-per-person") { _ in
            try await stranger.signIn(username: people[0].username, password: "wrong")
        }
        try await exceed("sign-ins-per-address") { number in
            try await stranger.signIn(username: "nobody\(number)", password: "wrong")
        }
        try await exceed("registrations-per-minute") { _ in
            let other = try await cluster.stranger(once: true)
            defer { Task { await other.close() } }
            let name = "n" + String(UInt64.random(in: .min ... .max), radix: 36)
            try await other.register(username: name, password: Device.password)
        }
        try await exceed("wrong-tokens-per-address") { _ in
            do {
                try await stranger.signIn(identityToken: "e30.e30.e30")
            } catch let error as ParleyError where error.code == "token_malformed" {}
        }
        try await exceed("device-links-per-address") { _ in _ = try await stranger.beginDeviceLink() }
        try await exceed("mails-per-recipient") { _ in
            try await stranger.requestPasswordReset(email: "nobody@example.org")
        }
        try await exceed("mails-per-address") { number in
            try await stranger.requestPasswordReset(email: "nobody\(number)@example.org")
        }
        try await exceed("code-tries-per-address") { _ in
            do {
                try await stranger.resetPassword(
                    email: "nobody@example.org", code: "2222-2222", newPassword: Device.password)
            } catch let error as ParleyError where error.code == "code_refused" {}
        }

        #expect(try Self.waits() == Set(told.keys), "each limit of the table that time heals is exceeded here")
        for (setting, error) in told {
            let code = setting == "limits.messages-per-day" ? "quota_reached" : "rate_limited"
            #expect(error.code == code && error.retryAfterMs > 0, "\(setting): \(error), \(error.retryAfterMs) ms")
        }
        await stranger.close()
        withExtendedLifetime(both) {}
        await cluster.end()
    }
}
