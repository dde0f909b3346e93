import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("A2: signing in with what people have", .disabled(if: TestCluster.isElsewhere))
struct SignInWithTokenTests {
    @Test("A2 the first token of a person makes their account, and later ones sign in to it")
    func firstSight() async throws {
        let scene = try await IdentityScene.shared.value
        let subject = IdentityScene.subject()
        let about =
            #""name":"Zoë Müller","preferred_username":"\#(subject)","email":"zoe@example.org","email_verified":true,"#
            + #""picture":"https://example.org/zoe.png""#
        let (first, made) = try await scene.signIn(scene.token(subject: subject, about))
        #expect(made.newAccount && made.user.username == subject && made.user.displayName == "Zoë Müller")
        #expect(made.user.photoURL == "https://example.org/zoe.png")
        // Nobody is trusted to say whose an address is.
        #expect(try await first.profile().email.isEmpty)
        try await first.updateProfile(displayName: "Zoë")
        let (second, again) = try await scene.signIn(scene.token(subject: subject, about))
        #expect(!again.newAccount && again.user.id == made.user.id && again.device != made.device)
        #expect(again.user.displayName == "Zoë", "a profile is filled once")
        #expect(try await second.devices().count == 2)
        let ways = try await second.identities()
        #expect(!ways.withPassword && ways.identities.map(\.issuer) == ["work"])
        #expect(ways.identities.map(\.label) == ["zoe@example.org"])
        #expect(ways.identities.allSatisfy { $0.lastUsedUs > $0.linkedAtUs && $0.url == "\(scene.issuer.url)/work" })
        // The same subject of another issuer is somebody else.
        let (other, else_) = try await scene.signIn(scene.token("second", subject: subject))
        #expect(else_.newAccount && else_.user.id != made.user.id)
        for client in [first, second, other] { await client.close() }
    }

    @Test("A2 devices that come at once with tokens of one new person make one account")
    func together() async throws {
        let scene = try await IdentityScene.shared.value
        for _ in 0..<8 {
            let subject = IdentityScene.subject()
            let people = try await withThrowingTaskGroup { group in
                // Of more than ten, the first may be signed out before it connects.
                for number in 0..<8 {
                    let token = try await scene.token(subject: subject, #""name":"Ann Lee""#)
                    group.addTask {
                        let (client, signedIn) = try await scene.signIn(token, gateway: number % 2)
                        await client.close()
                        return signedIn
                    }
                }
                return try await group.reduce(into: [Parley_V1_SignedIn]()) { $0.append($1) }
            }
            #expect(Set(people.map(\.user.id)).count == 1)
            #expect(people.count { $0.newAccount } == 1)
        }
    }

    @Test("A2 people of the same name get usernames of their own, and nobody gets one that is reserved")
    func usernames() async throws {
        let scene = try await IdentityScene.shared.value
        let name = "Anna-Lena \(UInt32.random(in: .min ... .max))"
        var names: [String] = []
        for _ in 0..<3 {
            let (client, made) = try await scene.signIn(
                scene.token(subject: IdentityScene.subject(), #""name":"\#(name)""#))
            names.append(made.user.username)
            await client.close()
        }
        let first = name.lowercased().replacingOccurrences(of: " ", with: "-")
        #expect(names == [first, "\(first)-2", "\(first)-3"])
        for odd in ["Admin", "李明", "!", "x", #"\u202eevil"#, ""] {
            let (client, made) = try await scene.signIn(
                scene.token(subject: IdentityScene.subject(), #""name":"\#(odd)""#))
            let username = made.user.username
            #expect(
                odd.contains("evil") ? username.hasPrefix("evil") : username.hasPrefix("user-"), "\(odd): \(username)")
            #expect(!made.user.displayName.isEmpty)
            await client.close()
        }
    }

    @Test("A2 each token signs in one device; only the same request may be repeated, for the same device")
    func once() async throws {
        let scene = try await IdentityScene.shared.value
        let token = try await scene.token(subject: IdentityScene.subject())
        let client = try await scene.cluster.stranger()
        let id = await client.newID()
        let made = try await client.signIn(identityToken: token, id: id)
        #expect(try await scene.verdict(on: token) == "token_used")
        let again = try await scene.cluster.stranger()
        let repeated = try await again.signIn(identityToken: token, id: id)
        #expect(repeated.user.id == made.user.id && repeated.newAccount && repeated.device == made.device)
        // Whichever reply arrives, its tokens are good.
        for client in [client, again] { #expect(try await client.devices().map(\.id) == [made.device]) }
        // Once the device has gone on, whoever repeats its sign-in is perhaps somebody else, and it is told.
        try await scene.cluster.execute(
            "UPDATE conversations.refresh_tokens SET used_at = issued_at WHERE device_id = '\(made.device)'")
        let other = try await scene.cluster.stranger()
        let third = try await other.signIn(identityToken: token, id: id)
        #expect(try await other.devices().map(\.id) == [third.device] && third.device != made.device)
        // What is not signed makes no other token of it.
        let parts = token.split(separator: ".").map(String.init)
        let padded = "\(parts[0]).\(parts[1]).\(parts[2])="
        #expect(try await scene.verdict(on: padded) == "token_malformed")
        try await scene.cluster.execute(
            "UPDATE conversations.used_tokens SET used_at = used_at - 61000000 WHERE request_id = '\(id)'")
        let late = try await refusal { () async throws(ParleyError) in
            try await other.signIn(identityToken: token, id: id)
        }
        #expect(late.code == "token_used")
        for client in [client, again, other] { await client.close() }
    }

    @Test("A2 a Firebase token signs in a person who was imported with the same id")
    func firebase() async throws {
        let scene = try await IdentityScene.shared.value
        let alice = try await scene.cluster.person("alice")
        let bob = try await scene.cluster.person("bob")
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        let uid = "F" + IdentityScene.subject()
        try await scene.cluster.execute(
            "UPDATE conversations.accounts SET legacy_id = '\(uid)', password_hash = NULL WHERE user_id = '\(alice.user)'"
        )
        let now = Int(Date().timeIntervalSince1970)
        // The shape that Firebase Authentication writes.
        let claims =
            #"{"name":"Alice","picture":"https://example.org/a.png","iss":"https://securetoken.google.com/chat-app","#
            + #""aud":"chat-app","auth_time":\#(now),"user_id":"\#(uid)","sub":"\#(uid)","iat":\#(now),"#
            + #""exp":\#(now + 3600),"email":"alice@example.org","email_verified":true,"firebase":{"identities":"#
            + #"{"google.com":["1234"],"email":["alice@example.org"]},"sign_in_provider":"google.com"}}"#
        let (client, signedIn) = try await scene.signIn(scene.issuer.token(of: "firebase", claims))
        #expect(signedIn.user.id == alice.user && !signedIn.newAccount && signedIn.user.username == alice.username)
        #expect(try await client.syncConversations().conversations.map(\.id) == [talk])
        let other = claims.replacingOccurrences(of: uid, with: uid + "2")
        let (stranger, made) = try await scene.signIn(scene.issuer.token(of: "firebase", other))
        #expect(made.newAccount && made.user.id != alice.user)
        for project in ["other-app", ""] {
            let foreign = claims.replacingOccurrences(of: "chat-app", with: project)
            let code = try await scene.verdict(on: scene.issuer.token(of: "firebase", foreign))
            #expect(code == "issuer_unknown")
        }
        for client in [client, stranger] { await client.close() }
    }

    @Test("A2 Apple's tokens have the hash of the nonce and a private address; Google's, an issuer without https")
    func shapes() async throws {
        let scene = try await IdentityScene.shared.value
        let now = Int(Date().timeIntervalSince1970)
        let relay = "\(IdentityScene.subject())@privaterelay.appleid.com"
        func apple(_ nonce: String) async throws -> String {
            let claims =
                #"{"iss":"https://appleid.apple.com","aud":"org.example.chat","exp":\#(now + 600),"iat":\#(now),"#
                + #""sub":"001234.\#(IdentityScene.subject()).0987","nonce":"\#(nonce)","c_hash":"x","email":"\#(relay)","#
                + #""email_verified":"true","is_private_email":"true","auth_time":\#(now),"nonce_supported":true}"#
            return try await scene.issuer.token(of: "apple", claims)
        }
        // An app gives Apple the hash of the nonce, and Parley the nonce.
        #expect(try await scene.verdict(on: apple("nonce-1234"), nonce: "nonce-1234") == "token_nonce_wrong")
        let right = try await sha256("nonce-1234")
        #expect(try await scene.verdict(on: apple(right), nonce: "nonce-1235") == "token_nonce_wrong")
        let client = try await scene.cluster.stranger()
        let made = try await client.signIn(
            identityToken: apple(right), nonce: "nonce-1234", displayName: "Appleseed")
        #expect(made.user.displayName == "Appleseed", "Apple gives the name to the app alone")
        #expect(try await client.profile().email == relay)
        let google =
            #"{"iss":"accounts.google.com","azp":"5678.apps.googleusercontent.com","#
            + #""aud":"1234.apps.googleusercontent.com","sub":"11\#(now)","email":"g@example.org","email_verified":true,"#
            + #""at_hash":"x","name":"Gil","given_name":"Gil","locale":"en","iat":\#(now),"exp":\#(now + 3600)}"#
        let (second, gil) = try await scene.signIn(scene.issuer.token(of: "google", google))
        #expect(gil.user.displayName == "Gil")
        #expect(try await second.identities().identities.map(\.url) == ["https://accounts.google.com"])
        #expect(try await second.profile().email == "g@example.org")
        let issuers = try await second.signInOffers().issuers
        #expect(issuers.prefix(4).map(\.name) == ["firebase", "apple", "google", "closed"])
        #expect(issuers.prefix(3).map(\.nonce) == [.noNonce, .sha256Nonce, .plainNonce])
        #expect(issuers.prefix(4).map(\.makesAccounts) == [true, true, true, false])
        for client in [client, second] { await client.close() }
    }

    @Test("A2 while 200 people sign in the issuer's keys change twice, and nobody is refused")
    func rotation() async throws {
        let scene = try await IdentityScene(replicas: 2)
        let outcomes = try await withThrowingTaskGroup { group in
            for number in 0..<200 {
                // Its first keys stay for the tokens that they signed; the second change comes at once.
                if number == 60 || number == 120 { try await scene.issuer.rotate("rotating", keeping: true) }
                let algorithm = ["RS256", "ES256", "EdDSA"][number % 3]
                let token = try await scene.token("rotating", subject: "p\(number)", "", .init(algorithm))
                group.addTask {
                    // As an app does: `unavailable` is repeated after its wait, with the same id.
                    let client = ParleyClient(
                        url: scene.cluster.url(number % 2),
                        options: .init(name: "tests", retriesFor: .seconds(90) * patience))
                    try await client.connect()
                    let signedIn = try await client.signIn(identityToken: token)
                    await client.close()
                    return signedIn.newAccount
                }
            }
            return try await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(outcomes.count == 200 && outcomes.allSatisfy(\.self))
        // Each replica reads the keys once at first and once for each change, not for each token.
        #expect(try await scene.issuer.asked("rotating") <= 2 * 3)
        await scene.cluster.end()
    }

    @Test("A2 keys that were read count while the issuer is away")
    func away() async throws {
        let scene = try await IdentityScene.shared.value
        #expect(try await scene.verdict(on: scene.token("away", subject: IdentityScene.subject())) == "ok")
        try await scene.issuer.behave("away", "failing")
        for _ in 0..<5 {
            #expect(try await scene.verdict(on: scene.token("away", subject: IdentityScene.subject())) == "ok")
        }
        // A key that nobody here has seen has to wait for the issuer.
        try await scene.issuer.rotate("away")
        let unseen = try await scene.token("away", subject: IdentityScene.subject())
        #expect(try await scene.verdict(on: unseen, once: true) == "unavailable")
        try await scene.issuer.behave("away", "right")
    }
}

/// The SHA-256 hash of a text in hexadecimal digits, by another program.
private func sha256(_ text: String) async throws -> String {
    String(try await runToEnd(["sha256sum"], input: .holding(Data(text.utf8))).output.prefix(64))
}
