import Foundation
import Glibc
import ParleyClient
import TestSupport
import Testing

@Suite(
    "A6: passwords and addresses by mail", .serialized, .disabled(if: TestCluster.isElsewhere), .timeLimit(.minutes(8)))
struct PasswordResetTests {
    /// One of its own: they change codes and what the mail server does.
    private static let scene = Task { try await AccountScene() }
    private static let new = "another horse battery"

    private func reset(_ client: ParleyClient, _ address: String, _ given: String) async -> String {
        await codeOf { () async throws(ParleyError) in
            try await client.resetPassword(email: address, code: given, newPassword: Self.new)
        }
    }

    @Test("A6 whoever confirmed an address gets a code there, sets a new password once, and is signed out everywhere")
    func whole() async throws {
        let scene = try await Self.scene.value
        let alice = try await scene.cluster.person("alice")
        let address = AccountScene.address()
        try await alice.client.updateProfile(email: address)
        #expect(try await !alice.client.profile().emailConfirmed)
        try await alice.client.requestEmailCode()
        let confirming = try #require(try await scene.mail.mails(1, to: address).first)
        #expect(confirming.from == "chat@example.com" && confirming.values("From") == ["Chat <chat@example.com>"])
        #expect(confirming.text.contains(alice.username) && confirming.text.contains("Chat of tests"))
        let session = try await scene.cluster.session(of: alice, once: true)
        #expect(
            await codeOf { () async throws(ParleyError) in
                _ = try await session.client.confirmEmail(code: "2222-2222")
            } == "code_refused")
        #expect(
            try await alice.client.confirmEmail(code: confirming.code.uppercased().replacing("-", with: " "))
                .emailConfirmed)
        #expect(try await alice.client.confirmEmail(code: "anything").emailConfirmed, "repeated, it changes nothing")
        try await eventually { await alice.updates.profiles.last?.emailConfirmed ?? false }
        try await alice.client.requestEmailCode()

        let stranger = try await scene.cluster.stranger(once: true)
        try await stranger.requestPasswordReset(email: address.uppercased())
        let mails = try await scene.mail.mails(2, to: address)
        #expect(mails.count == 2, "nothing is sent to an address that is confirmed")
        let given = try #require(mails.last).code
        #expect(
            await codeOf { () async throws(ParleyError) in
                try await stranger.resetPassword(email: address, code: given, newPassword: "short")
            } == "invalid")
        #expect(await reset(stranger, AccountScene.address(), given) == "code_refused", "it is of another address")
        #expect(await reset(stranger, address, given) == "ok")
        #expect(await reset(stranger, address, given) == "code_refused", "it is used")
        try await eventually("her devices are signed out") { await alice.client.endedBy?.code == "revoked" }
        #expect(
            await codeOf { () async throws(ParleyError) in
                _ = try await stranger.signIn(username: alice.username, password: Device.password)
            } == "wrong_credentials")
        try await stranger.signIn(username: alice.username, password: Self.new)
        #expect(await stranger.user == alice.user)
        await stranger.close()
    }

    @Test(
        "A6 a known address, an unknown one and one that is not confirmed get the same answers, and leave the same"
    )
    func same() async throws {
        let scene = try await Self.scene.value
        let (alice, bob) = (try await scene.cluster.person("alice"), try await scene.cluster.person("bob"))
        let (known, unconfirmed, unknown) = (AccountScene.address(), AccountScene.address(), AccountScene.address())
        try await scene.confirm(known, of: alice.client)
        try await bob.client.updateProfile(email: unconfirmed)
        let stranger = try await scene.cluster.stranger(once: true)
        let codes = "SELECT count(*) FROM conversations.mailed_codes WHERE kind = 1"
        let before = try await scene.cluster.number(codes)
        for address in [known, unconfirmed, unknown] {
            try await stranger.requestPasswordReset(email: address)
        }
        _ = try await scene.mail.mails(2, to: known)
        try await eventually("each left a code") { try await scene.cluster.number(codes) >= before + 3 }
        for address in [unconfirmed, unknown] { #expect(try await scene.mail.mails(to: address).isEmpty) }
        for address in [known, unconfirmed, unknown] {
            let tries = try await scene.cluster.number(
                "SELECT sum(tries_left) FROM conversations.mailed_codes WHERE kind = 1")
            let refused = try await refusal { () async throws(ParleyError) in
                try await stranger.resetPassword(email: address, code: "2222-2222", newPassword: Self.new)
            }
            #expect(refused.code == "code_refused" && refused.message.contains("Ask for another"))
            let after = try await scene.cluster.number(
                "SELECT sum(tries_left) FROM conversations.mailed_codes WHERE kind = 1")
            #expect(after == tries - 1, "\(address)")
        }
        for wrong in [
            "", "x", "a@b", "a\r\nBcc: x@example.org", "a b@example.org", "x@" + String(repeating: "a", count: 260),
        ] {
            #expect(
                await codeOf { () async throws(ParleyError) in
                    try await stranger.requestPasswordReset(email: wrong)
                } == "invalid", "\(wrong.debugDescription)")
        }
        await stranger.close()
    }

    @Test("A6 a code is good for five tries and 15 minutes; a new one takes its place; another address ends it")
    func bounded() async throws {
        let scene = try await Self.scene.value
        let alice = try await scene.cluster.person("alice")
        let address = AccountScene.address()
        try await scene.confirm(address, of: alice.client)
        let stranger = try await scene.cluster.stranger(once: true)
        func newCode() async throws -> String {
            let count = try await scene.mail.mails(to: address).count
            try await stranger.requestPasswordReset(email: address)
            let code = try await scene.mail.mails(count + 1, to: address).last?.code ?? ""
            // While the server has not heard that it was taken, the same mail is not added again.
            try await eventually("it is known to be sent") {
                try await scene.cluster.number(
                    "SELECT count(*) FROM conversations.mails WHERE lower(address) = '\(address)'") == 0
            }
            return code
        }
        let first = try await newCode()
        for _ in 0..<5 { #expect(await reset(stranger, address, "2345-6789") == "code_refused") }
        #expect(await reset(stranger, address, first) == "code_refused", "its tries are used up")
        let (second, third) = (try await newCode(), try await newCode())
        #expect(await reset(stranger, address, second) == "code_refused", "there is a newer one")
        try await scene.cluster.execute(
            "UPDATE conversations.mailed_codes SET ends_at = ends_at - 901000000 WHERE account IS NOT NULL")
        #expect(await reset(stranger, address, third) == "code_refused", "it is too old")
        // Six an hour are one too many.
        #expect(
            await codeOf { () async throws(ParleyError) in
                try await stranger.requestPasswordReset(email: address)
                try await stranger.requestPasswordReset(email: address)
            } == "rate_limited")
        // Ten at once with the right code: one sets the password.
        let other = AccountScene.address()
        try await scene.confirm(other, of: alice.client)
        try await eventually("it was told at the old address") {
            try await scene.mail.mails(to: address).contains { $0.text.contains("not the address") }
        }
        try await stranger.requestPasswordReset(email: other)
        let right = try await scene.mail.mails(2, to: other).last?.code ?? ""
        let codes = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<4 { group.addTask { await self.reset(stranger, other, right) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.filter { $0 == "ok" }.count == 1, "\(codes)")
        await stranger.close()
    }

    @Test("A6 an address is of whoever confirmed it last, and only they are found by it; erased people leave no code")
    func confirmed() async throws {
        let scene = try await Self.scene.value
        let (alice, bob) = (try await scene.cluster.person("alice"), try await scene.cluster.person("bob"))
        let address = AccountScene.address()
        try await scene.confirm(address, of: alice.client)
        for person in [alice, bob] {
            try await person.client.updateProfile(email: address, findableByEmail: true)
        }
        #expect(try await bob.client.searchUsers(address).users.map(\.id) == [alice.user])
        try await scene.confirm(address.uppercased(), of: bob.client)
        #expect(try await bob.client.searchUsers(address).users.map(\.id) == [bob.user])
        #expect(try await !alice.client.profile().emailConfirmed)
        try await eventually { await alice.updates.profiles.last?.emailConfirmed == false }
        let stranger = try await scene.cluster.stranger(once: true)
        try await scene.mail.behave("busy")
        try await stranger.requestPasswordReset(email: address)
        try await eventually("it was tried") {
            try await scene.cluster.number("SELECT count(*) FROM conversations.mails WHERE problem <> ''") > 0
        }
        try await bob.client.erase(password: Device.password)
        for table in ["mails", "mailed_codes"] {
            #expect(
                try await scene.cluster.number(
                    "SELECT count(*) FROM conversations.\(table) AS t JOIN conversations.accounts AS a USING (account) "
                        + "WHERE a.user_id = '\(bob.user)'") == 0)
        }
        #expect(
            try await scene.cluster.number(
                "SELECT count(*) FROM conversations.mails WHERE lower(address) = '\(address)'") == 0)
        try await scene.mail.behave("right")
        await stranger.close()
    }

    @Test("A6 of people who confirm the same address at once the last one has it, and none is refused")
    func atOnce() async throws {
        let scene = try await Self.scene.value
        let people = try await scene.cluster.people(4)
        let address = AccountScene.address()
        for person in people {
            try await person.client.updateProfile(email: address)
            try await person.client.requestEmailCode()
        }
        let mails = try await scene.mail.mails(4, to: address)
        let codes = try await withThrowingTaskGroup(of: String.self) { group in
            for person in people {
                let given = try #require(mails.first { $0.text.contains(" \(person.username) ") }).code
                group.addTask {
                    await codeOf { () async throws(ParleyError) in try await person.client.confirmEmail(code: given) }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == [String](repeating: "ok", count: 4))
        let owners = "SELECT count(*) FROM conversations.accounts WHERE email = '\(address)' "
        #expect(try await scene.cluster.number(owners + "AND email_confirmed_at IS NOT NULL") == 1)
        #expect(try await scene.cluster.number(owners) == 4)
    }

    @Test("A6 while the mail server is away mails wait, and come once; what it refuses for good is shown by the doctor")
    func away() async throws {
        let scene = try await AccountScene(replicas: 2)
        let alice = try await scene.cluster.person("alice")
        let address = AccountScene.address()
        try await scene.confirm(address, of: alice.client)
        let stranger = try await scene.cluster.stranger(once: true)
        try await scene.mail.behave("busy")
        try await stranger.requestPasswordReset(email: address)
        try await stranger.requestPasswordReset(email: address)
        let waiting = "SELECT count(*) FROM conversations.mails WHERE due_at IS NOT NULL AND problem LIKE '%451%'"
        try await eventually("it was tried") { try await scene.cluster.number(waiting) == 1 }
        // An hour passes, in which a replica dies.
        try await scene.cluster.execute("UPDATE conversations.mails SET made_at = made_at - 3600000000")
        if let pid = await scene.cluster.pids["conversations-1"] { kill(pid, SIGKILL) }
        try await scene.mail.behave("right")
        try await scene.cluster.execute("UPDATE conversations.mails SET due_at = 0 WHERE due_at IS NOT NULL")
        let given = try await scene.mail.mails(2, to: address).last?.code ?? ""
        try await eventually { try await scene.cluster.number("SELECT count(*) FROM conversations.mails") == 0 }
        #expect(try await scene.mail.mails(to: address).count == 2, "once")
        let another = try await scene.cluster.stranger()
        try await another.resetPassword(email: address, code: given, newPassword: Self.new)

        try await scene.mail.behave("refuse")
        try await stranger.requestPasswordReset(email: address)
        try await eventually("it is given up") {
            try await scene.cluster.number("SELECT count(*) FROM conversations.mails WHERE due_at IS NULL") == 1
        }
        let program = try Program()
        defer { program.remove() }
        let doctor = try await program.run(
            ["doctor", "--url", scene.cluster.url()],
            environment: ["PARLEY_DATABASE_URL": scene.cluster.endpoints.database])
        #expect(doctor.output.contains("mail") && doctor.output.contains("550"), "\(doctor)")

        // Replicas that end while the server keeps them waiting leave the mail to the next ones, at once.
        try await scene.mail.behave("stall")
        try await stranger.requestPasswordReset(email: address)
        try await eventually("it is being sent") {
            try await scene.cluster.number("SELECT count(*) FROM conversations.mails WHERE due_at > 0 AND tries = 1")
                == 1
        }
        // It keeps waiting what waits.
        try await scene.mail.behave("right")
        for name in ["conversations-1", "conversations-2"] {
            if let pid = await scene.cluster.pids[name] { kill(pid, SIGTERM) }
        }
        #expect(try await scene.mail.mails(3, to: address).count == 3)
        for client in [stranger, another] { await client.close() }
    }

    @Test("A6 a server that sends no mail says so")
    func off() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let session = try await cluster.session(of: alice, once: true)
        let client = session.client
        let codes = [
            await codeOf { () async throws(ParleyError) in try await client.requestPasswordReset(email: "a@example.org")
            },
            await reset(client, "a@example.org", "2222-2222"),
            await codeOf { () async throws(ParleyError) in try await client.requestEmailCode() },
            await codeOf { () async throws(ParleyError) in _ = try await client.confirmEmail(code: "2222-2222") },
        ]
        #expect(codes == [String](repeating: "mail_off", count: 4))
        await client.close()
    }
}
