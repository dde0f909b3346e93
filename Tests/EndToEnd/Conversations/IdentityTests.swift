import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("A2, A6: the ways in to an account", .disabled(if: TestCluster.isElsewhere))
struct IdentityTests {
    private static let other = "another horse battery"

    private func code(_ body: () async throws(ParleyError) -> Void) async -> String {
        do throws(ParleyError) {
            try await body()
            return "ok"
        } catch {
            return error.code
        }
    }

    @Test("A2 two issuers sign one person in; an identity of somebody else is not taken, nor the last way in given up")
    func linked() async throws {
        let scene = try await IdentityScene.shared.value
        let alice = try await scene.cluster.person("alice")
        let owner = Parley_V1_OwnerProof.password(Device.password)
        let (work, second) = (IdentityScene.subject(), IdentityScene.subject())
        let first = try await scene.token(subject: work, #""email":"a@example.org""#)
        #expect(try await alice.client.linkIdentity(token: first, owner: owner).identities.map(\.issuer) == ["work"])
        #expect(
            await code { () async throws(ParleyError) in
                try await alice.client.linkIdentity(token: first, owner: owner)
            } == "token_used")
        // Another token of the same identity changes nothing.
        let same = try await alice.client.linkIdentity(token: scene.token(subject: work), owner: owner)
        #expect(same.identities.count == 1 && same.withPassword)
        try await alice.client.linkIdentity(token: scene.token("second", subject: second), owner: owner)
        for (issuer, subject) in [("work", work), ("second", second)] {
            let (client, signedIn) = try await scene.signIn(scene.token(issuer, subject: subject))
            #expect(signedIn.user.id == alice.user && !signedIn.newAccount)
            await client.close()
        }
        let bob = try await scene.cluster.person("bob")
        let taken = try await scene.token(subject: work)
        #expect(
            await code { () async throws(ParleyError) in
                try await bob.client.linkIdentity(token: taken, owner: owner)
            } == "identity_in_use")
        // An address links nothing.
        let (stranger, made) = try await scene.signIn(
            scene.token(subject: IdentityScene.subject(), #""email":"a@example.org","email_verified":true"#))
        #expect(made.newAccount && made.user.id != alice.user)

        // An account that only identities sign in.
        let only = try await stranger.identities().identities[0].id
        func proof(_ subject: String) async throws -> Parley_V1_OwnerProof {
            .token(try await scene.token(subject: subject))
        }
        let theirs = try await alice.client.identities().identities[0].id
        for (identity, expected) in [(theirs, "not_found"), ("nothing", "not_found"), ("", "not_found")] {
            #expect(
                await code { () async throws(ParleyError) in
                    try await bob.client.unlinkIdentity(identity, owner: owner)
                } == expected)
        }
        #expect(
            await code { () async throws(ParleyError) in
                try await stranger.unlinkIdentity(only, owner: .init())
            } == "owner_unproven")
        try await alice.client.unlinkIdentity(theirs, owner: owner)
        #expect(try await alice.client.identities().identities.map(\.issuer) == ["second"])
        let (fresh, new) = try await scene.signIn(scene.token(subject: work))
        #expect(new.newAccount && new.user.id != alice.user, "an identity that was removed is nobody's")
        let last = try await fresh.identities().identities[0].id
        let evidence = try await proof(work)
        #expect(
            await code { () async throws(ParleyError) in
                try await fresh.unlinkIdentity(last, owner: evidence)
            } == "last_way_in")
        for client in [stranger, fresh] { await client.close() }
    }

    @Test("A6 changing how one signs in takes the password or a new token of one's own")
    func owner() async throws {
        let scene = try await IdentityScene.shared.value
        let alice = try await scene.cluster.person("alice")
        let session = try await scene.cluster.session(of: alice, once: true)
        let client = session.client
        let subject = IdentityScene.subject()
        let owner = Parley_V1_OwnerProof.password(Device.password)
        // The first token of an issuer may come before its keys.
        try await eventually("the issuer is known") {
            let token = try await scene.token(subject: subject)
            let found = await code { () async throws(ParleyError) in
                _ = try await client.linkIdentity(token: token, owner: owner)
            }
            return found == "ok"
        }
        let foreign = try await scene.token(subject: IdentityScene.subject())
        let used = try await scene.token(subject: subject)
        #expect(try await scene.verdict(on: used) == "ok")
        let bad: [(Parley_V1_OwnerProof, String)] = [
            (.init(), "owner_unproven"), (.token(foreign), "owner_unproven"), (.token(used), "token_used"),
            (.token("e30.e30.e30"), "token_malformed"), (.password("wrong horse battery"), "wrong_credentials"),
        ]
        for (proof, expected) in bad {
            let token = try await scene.token("second", subject: IdentityScene.subject())
            let codes = [
                await code { () async throws(ParleyError) in
                    try await client.changePassword(to: Self.other, owner: proof)
                },
                await code { () async throws(ParleyError) in
                    _ = try await client.linkIdentity(token: token, owner: proof)
                },
                await code { () async throws(ParleyError) in try await client.unlinkIdentity("x", owner: proof) },
                await code { () async throws(ParleyError) in try await client.erase(owner: proof) },
            ]
            #expect(codes == [String](repeating: expected, count: 4))
        }
        #expect(try await session.client.identities().identities.count == 1)
    }

    @Test("A6 a new password signs in and the old one does not; other devices end if the person asks")
    func password() async throws {
        let scene = try await IdentityScene.shared.value
        let alice = try await scene.cluster.person("alice")
        let other = try await scene.cluster.device(of: alice, gateway: 1)
        for bad in ["short", "", String(repeating: "x", count: 257)] {
            #expect(
                await code { () async throws(ParleyError) in
                    try await alice.client.changePassword(to: bad, owner: .password(Device.password))
                } == "invalid")
        }
        try await alice.client.changePassword(to: Self.other, owner: .password(Device.password))
        #expect(try await other.client.devices().count == 2, "they stay signed in")
        let stranger = try await scene.cluster.stranger(once: true)
        #expect(
            await code { () async throws(ParleyError) in
                try await stranger.signIn(username: alice.username, password: Device.password)
            } == "wrong_credentials")
        try await stranger.signIn(username: alice.username, password: Self.other)
        try await alice.client.changePassword(
            to: Device.password, owner: .password(Self.other), endingOtherDevices: true)
        for client in [other.client, stranger] {
            try await eventually("the session is closed") { await client.endedBy?.code == "revoked" }
        }
        #expect(try await alice.client.devices().count == 1)
        await stranger.close()
    }

    @Test("A2 whoever has no password sets one by a token, and erases the account by one: nothing of it stays")
    func passwordless() async throws {
        let scene = try await IdentityScene.shared.value
        let subject = IdentityScene.subject()
        let (client, made) = try await scene.signIn(scene.token(subject: subject))
        #expect(
            await code { () async throws(ParleyError) in
                try await client.changePassword(to: Self.other, owner: .password(Self.other))
            } == "owner_unproven")
        let token = try await scene.token(subject: subject)
        try await client.changePassword(to: Self.other, owner: .token(token))
        let stranger = try await scene.cluster.stranger()
        let signedIn = try await stranger.signIn(username: made.user.username, password: Self.other)
        #expect(signedIn.user.id == made.user.id)
        #expect(try await stranger.identities().withPassword)
        let last = try await scene.token(subject: subject)
        let erased = await code { () async throws(ParleyError) in try await client.erase(owner: .token(last)) }
        #expect(erased == "ok", "\(scene.cluster.log(of: "conversations-1"))")
        for table in ["ways_in", "used_tokens"] {
            let left = try await scene.cluster.number(
                """
                SELECT count(*) FROM conversations.\(table)
                WHERE account = (SELECT account FROM conversations.accounts WHERE user_id = '\(made.user.id)')
                """)
            #expect(left == 0, "\(table)")
        }
        // The issuer's person may come again, as somebody else.
        let (again, new) = try await scene.signIn(scene.token(subject: subject))
        #expect(new.newAccount && new.user.id != made.user.id)
        for client in [client, stranger, again] { await client.close() }
    }

    @Test("A2 a suspended person is not signed in by a token either")
    func suspended() async throws {
        let scene = try await IdentityScene.shared.value
        let subject = IdentityScene.subject()
        let (client, made) = try await scene.signIn(scene.token(subject: subject))
        try await scene.cluster.execute(
            """
            UPDATE conversations.accounts SET suspended_at = 1, suspended_for = 'spam'
            WHERE user_id = '\(made.user.id)'
            """)
        let token = try await scene.token(subject: subject)
        #expect(try await scene.verdict(on: token) == "account_suspended")
        try await scene.cluster.execute(
            "UPDATE conversations.accounts SET suspended_at = NULL WHERE user_id = '\(made.user.id)'")
        #expect(try await scene.verdict(on: token) == "ok", "what was refused was not used")
        await client.close()
    }

    @Test("A2, O1 where registering takes a code or work, so does the first token of a person, and no later one")
    func registration() async throws {
        let scene = try await IdentityScene(settings: [
            "PARLEY_REGISTRATION": "invited", "PARLEY_REGISTRATION_CHALLENGE": "proof-of-work",
            "PARLEY_REGISTRATION_WORK_BITS": "8",
        ])
        try await scene.cluster.execute(
            """
            INSERT INTO conversations.registration_codes (hash, uses_left, expires_at, created_at)
            VALUES (sha256('abcd'), 1, 9000000000000000, 1)
            """)
        let subject = IdentityScene.subject()
        let token = try await scene.token(subject: subject)
        let client = try await scene.cluster.stranger(once: true)
        let id = Data(await client.newID().bytes)
        #expect(
            await code { () async throws(ParleyError) in
                _ = try await client.call(
                    ConversationsMethods.signInWithToken, .with { ($0.id, $0.token) = (id, token) })
            } == "proof_required")
        #expect(
            await code { () async throws(ParleyError) in
                try await client.signIn(identityToken: token)
            } == "registration_code_refused")
        let made = try await client.signIn(identityToken: token, code: "AB-CD")
        #expect(made.newAccount)
        let (again, same) = try await scene.signIn(scene.token(subject: subject))
        #expect(same.user.id == made.user.id)
        let next = try await scene.token(subject: IdentityScene.subject())
        #expect(
            await code { () async throws(ParleyError) in
                try await client.signIn(identityToken: next, code: "abcd")
            } == "registration_code_refused")
        for client in [client, again] { await client.close() }
        await scene.cluster.end()
    }
}
