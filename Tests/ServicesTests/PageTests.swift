import Schema
import ServiceKit
import Testing

@testable import ConversationsService

@Suite("Pages of issuers")
struct PageTests {
    @Test("a state is what was sealed, and nothing else is one")
    func states() throws {
        let now = Timestamp(1_700_000_000_000_000)
        let state = PageState(
            at: now, challenge: [UInt8](repeating: 7, count: 32), returnAddress: "https://chat.example/in")
        #expect(PageState(state.bytes) == state && state.endsAt == now + .seconds(600))
        #expect(state.verifierText.utf8.count == 43, "as RFC 7636 wants it")
        let other = PageState(at: now, challenge: state.challenge, returnAddress: state.returnAddress)
        #expect(other.verifier != state.verifier && other.nonce != state.nonce && other.hash != state.hash)
        let wrong: [[UInt8]] = [[], [1], Array(state.bytes.prefix(89)), [2] + Array(state.bytes.dropFirst())]
        for bytes in wrong {
            #expect(PageState(bytes) == nil)
        }
    }

    @Test("the challenge of a secret is that of RFC 7636, appendix B")
    func challenges() {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        #expect(
            Base64URL.encode(PageState.challenge(of: verifier)) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test("a token is opened by its code alone")
    func sealed() {
        let (code, other) = (PageCode.make(), PageCode.make())
        #expect(code != other && code.utf8.count == 43 && PageCode.hash(code) != PageCode.hash(other))
        let sealed = PageCode.sealed("e30.e30.e30", nonce: "n", by: code)
        let opened = PageCode.opened(sealed, by: code)
        #expect(opened?.token == "e30.e30.e30" && opened?.nonce == "n")
        #expect(PageCode.opened(sealed, by: other) == nil && PageCode.opened([], by: code) == nil)
        #expect(PageCode.opened(sealed.reversed(), by: code) == nil)
    }

    @Test("a query is read as it is encoded, or not at all")
    func queries() {
        #expect(URLQuery.parameters(of: "/a") == [:] && URLQuery.parameters(of: "/a?") == [:])
        #expect(URLQuery.parameters(of: "/a?b=c%20d+e&f&g==%26") == ["b": "c d e", "f": "", "g": "=&"])
        for wrong in [
            "?a=1&a=2", "?a=%", "?a=%4", "?a=%g1", "?a=%-1", "?a=%+1", "?a=%ff",
        ] {
            #expect(URLQuery.parameters(of: wrong) == nil, "\(wrong)")
        }
        let parameters = [("a b", "ü&=+%"), ("c", "")]
        #expect(URLQuery.adding(parameters, to: "https://a/b") == "https://a/b?a%20b=%C3%BC%26%3D%2B%25&c=")
        #expect(URLQuery.adding([("d", "1")], to: "https://a/b?c") == "https://a/b?c&d=1")
        #expect(URLQuery.parameters(of: "?" + URLQuery.text(parameters)) == ["a b": "ü&=+%", "c": ""])
    }

    @Test("return addresses are of the web, of this machine, or of an app")
    func addresses() {
        let good = [
            "https://a", "https://a/b?c=d", "https://a:8443/", "http://127.0.0.1/x", "http://127.0.0.1:80/x",
            "http://[::1]/x", "http://localhost:3000/x", "org.example.chat:/x", "org.example.chat://x",
        ]
        let bad = [
            "", "https://", "https:///x", "https:a", "https://a@b", "https://a/#b", "https://a/ b", "https://a/\"",
            "http://a", "http://127.0.0.1.a/x", "http://localhosts/x", "javascript:alert(1)", "chat:/x", "a.b:x",
            "Org.example:/x", "file:///x", "https://a/ü", "https://a/" + String(repeating: "x", count: 250),
        ]
        for address in good { #expect(ReturnAddress.isAddress(address), "\(address)") }
        for address in bad { #expect(!ReturnAddress.isAddress(address), "\(address)") }
        let listed = ["http://127.0.0.1/x", "http://[::1]/x", "http://127.0.0.1:80/y", "https://a/x"]
        for address in listed + ["http://127.0.0.1:1/x", "http://[::1]:65535/x"] {
            #expect(ReturnAddress.isListed(address, in: listed), "\(address)")
        }
        for address in [
            "http://127.0.0.1:81/y", "https://a:443/x", "http://127.0.0.1:x/x", "http://127.0.0.1:1x/x", "",
        ] {
            #expect(!ReturnAddress.isListed(address, in: listed), "\(address)")
        }
    }
}
