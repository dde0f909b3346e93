import Testing

@testable import Reactor

struct KeyTests {
    @Test("a pair is random, and its public half follows from the secret one")
    func pairs() throws {
        let pair = CurveKeyPair.make()
        #expect(pair.publicKey != CurveKeyPair.make().publicKey)
        #expect(pair.publicKey.text.count == 40)
        let again = CurveKeyPair(try #require(CurveSecretKey(pair.secretKey.revealed)))
        #expect(again.publicKey == pair.publicKey)
        #expect(CurvePublicKey(bytes: pair.publicKey.bytes) == pair.publicKey)
    }

    @Test("a secret key is never printed, even as a part of another value")
    func secret() {
        let pair = CurveKeyPair.make()
        var dumped = ""
        dump(pair, to: &dumped)
        for text in ["\(pair)", "\([pair])", String(reflecting: pair), String(describing: Optional(pair)), dumped] {
            #expect(!text.contains(pair.secretKey.revealed))
        }
    }

    @Test("keys are written as in ZeroMQ's RFC 32")
    func text() {
        #expect(Z85.encode([0x86, 0x4f, 0xd2, 0x6f, 0xb5, 0x59, 0xf7, 0x5b]) == "HelloWorld")
        #expect(Z85.decode(String(repeating: "0", count: 40)) == [UInt8](repeating: 0, count: 32))
        #expect(Z85.decode(String(repeating: "%nSc0", count: 8)) == [UInt8](repeating: 0xff, count: 32))
    }

    @Test(
        "text that is not a key is refused",
        arguments: [
            "", "x", String(repeating: "0", count: 39), String(repeating: "0", count: 41),
            String(repeating: "0", count: 39) + " ", String(repeating: "0", count: 39) + "\"",
            String(repeating: "%nSc1", count: 8), String(repeating: "#", count: 40), String(repeating: "ü", count: 20),
        ])
    func noKey(text: String) {
        #expect(CurvePublicKey(text) == nil)
        #expect(CurveSecretKey(text) == nil)
    }
}

struct LinkPeersTests {
    private let keys = (0..<4).map { _ in CurveKeyPair.make().publicKey }

    @Test("a file of peers gives the name and role of each key; the first line of a role has its key")
    func file() throws {
        let peers = try LinkPeers(
            """
            # NAME ROLE PUBLICKEY
              gateway-1 gateway  \(keys[0])

            messaging\tmessaging \(keys[1])\r
            messaging-2 messaging \(keys[2])
            """)
        #expect(peers.all.count == 3)
        #expect(peers.peer(of: keys[0])?.name == "gateway-1")
        #expect(peers.peer(of: keys[2])?.role == .service("messaging"))
        #expect(peers.peer(of: keys[3]) == nil)
        #expect(peers.key(of: .service("messaging")) == keys[1])
        #expect(peers.key(of: .monitor) == nil)
        #expect(peers.role(of: "gateway-1") == .gateway)
        #expect(peers.role(of: "nobody") == nil)
        #expect(try LinkPeers(peers.all.map(\.line).joined(separator: "\n")) == peers)
        #expect(try LinkPeers("").all.isEmpty)
    }

    @Test("one name may have an old key and a new one")
    func rotation() throws {
        let peers = try LinkPeers("g gateway \(keys[0])\ng gateway \(keys[1])")
        #expect(peers.peer(of: keys[1])?.name == "g")
    }

    @Test("an error in a file is reported with its line")
    func problems() {
        let key = keys[0]
        for (text, prefix) in [
            ("a gateway", "line 1: expected NAME"), ("\n\na gateway \(key) x", "line 3: expected NAME"),
            ("a Gateway \(key)", "line 1: \"Gateway\" is not a role"), ("a gateway key", "line 1: the key of a"),
            ("a/b gateway \(key)", "line 1: invalid name"),
            ("a gateway \(key)\nb monitor \(key)", "two lines have the key"),
            ("a gateway \(key)\na monitor \(keys[1])", "a has two roles"),
        ] {
            let problem = #expect(throws: LinkPeers.Problem.self) { try LinkPeers(text) }
            #expect(problem?.description.hasPrefix(prefix) == true, "\(problem?.description ?? "")")
        }
    }
}

struct AuthenticatorTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func request(_ domain: String, _ key: [UInt8], mechanism: String = "CURVE") -> [[UInt8]] {
        [[0, 1], [], bytes("1.0"), bytes("1"), bytes(domain), bytes("127.0.0.1"), [], bytes(mechanism), key]
    }

    @Test("a key is admitted to the sockets whose rule names it and to no others")
    @ReactorActor
    func domains() throws {
        let key = CurveKeyPair.make().publicKey
        let authenticator = Authenticator.shared
        let here = try authenticator.admit { $0 == key ? "me" : nil }
        let there = try authenticator.admit { _ in nil }
        let welcome = try #require(authenticator.answer(request(here, key.bytes)))
        #expect(welcome == [[0, 1], [], bytes("1.0"), bytes("1"), bytes("200"), bytes("OK"), bytes("me"), []])
        for domain in [there, "unknown", ""] {
            let refused = try #require(authenticator.answer(request(domain, key.bytes)))
            #expect(refused[4] == bytes("400") && refused[6].isEmpty)
        }
        authenticator.forget(here)
        #expect(authenticator.answer(request(here, key.bytes))?[4] == bytes("400"))
        authenticator.forget(there)
    }

    @Test("a malformed request admits no peer")
    @ReactorActor
    func malformed() throws {
        let authenticator = Authenticator.shared
        let domain = try authenticator.admit { _ in "anyone" }
        let key = CurveKeyPair.make().publicKey.bytes
        let right = request(domain, key)
        for count in 0..<4 { #expect(authenticator.answer(Array(right.prefix(count))) == nil) }
        #expect(authenticator.answer([[0, 1], [1]] + right.dropFirst(2)) == nil)
        var wrong = (4..<9).map { Array(right.prefix($0)) }
        wrong += [right + [[]], request(domain, []), request(domain, key + [1]), request(domain, key.dropLast())]
        wrong += [request(domain, key, mechanism: "PLAIN"), request(domain, key, mechanism: "")]
        for (index, part) in [(2, bytes("2.0")), (2, []), (4, [0xff, 0xfe])] {
            var parts = right
            parts[index] = part
            wrong.append(parts)
        }
        for parts in wrong { #expect(authenticator.answer(parts)?[4] == bytes("500")) }
        #expect(authenticator.answer(right)?[4] == bytes("200"))
        authenticator.forget(domain)
    }
}
