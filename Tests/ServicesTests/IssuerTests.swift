import Schema
import ServiceKit
import Signatures
import Testing

@testable import ConversationsService

@Suite("Issuers of tokens")
struct IssuerTests {
    private static let good = "issuer = https://a.example\naudiences = x"

    @Test("a block of a known kind says only whose tokens they are for")
    func kinds() throws {
        let blocks = try IssuerFile.blocks(
            """
            # People's own.
            [apple]
              kind = apple
            audiences = org.example.chat , org.example.other
            trust-email = yes

            [google]
            kind=google
            audiences = 1
            [fire-base]
            kind = firebase
            project = chat-app
            imported-ids = yes
            [work]
            issuer = http://10.0.0.1/realm
            audiences = parley
            algorithms = ES256, EdDSA
            inside = yes
            may-register = no
            username-from = email
            nonce-required = yes
            """)
        #expect(blocks.map(\.name) == ["apple", "google", "fire-base", "work"])
        #expect(blocks[0].audiences == ["org.example.chat", "org.example.other"] && blocks[0].nonce == .sha256)
        #expect(blocks[0].url == "https://appleid.apple.com" && blocks[0].algorithms == [.rs256])
        #expect(blocks[1].isNamed("accounts.google.com") && blocks[1].isNamed("https://accounts.google.com"))
        #expect(!blocks[1].isNamed("http://accounts.google.com") && blocks[1].trustsEmail && !blocks[1].isInside)
        #expect(blocks[2].url == "https://securetoken.google.com/chat-app" && blocks[2].audiences == ["chat-app"])
        #expect(blocks[2].nonce == .none && blocks[2].namesImported)
        #expect(blocks[3].algorithms == [.es256, .edDSA] && !blocks[3].mayRegister && blocks[3].needsNonce)
        #expect(try IssuerFile.blocks("\n# nothing\n").isEmpty)
    }

    private static let page =
        "client-id = x\nredirect = https://chat.example/v1/identity/a/callback\nreturns = https://chat.example/in"

    @Test("a block with a client id signs people in on pages")
    func pages() throws {
        let blocks = try IssuerFile.blocks(
            "[a]\n\(Self.good)\n\(Self.page), org.example.chat:/in\nclient-secret = a = b, c\n[b]\nkind = apple\n"
                + "audiences = w\n"
                + Self.page.replacing("= x", with: "= w").replacing("/a/", with: "/b/"))
        let page = try #require(blocks[0].page)
        #expect(page.clientID == "x" && page.secret == "a = b, c" && page.scopes == "openid email profile")
        #expect(page.returns == ["https://chat.example/in", "org.example.chat:/in"])
        #expect(blocks[1].page?.scopes == "openid" && blocks[1].page?.secret == "")
    }

    @Test(
        "what is wrong of pages in the file is named",
        arguments: [
            ("client-id = y", "[a] client-id"), ("client-id = x", "[a] redirect"),
            ("returns = https://b", "[a] returns"),
            ("client-secret = s", "[a] client-secret"), ("redirect = https://b/v1/identity/a/callback", "[a] redirect"),
            ("client-id = x\nredirect = https://b/v1/identity/b/callback", "[a] redirect"),
            ("client-id = x\nredirect = http://b/v1/identity/a/callback", "[a] redirect"),
            ("client-id = x\nredirect = httpx://b/v1/identity/a/callback", "[a] redirect"),
            ("client-id = x\nredirect = https://b/v1/identity/a/callback", "[a] returns"),
            ("\(page), http://b/in", "[a] returns"), ("\(page), javascript:alert(1)", "[a] returns"),
            ("\(page)#x", "[a] returns"), ("\(page)\nscopes = email", "[a] scopes"),
            ("\(page)\nclient-secret = ü", "[a] client-secret"),
        ])
    func wrongPages(lines: String, place: String) {
        let problem = #expect(throws: IssuerFileProblem.self) {
            try IssuerFile.blocks("[a]\n\(Self.good)\n\(lines)")
        }
        #expect(problem?.description.hasPrefix(place) == true, "\(problem?.description ?? "")")
    }

    @Test(
        "what is wrong in the file is named, with its line or block",
        arguments: [
            ("issuer = x", "line 1"), ("[a]\nissuers = x", "line 2"), ("[A]", "line 1"), ("[]", "line 1"),
            ("[a]\nissuer", "line 2"), ("[a]\n\(good)\naudiences = y", "line 4"), ("[a]", "[a] issuer"),
            ("[a]\nissuer = http://a.example\naudiences = x", "[a] issuer"),
            ("[a]\nissuer = https://a.example", "[a] audiences"), ("[a]\n\(good)\n[a]\n\(good)", "[a] stands"),
            ("[a]\n\(good)\n[b]\n\(good)", "[b]"), ("[a]\n\(good)\nalgorithms = HS256", "[a] algorithms"),
            ("[a]\n\(good)\nalgorithms = none", "[a] algorithms"), ("[a]\n\(good)\nalgorithms =", "[a] algorithms"),
            ("[a]\n\(good)\ntrust-email = true", "[a] trust-email"), ("[a]\n\(good)\nkind = facebook", "[a] kind"),
            ("[a]\nkind = firebase", "[a] project"), ("[a]\n\(good)\nproject = p", "[a] project"),
            ("[a]\nkind = apple\n\(good)", "[a] issuer"),
            ("[a]\n\(good)\nusername-from = picture", "[a] username-from"),
            ("[a]\n\(good)\nnonce = none\nnonce-required = yes", "[a] nonce-required"),
            ("[a]\n\(good)\nkeys-url = http://a.example", "[a] keys-url"),
        ])
    func wrong(text: String, place: String) {
        let problem = #expect(throws: IssuerFileProblem.self) { try IssuerFile.blocks(text) }
        #expect(problem?.description.hasPrefix(place) == true, "\(problem?.description ?? "")")
    }

    @Test("there are at most 32 issuers")
    func many() throws {
        func file(_ count: Int) -> String {
            (0..<count).map { "[a\($0)]\nissuer = https://a\($0).example\naudiences = x\n" }.joined()
        }
        #expect(try IssuerFile.blocks(file(32)).count == 32)
        #expect(throws: IssuerFileProblem.self) { try IssuerFile.blocks(file(33)) }
    }

    private static let keys =
        #"{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"1","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#

    private func verdict(
        _ cache: KeyCache, _ key: String, issued: Int64 = 1000, after: Duration, since start: ContinuousClock.Instant
    ) -> String {
        switch cache.verdict(on: key, .edDSA, issuedAt: Timestamp(issued * 1_000_000), at: start + after) {
        case .use: "use"
        case .read: "read"
        case .none: "none"
        case .wait(let time): "wait \(time.components.seconds)"
        }
    }

    @Test("keys are read when they are first needed, no longer fresh, or lack one that a new token names")
    func cache() throws {
        let start = ContinuousClock.now
        var cache = KeyCache()
        let keys = try #require(IssuerKeys(Array(Self.keys.utf8)))
        #expect(verdict(cache, "1", after: .zero, since: start) == "read")
        cache.read(keys, freshFor: .seconds(600), at: start, wall: Timestamp(1_000_000_000))
        #expect(verdict(cache, "1", after: .seconds(599), since: start) == "use")
        #expect(verdict(cache, "1", after: .seconds(600), since: start) == "read")
        // An unknown one: not again within 30 s. A token that is older than the keys names none that could be new.
        #expect(verdict(cache, "2", after: .seconds(10), since: start) == "wait 20")
        #expect(verdict(cache, "2", issued: 900, after: .seconds(10), since: start) == "none")
        #expect(verdict(cache, "2", after: .seconds(30), since: start) == "read")
        cache.failed(at: start + .seconds(30))
        #expect(verdict(cache, "2", after: .seconds(59), since: start) == "wait 1")
        cache.failed(at: start + .seconds(60))
        #expect(verdict(cache, "2", after: .seconds(61), since: start) == "wait 59", "the pause grows")
        for _ in 0..<20 { cache.failed(at: start + .seconds(700)) }
        #expect(verdict(cache, "1", after: .seconds(1299), since: start) == "use", "old ones count meanwhile")
        #expect(verdict(cache, "1", after: .seconds(1300), since: start) == "read", "10 minutes at most")
        for day in 1...2 { cache.failed(at: start + .seconds(86_400 * day)) }
        #expect(verdict(cache, "1", after: .seconds(86_400 * 2 + 1), since: start) == "wait 599", "but not for ever")
    }

    @Test("before the first keys the issuer is asked more often; how long they are fresh has bounds")
    func pauses() throws {
        let start = ContinuousClock.now
        var cache = KeyCache()
        cache.failed(at: start)
        #expect(verdict(cache, "1", after: .milliseconds(900), since: start) == "wait 0")
        #expect(verdict(cache, "1", after: .seconds(1), since: start) == "read")
        for _ in 0..<20 { cache.failed(at: start) }
        #expect(verdict(cache, "1", after: .seconds(29), since: start) == "wait 1")
        let keys = try #require(IssuerKeys(Array(Self.keys.utf8)))
        for (said, fresh) in [(Duration.zero, 60), (.seconds(1_000_000), 86_400), (nil, 3600)] as [(Duration?, Int)] {
            cache.read(keys, freshFor: said, at: start, wall: Timestamp(0))
            #expect(verdict(cache, "1", after: .seconds(fresh - 1), since: start) == "use")
            #expect(verdict(cache, "1", after: .seconds(fresh), since: start) == "read")
        }
    }

    @Test(
        "Cache-Control and Age say how long keys are fresh",
        arguments: [
            ("public, max-age=3600, must-revalidate", "", 3600), ("max-age=3600", "600", 3000), ("no-store", "", 0),
            ("max-age=60", "100", 0), ("max-age=x", "", -1), ("max-age=-5", "", -1), ("private", "", -1),
            ("MAX-AGE=99999999999999999999", "", -1),
        ])
    func freshness(control: String, age: String, seconds: Int64) {
        let found = CacheControl.freshness(["cache-control": control, "age": age])
        #expect(found?.components.seconds ?? -1 == seconds)
    }

    @Test("of a set only public keys that sign are taken, and a set is JSON with a list of keys")
    func sets() {
        let odd = [
            #"{"kty":"oct","kid":"2","k":"AAAA"}"#, #"{"kty":"RSA","kid":"3","n":"AQAB","e":"AQAB"}"#,
            #"{"kty":"EC","crv":"P-384","x":"AA","y":"AA"}"#, #"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#,
            #"{"kty":"OKP","crv":"Ed25519","use":"enc","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#,
            #"{"kty":"OKP","crv":"Ed25519","alg":"RS256","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#,
            #"{"kty":7}"#, "{}",
        ]
        let all = "{\"keys\":[\(odd.joined(separator: ","))]}"
        #expect(IssuerKeys(Array(all.utf8))?.entries.isEmpty == true)
        #expect(IssuerKeys(Array(Self.keys.utf8))?.candidates("1", .edDSA).count == 1)
        #expect(IssuerKeys(Array(Self.keys.utf8))?.candidates("1", .rs256).isEmpty == true)
        #expect(IssuerKeys(Array(Self.keys.utf8))?.candidates(nil, .edDSA).count == 1)
        for text in ["", "<html>", "[]", #"{"keys":{}}"#, #"{"keys":null}"#] {
            #expect(IssuerKeys(Array(text.utf8)) == nil, "\(text)")
        }
    }
}
