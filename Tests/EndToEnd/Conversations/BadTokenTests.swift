import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("A2: tokens that sign nobody in", .disabled(if: TestCluster.isElsewhere))
struct BadTokenTests {
    /// A token that is refused, and why.
    struct Case: Sendable, CustomTestStringConvertible {
        var what: String
        var code: String
        var nonce = ""
        var make: @Sendable (IdentityScene) async throws -> String

        var testDescription: String { what }

        init(
            _ what: String, _ code: String, nonce: String = "",
            _ make: @escaping @Sendable (IdentityScene) async throws -> String
        ) {
            (self.what, self.code, self.nonce, self.make) = (what, code, nonce, make)
        }

        /// A token of "work" that differs from a right one in what it says.
        static func saying(
            _ what: String, _ code: String, nonce: String = "", audience: String = #""parley""#, issued: Int = 0,
            expires: Int = 3600, _ more: String = ""
        ) -> Case {
            Case(what, code, nonce: nonce) { scene in
                let claims = scene.claims(
                    "work", subject: IdentityScene.subject(), audience: audience, issued: issued, expires: expires, more
                )
                return try await scene.issuer.token(of: "work", claims)
            }
        }

        /// A token of "work" that differs from a right one in how it is made.
        static func made(_ what: String, _ code: String, _ shape: TestIssuer.Shape) -> Case {
            Case(what, code) { scene in
                // Older than the keys at hand, which have all that it can name.
                let claims = scene.claims("work", subject: IdentityScene.subject(), issued: -600)
                return try await scene.issuer.token(of: "work", claims, shape)
            }
        }
    }

    private static let texts: [Case] = [
        Case("no token", "token_malformed") { _ in "" },
        Case("two parts", "token_malformed") { _ in "e30.e30" },
        Case("five parts, as of an encrypted one", "token_malformed") { _ in "e30.e30.e30.e30.e30" },
        Case("letters of another alphabet", "token_malformed") { _ in "e+/=.e30.e30" },
        Case("a header that is a list", "token_malformed") { _ in "W10.e30.e30" },
        Case("lists in lists in lists", "token_malformed") { _ in
            let deep = Data(String(repeating: "[", count: 6000).utf8).base64EncodedString()
            return "\(deep).e30.e30"
        },
        Case("16,384 bytes that say nothing", "token_malformed") { _ in String(repeating: "a", count: 16_384) },
        Case("20 KB", "invalid") { _ in String(repeating: "a", count: 20_480) },
    ]

    private static let makings: [Case] = [
        .made("alg none", "token_algorithm_refused", .init("none")),
        .made("alg none, with the right kid and no signature", "token_algorithm_refused", .init("nOnE")),
        .made("HS256 with the public key as its secret", "token_algorithm_refused", .init("HS256")),
        .made("RS512", "token_algorithm_refused", .init("RS512")),
        .made("ES256 by a key of RSA", "token_signature_wrong", .init("RS256", header: #"{"alg":"ES256"}"#)),
        .made("a key of somebody else with the same kid", "token_signature_wrong", .init(byOthers: true)),
        .made(
            "ES256 of somebody else with the same kid", "token_signature_wrong", .init("ES256", byOthers: true)),
        .made("EdDSA of somebody else with the same kid", "token_signature_wrong", .init("EdDSA", byOthers: true)),
        .made("a kid that the issuer does not have", "token_signature_wrong", .init(key: "unknown")),
        .made("a key for encryption", "token_signature_wrong", .init(key: "work-enc")),
        .made("an unknown crit", "token_malformed", .init(header: #"{"crit":["exp"]}"#)),
        .made("a token for access", "token_malformed", .init(header: #"{"typ":"at+jwt"}"#)),
        .made("a kid of 300 bytes", "token_malformed", .init(key: String(repeating: "k", count: 300))),
        Case("RS256 where only ES256 is listed", "token_algorithm_refused") { scene in
            try await scene.issuer.token(
                of: "closed", scene.claims("closed", subject: "a"), .init("ES256"))
        },
        Case("a token whose body was changed", "token_signature_wrong") { scene in
            let parts = try await scene.token(subject: "a").split(separator: ".")
            let other = try await scene.token(subject: "b").split(separator: ".")
            return "\(parts[0]).\(other[1]).\(parts[2])"
        },
        Case("a token of an issuer that nobody named", "issuer_unknown") { scene in
            try await scene.issuer.token(of: "work", scene.claims("nobody", subject: "a"))
        },
        Case("an issuer's token that another one signed", "token_signature_wrong") { scene in
            try await scene.issuer.token(of: "second", scene.claims("work", subject: "a", issued: -600))
        },
    ]

    private static let sayings: [Case] = [
        .saying("another audience", "token_not_for_us", audience: #""somebody-else""#),
        .saying("no audience", "token_not_for_us", audience: "[]"),
        .saying("two audiences and no party", "token_not_for_us", audience: #"["parley","other"]"#),
        .saying("a party that is not ours", "token_not_for_us", #""azp":"other""#),
        .saying("expired 61 s ago", "token_expired", issued: -3600, expires: -61),
        .saying("made two days ago, for a year", "token_expired", issued: -2 * 86_400, expires: 31_536_000),
        .saying("from next year", "token_not_yet_valid", issued: 31_536_000, expires: 31_540_000),
        .saying("valid in an hour", "token_not_yet_valid", #""nbf":\#(Int(Date().timeIntervalSince1970) + 3600)"#),
        .saying("a nonce that the request does not have", "token_nonce_wrong", #""nonce":"one""#),
        .saying("a nonce that the token does not have", "token_nonce_wrong", nonce: "one"),
        .saying("two nonces", "token_nonce_wrong", nonce: "one", #""nonce":"two""#),
        .saying("an audience that is a number", "token_malformed", audience: "7"),
        .saying("a time that is text", "token_malformed", #""nbf":"soon""#),
        .saying("a time beyond all numbers", "token_malformed", #""nbf":1e300"#),
        .saying("a time before 1970", "token_malformed", #""nbf":-1"#),
        Case("no nonce where one must be", "token_nonce_wrong") { scene in
            try await scene.token("nonces", subject: "a")
        },
        Case("no subject", "token_malformed") { scene in
            try await scene.issuer.token(of: "work", scene.claims("work", subject: ""))
        },
        Case("a subject of 256 bytes", "token_malformed") { scene in
            try await scene.issuer.token(
                of: "work", scene.claims("work", subject: String(repeating: "s", count: 256)))
        },
        Case("a subject with a zero byte", "token_malformed") { scene in
            try await scene.issuer.token(of: "work", scene.claims("work", subject: #"a\u0000b"#))
        },
        Case("somebody new of an issuer that makes no accounts", "registration_closed") { scene in
            try await scene.token("closed", subject: IdentityScene.subject())
        },
    ]

    @Test("A2 a wrong token is refused with its own code, and makes no account", arguments: texts + makings + sayings)
    func refused(bad: Case) async throws {
        let scene = try await IdentityScene.shared.value
        let token = try await bad.make(scene)
        #expect(try await scene.verdict(on: token, nonce: bad.nonce) == bad.code)
        #expect(try await scene.cluster.number("SELECT count(*) FROM conversations.ways_in WHERE subject = 'a'") == 0)
    }

    @Test("A2 a right token beside them signs in, also at the edges of what is allowed")
    func allowed() async throws {
        let scene = try await IdentityScene.shared.value
        let edges = [
            scene.claims("work", subject: IdentityScene.subject(), issued: -3600, expires: -30),
            scene.claims("work", subject: IdentityScene.subject(), issued: 30),
            scene.claims(
                "work", subject: IdentityScene.subject(), audience: #"["x","parley"]"#, #""azp":"parley-web""#),
            scene.claims("work", subject: String(repeating: "s", count: 255)),
        ]
        for claims in edges { #expect(try await scene.verdict(on: scene.issuer.token(of: "work", claims)) == "ok") }
        for algorithm in ["RS256", "ES256", "EdDSA"] {
            let token = try await scene.token(subject: IdentityScene.subject(), "", .init(algorithm))
            #expect(try await scene.verdict(on: token) == "ok", "\(algorithm)")
        }
        // Without the name of a key, all of the algorithm are tried.
        let nameless = try await scene.token(subject: IdentityScene.subject(), "", .init(header: #"{"kid":null}"#))
        #expect(try await scene.verdict(on: nameless) == "ok")
    }

    @Test(
        "A2 an issuer whose keys cannot be read signs nobody in, now: late, HTML, 10 MB, a redirect, inside",
        arguments: IdentityScene.silent + ["outside"])
    func unreadable(issuer: String) async throws {
        let scene = try await IdentityScene.shared.value
        try await scene.issuer.behave(issuer, issuer)
        let url = issuer == "outside" ? "https\(scene.issuer.url.dropFirst(4))" : scene.issuer.url
        let now = Int(Date().timeIntervalSince1970)
        let token = try await scene.issuer.token(
            of: issuer, #"{"iss":"\#(url)/\#(issuer)","sub":"a","aud":"parley","iat":\#(now),"exp":\#(now + 600)}"#)
        let client = try await scene.cluster.stranger(once: true)
        let refused = try await refusal { () async throws(ParleyError) in
            try await client.signIn(identityToken: token)
        }
        #expect(refused.code == "unavailable" && refused.retryAfterMs > 0, "\(refused)")
        // Others sign in meanwhile.
        #expect(try await scene.verdict(on: scene.token(subject: IdentityScene.subject())) == "ok")
        await client.close()
    }

    @Test("A2, A6 wrong tokens of an address count together, and an owner's proofs by device")
    func counted() async throws {
        let scene = try await IdentityScene(settings: [
            "PARLEY_LIMITS_WRONG_TOKENS_PER_ADDRESS": "3", "PARLEY_LIMITS_SIGN_INS_PER_MINUTE": "5",
        ])
        for _ in 0..<3 {
            #expect(try await scene.verdict(on: scene.token(subject: IdentityScene.subject())) == "ok")
            #expect(try await scene.verdict(on: "e30.e30.e30") == "token_malformed")
        }
        #expect(try await scene.verdict(on: "e30.e30.e30") == "rate_limited")
        let alice = try await scene.cluster.person("alice")
        let elsewhere = try await scene.cluster.device(of: alice)
        // At once: turns come back with time, and a slow machine would get one for each try.
        let codes = try await withThrowingTaskGroup(of: String.self) { tasks in
            for _ in 0..<12 {
                tasks.addTask {
                    try await refusal { () async throws(ParleyError) in
                        try await alice.client.changePassword(
                            to: "another horse battery", owner: .password("wrong horse battery"))
                    }.code
                }
            }
            return try await tasks.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(codes) == ["wrong_credentials", "rate_limited"], "\(codes)")
        #expect(codes.count { $0 == "wrong_credentials" } >= 5, "\(codes)")
        try await elsewhere.client.changePassword(to: "another horse battery", owner: .password(Device.password))
        await scene.cluster.end()
    }
}
