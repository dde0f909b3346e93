import Foundation
import Glibc
import ParleyClient
import TestSupport
import Testing

@Suite("A2: guests", .disabled(if: TestCluster.isElsewhere), .timeLimit(.minutes(8)))
struct GuestTests {
    /// Signs a guest in on a client that sends each request once.
    private func guest(_ scene: AccountScene, id: UUIDv7? = nil) async throws -> (ParleyClient, Parley_V1_SignedIn) {
        let client = try await scene.cluster.stranger(once: true)
        let signedIn = try await client.registerGuest(id: id)
        return (client, signedIn)
    }

    /// Accepts a request once it shows: its message brings it.
    private func accept(_ chat: String, by client: ParleyClient) async throws {
        try await eventually("the request shows") {
            await codeOf { () async throws(ParleyError) in _ = try await client.acceptRequest(chat) } == "ok"
        }
    }

    @Test("A2 a guest comes without a name, is written to, and may do no more than that")
    func may() async throws {
        let scene = try await AccountScene.shared.value
        let alice = try await scene.cluster.person("alice")
        let (client, signedIn) = try await guest(scene)
        #expect(signedIn.user.username.isEmpty && signedIn.user.displayName.wholeMatch(of: /Guest [0-9]{4}/) != nil)
        let profile = try await client.profile()
        #expect(profile.guest && !profile.emailConfirmed && profile.user == signedIn.user)
        let refused = [
            await codeOf { () async throws(ParleyError) in _ = try await client.startDirect(with: alice.user) },
            await codeOf { () async throws(ParleyError) in _ = try await client.createGroup(name: "x", users: []) },
            await codeOf { () async throws(ParleyError) in _ = try await client.searchUsers("alice") },
            await codeOf { () async throws(ParleyError) in _ = try await client.findUser(alice.username) },
            await codeOf { () async throws(ParleyError) in _ = try await client.updateProfile(username: "somebody") },
            await codeOf { () async throws(ParleyError) in
                _ = try await client.updateProfile(email: "guest@example.org")
                try await client.requestEmailCode()
            },
        ]
        #expect(refused == [String](repeating: "guest_may_not", count: 6))
        // Nobody signs in as one who has no name.
        let stranger = try await scene.cluster.stranger(once: true)
        #expect(
            await codeOf { () async throws(ParleyError) in
                _ = try await stranger.signIn(username: "", password: "")
            } == "wrong_credentials")
        #expect(
            await codeOf { () async throws(ParleyError) in
                _ = try await stranger.register(username: "", password: Device.password)
            } == "invalid")

        // Whoever writes to a guest is answered.
        let chat = try await alice.client.startDirect(with: signedIn.user.id).conversation.id
        _ = try await alice.client.send("May I help?", to: chat)
        try await accept(chat, by: client)
        _ = try await client.send("Yes!", to: chat)
        #expect(try await client.startDirect(with: alice.user).conversation.id == chat)
        let notes = try await client.startDirect(with: signedIn.user.id).conversation.id
        _ = try await client.send("to myself", to: notes)
        #expect(try await alice.client.wholeHistory(of: chat).map(\.text) == ["May I help?", "Yes!"])
        for client in [client, stranger] { await client.close() }
    }

    @Test("A2 the same registration signs in one device, for a minute; the id of another account makes none")
    func repeated() async throws {
        let scene = try await AccountScene.shared.value
        let stranger = try await scene.cluster.stranger()
        let id = await stranger.newID()
        await stranger.close()
        let (first, one) = try await guest(scene, id: id)
        let (second, two) = try await guest(scene, id: id)
        #expect(one.user == two.user && one.device == two.device)
        for client in [first, second] { #expect(try await client.devices().map(\.id) == [two.device]) }
        try await scene.cluster.execute(
            "UPDATE conversations.accounts SET guest_since = guest_since - 61000000 WHERE user_id = '\(one.user.id)'")
        let late = try await scene.cluster.stranger(once: true)
        #expect(await codeOf { () async throws(ParleyError) in _ = try await late.registerGuest(id: id) } == "invalid")
        #expect(try await second.devices().map(\.id) == [two.device])
        // Fifty at once are one guest.
        let shared = await late.newID()
        let clients = try await withThrowingTaskGroup(of: (client: ParleyClient, user: String).self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let client = try await scene.cluster.stranger()
                    return (client, try await client.registerGuest(id: shared).user.id)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let users = Set(clients.map(\.user))
        #expect(users.count == 1)
        #expect(
            try await scene.cluster.number(
                "SELECT count(*) FROM conversations.devices AS d JOIN conversations.accounts AS a USING (account) "
                    + "WHERE a.user_id = '\(users.first ?? "")' AND d.revoked_at IS NULL") == 1)
        for client in [first, second, late] + clients.map(\.client) { await client.close() }
    }

    @Test("A2 a guest gets a username and a password, or an identity, and keeps everything")
    func upgraded() async throws {
        let scene = try await AccountScene.shared.value
        let alice = try await scene.cluster.person("alice")
        for byPassword in [true, false] {
            let (client, signedIn) = try await guest(scene)
            let chat = try await alice.client.startDirect(with: signedIn.user.id).conversation.id
            _ = try await alice.client.send("Hello guest", to: chat)
            try await accept(chat, by: client)
            let wanted = "up" + String(UInt64.random(in: .min ... .max), radix: 36)
            let subject = IdentityScene.subject()
            if byPassword {
                let codes = [
                    await codeOf { () async throws(ParleyError) in
                        try await client.changePassword(to: Device.password, owner: .guest)
                    },
                    await codeOf { () async throws(ParleyError) in
                        try await client.changePassword(
                            to: Device.password, owner: .guest, username: alice.username)
                    },
                    await codeOf { () async throws(ParleyError) in
                        try await client.changePassword(to: Device.password, owner: .guest, username: "admin")
                    },
                    await codeOf { () async throws(ParleyError) in
                        try await client.changePassword(to: "short", owner: .guest, username: wanted)
                    },
                ]
                #expect(codes == ["invalid", "username_taken", "username_taken", "invalid"])
                #expect(try await client.profile().guest)
                try await client.changePassword(to: Device.password, owner: .guest, username: wanted)
                #expect(
                    await codeOf { () async throws(ParleyError) in
                        try await client.changePassword(
                            to: Device.password, owner: .password(Device.password), username: wanted + "x")
                    } == "invalid")
            } else {
                let token = try await scene.scene.token(subject: subject, #""preferred_username":"\#(wanted)""#)
                try await client.linkIdentity(token: token, owner: .guest)
            }
            let profile = try await client.profile()
            #expect(!profile.guest && profile.user.username == wanted && profile.user.id == signedIn.user.id)
            #expect(profile.user.displayName == wanted, "nobody chose \"Guest 4711\"")
            // The session of somebody with a way in shows nothing any more.
            #expect(
                await codeOf { () async throws(ParleyError) in
                    try await client.changePassword(to: "another horse", owner: .guest)
                } == "owner_unproven")
            #expect(
                await codeOf { () async throws(ParleyError) in try await client.erase(owner: .guest) }
                    == "owner_unproven")
            let other = try await scene.cluster.stranger()
            if byPassword {
                try await other.signIn(username: wanted, password: Device.password)
            } else {
                try await other.signIn(identityToken: scene.scene.token(subject: subject))
            }
            #expect(await other.user == signedIn.user.id)
            #expect(try await other.wholeHistory(of: chat).map(\.text) == ["Hello guest"])
            _ = try await other.searchUsers("alice")
            try await eventually { try await alice.client.users([signedIn.user.id]).first?.username == wanted }
            for client in [client, other] { await client.close() }
        }
    }

    @Test("A2 guests whom nobody used for a month are erased, others and those who came back are not")
    func unused() async throws {
        let scene = try await AccountScene(settings: ["PARLEY_GUESTS_UNUSED_DAYS": "30"])
        let (stale, used, upgraded) = (try await guest(scene), try await guest(scene), try await guest(scene))
        try await upgraded.0.changePassword(
            to: Device.password, owner: .guest, username: "u" + String(UInt64.random(in: .min ... .max), radix: 36))
        for who in [stale, used, upgraded] {
            let id = who.1.user.id
            try await scene.cluster.execute(
                "UPDATE conversations.accounts SET guest_since = guest_since - 2600000000000 WHERE user_id = '\(id)'")
        }
        for who in [stale, upgraded] {
            try await scene.cluster.execute(
                "UPDATE conversations.devices AS d SET last_used_at = last_used_at - 2600000000000 "
                    + "FROM conversations.accounts AS a WHERE a.account = d.account AND a.user_id = '\(who.1.user.id)'")
        }
        // It looks for them when it starts, too.
        if let pid = await scene.cluster.pids["conversations-1"] { kill(pid, SIGKILL) }
        let alice = try await scene.cluster.person("alice")
        try await eventually("the unused guest is erased") {
            try await alice.client.users([stale.1.user.id]).first?.deleted ?? false
        }
        let others = try await alice.client.users([used.1.user.id, upgraded.1.user.id])
        #expect(others.count == 2 && !others.contains(where: \.deleted))
        try await used.0.erase(owner: .guest)
        #expect(try await alice.client.users([used.1.user.id]).first?.deleted ?? false)
        for who in [stale, used, upgraded] { await who.0.close() }
    }

    @Test("A2 without the setting nobody comes as a guest; with rights, guests write first, make groups and search")
    func settings() async throws {
        let plain = try await TestCluster.shared
        let client = try await plain.stranger(once: true)
        #expect(await codeOf { () async throws(ParleyError) in _ = try await client.registerGuest() } == "invalid")
        await client.close()
        let scene = try await AccountScene(
            settings: [
                "PARLEY_GUESTS_MAY": "requests, groups, search", "PARLEY_REGISTRATION_CHALLENGE": "proof-of-work",
                "PARLEY_REGISTRATION_WORK_BITS": "8",
            ])
        let alice = try await scene.cluster.person("alice")
        let (guest, _) = try await guest(scene)
        #expect(try await guest.findUser(alice.username).id == alice.user)
        _ = try await guest.searchUsers("alice")
        _ = try await guest.startDirect(with: alice.user)
        _ = try await guest.createGroup(name: "Guests", users: [alice.user])
        await guest.close()
    }
}
