import ParleyClient
import SwiftProtobuf
import TestSupport
import Testing

extension OwnClusters {
    @Test("A6 nobody learns whose an address is: the same bytes after the same statements, and no other time")
    func resetsLookAlike() async throws {
        let scene = try await AccountScene(
            settings: ["PARLEY_LIMITS_MAILS_PER_RECIPIENT": "1000000"], postgres: StatementCounter.postgresSettings)
        // Whoever asks does not wait until a mail is made and sent.
        let counter = try await StatementCounter(
            scene.cluster,
            exceptLater: [
                "SELECT account, email, username", "INSERT INTO conversations.mailed_codes",
                "DELETE FROM conversations.mails WHERE id",
            ])
        let (alice, bob) = (try await scene.cluster.person("alice"), try await scene.cluster.person("bob"))
        let (known, unconfirmed, unknown) = (AccountScene.address(), AccountScene.address(), AccountScene.address())
        try await scene.confirm(known, of: alice.client)
        try await bob.client.updateProfile(email: unconfirmed)
        let client = try await scene.cluster.stranger()
        @Sendable func asked(_ address: String) async throws -> [UInt8] {
            try await client.call(
                ConversationsMethods.requestPasswordReset, key: "", .with { $0.email = address }
            ).serializedBytes()
        }
        @Sendable func tried(_ address: String) async throws -> [UInt8] {
            try await client.call(
                ConversationsMethods.resetPassword, key: "",
                .with { ($0.email, $0.code, $0.newPassword) = (address, "2222-2222", "another horse battery") }
            ).serializedBytes()
        }
        for address in [known, unconfirmed] {
            try await LeakTests.expectAlike("RequestPasswordReset of \(address)") {
                try await LeakTests.differences(isRefused: false, by: counter) {
                    try await asked(address)
                } and: {
                    try await asked(unknown)
                }
            }
            // More often than a code may be tried.
            try await LeakTests.expectAlike("ResetPassword of \(address)") {
                try await LeakTests.differences(isRefused: true, rounds: 6, by: counter) {
                    try await tried(address)
                } and: {
                    try await tried(unknown)
                }
            }
        }

        // By turns that nothing else follows: one of both before the other is as likely.
        var times: [Bool: [Duration]] = [true: [], false: []]
        for isKnown in Array(repeating: [true, false], count: 300).flatMap(\.self).shuffled() {
            let began = ContinuousClock.now
            _ = try await asked(isKnown ? known : unknown)
            times[isKnown, default: []].append(.now - began)
        }
        let slower = (times[true] ?? []).reduce(0) { sum, time in sum + (times[false] ?? []).count { time > $0 } }
        let share = Double(slower) / 90_000
        // Five times the deviation of equal ones.
        #expect((0.38...0.62).contains(share), "of a known address slower than of an unknown one: \(share)")

        // While the mail server keeps one waiting, the next one for the same address is written, too.
        try await eventually { try await scene.cluster.number("SELECT count(*) FROM conversations.mails") == 0 }
        try await scene.mail.behave("stall")
        _ = try await asked(known)
        let written = "SELECT COALESCE(max(xmin::text::bigint), 0) FROM conversations.mails WHERE due_at IS NOT NULL"
        try await eventually("it is being sent") {
            try await scene.cluster.number("SELECT COALESCE(max(tries), 0) FROM conversations.mails") == 1
        }
        let first = try await scene.cluster.number(written)
        _ = try await asked(known)
        #expect(try await scene.cluster.number(written) > first)
        #expect(try await scene.cluster.number("SELECT count(*) FROM conversations.mails") == 1)
        await client.close()
        await counter.close()
        await scene.cluster.end()
    }
}
