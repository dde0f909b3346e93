import Foundation
import Schema
import Testing
import Wire

@testable import ServiceKit

@Suite("Ids (C1, C4)")
struct IdentifierTests {
    @Test(
        "user ids",
        arguments: [
            ("a", true), ("Z9", true), (String(repeating: "x", count: 64), true), ("", false),
            (String(repeating: "x", count: 65), false), ("a_b", false), ("a-b", false), ("ä", false), ("a b", false),
            ("a\0", false),
            ("a\n", false), ("../x", false),
        ])
    func users(text: String, isGood: Bool) { #expect((UserID(text) != nil) == isGood) }

    @Test("C4 no two pairs share an id, in either order, and none is a group's")
    func pairs() throws {
        // All short ids of an alphabet whose letters sort differently in bytes than in dictionaries.
        let letters = ["0", "9", "A", "B", "Z", "a", "b", "z"]
        let users = try (letters + letters.flatMap { a in letters.map { a + $0 } }).map { try #require(UserID($0)) }
        var seen: [String: Set<UserID>] = [:]
        for first in users {
            for second in users {
                let id = ConversationID(first, second)
                #expect(id == ConversationID(second, first))
                #expect(ConversationID(id.rawValue) == id)
                let pair: Set = [first, second]
                if let other = seen[id.rawValue] { #expect(other == pair) }
                seen[id.rawValue] = pair
                #expect(!id.rawValue.utf8.allSatisfy { $0 != UInt8(ascii: "_") })
            }
        }
        #expect(seen.count == users.count * (users.count + 1) / 2)
    }

    @Test(
        "forged conversation ids are refused",
        arguments: [
            ("a_b", true), ("B_a", true), ("a_a", true), ("0123456789abcdef0123456789abcdef", true),
            ("b_a", false), ("a_B", false), ("a__b", false), ("_a", false), ("a_", false), ("_", false), ("", false),
            ("a_b_c", false),
            ("0123456789ABCDEF0123456789ABCDEF", false), ("0123456789abcdef0123456789abcde", false),
            ("0123456789abcdef0123456789abcdeg", false), (String(repeating: "a", count: 65) + "_b", false),
            ("a_b\0", false),
            ("a_b ", false), ("messaging/c/a_b", false),
        ])
    func conversations(text: String, isGood: Bool) { #expect((ConversationID(text) != nil) == isGood) }

    private func uuid(_ time: Int64, version: UInt8 = 7, variant: UInt8 = 0x80) -> [UInt8] {
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
        let milliseconds = time / 1000
        for index in 0..<6 { bytes[index] = UInt8(truncatingIfNeeded: milliseconds >> (8 * (5 - index))) }
        bytes[6] = bytes[6] & 0x0F | version << 4
        bytes[8] = bytes[8] & 0x3F | variant
        return bytes
    }

    @Test("only a UUIDv7 of 16 bytes is an id")
    func forms() throws {
        #expect(try UUIDv7(uuid(1_790_000_000_123_000)).time == 1_790_000_000_123_000)
        #expect(try ConversationID(group: UUIDv7(uuid(1))).rawValue.utf8.count == 32)
        for bytes in [
            uuid(1, version: 4), uuid(1, version: 0), uuid(1, variant: 0xC0), uuid(1, variant: 0), [],
            Array(uuid(1).dropLast()), uuid(1) + [0],
        ] {
            let refusal = #expect(throws: Refusal.self) { try UUIDv7(bytes, field: "f") }
            #expect(refusal?.code == .invalid && refusal?.field == "f")
        }
    }

    @Test(
        "ids are accepted from 30 days back to a day ahead",
        arguments: [
            (0, nil), (-30 * 86_400, nil), (86_400, nil), (-30 * 86_400 - 1, "id_too_old"),
            (86_400 + 1, "id_from_future"),
        ] as [(Int64, String?)])
    func window(seconds: Int64, code: String?) throws {
        let now: Timestamp = 1_790_000_000_000_000
        let id = try UUIDv7(uuid((now + .seconds(seconds)).rawValue))
        do {
            try id.checkWindow(now: now)
            #expect(code == nil)
        } catch {
            #expect(error.code.rawValue == code)
            #expect(error.field == "id")
        }
    }
}

@Suite("Text that people see")
struct TextTests {
    @Test(
        "names",
        arguments: [
            ("Al", "Al"), ("  Al  ", "Al"), ("Ünïcødé 🙂", "Ünïcødé 🙂"), ("عربي", "عربي"), ("👨‍👩", "👨‍👩"),
            ("", nil), ("   ", nil), ("a\nb", nil), ("a\tb", nil), ("a\0b", nil), ("a\u{7F}b", nil), ("a\u{85}b", nil),
            ("\u{202E}live", nil), ("a\u{200F}b", nil), ("a\u{2066}b", nil), ("\u{200F}a", "a"), ("a\u{2028}b", nil),
            ("\u{FEFF}a", "a"), ("a\u{AD}\u{2060}b\u{FFF9}", "ab"), ("\u{3164}", nil), ("\u{206A}\u{200B}", nil),
            (String(repeating: "x", count: 16), String(repeating: "x", count: 16)),
            (String(repeating: "x", count: 17), nil),
            (String(repeating: "é", count: 9), nil),
        ] as [(String, String?)])
    func names(text: String, name: String?) { #expect((try? Text.name(text, field: "f", bytes: 16)) == name) }

    @Test(
        "names are kept in NFC, without the marks of direction that came with them",
        arguments: [
            ("\u{200F}דנה\u{200F}", "דנה"), ("\u{200E}محمد\u{200E}", "محمد"), ("\u{202A}Dana\u{202C}", "Dana"),
            (" \u{200E} Dana\u{61C}\u{A0}", "Dana"), ("\u{2068}\u{200F}דנה\u{2069}", "דנה"),
            ("Zu\u{308}rich", "Zürich"), ("Nguye\u{302}\u{303}n", "Nguyễn"), ("\u{1112}\u{1161}\u{11AB}", "한"),
            ("\u{30C6}\u{3099}", "デ"), ("\u{2068}a\u{2069}b\u{202C}", nil), ("a\u{202E}b", nil), ("\u{2800}", nil),
            ("\u{200D}\u{A0}", nil), ("\u{2068}\u{2069}", nil), ("\u{FE0F}\u{34F}", nil),
        ] as [(String, String?)])
    func storedNames(text: String, stored: String?) {
        let name = try? Text.name(text, field: "f", bytes: 64)
        #expect(name.map { Array($0.unicodeScalars) } == stored.map { Array($0.unicodeScalars) })
    }

    @Test("what a name takes is counted after composition, which may lengthen it")
    func lengthened() throws {
        let letter = "\u{fb2c}"
        #expect(try Text.name(String(repeating: letter, count: 10), field: "f", bytes: 60).utf8.count == 60)
        #expect(throws: Refusal.self) { try Text.name(String(repeating: letter, count: 11), field: "f", bytes: 60) }
    }

    @Test("a name has as many letters in every script")
    func letters() throws {
        for letter in ["a", "ß", "ก", "字", "한", "🙂", "न", "ﷺ"] {
            let most = String(repeating: letter, count: 128)
            #expect(try Text.name(most, field: "f", letters: 128) == most)
            #expect(throws: Refusal.self, "\(letter)") { try Text.name(most + letter, field: "f", letters: 128) }
        }
    }

    @Test(
        "the lines of a place or title are joined",
        arguments: [
            ("Musterstrasse 1\n8000 Zürich\nSchweiz", "Musterstrasse 1, 8000 Zürich, Schweiz"),
            ("Buy:\n- milk", "Buy: - milk"), ("Hall 3,\r\nMesse\r\n", "Hall 3, Messe"), ("a\n\n\n b \n", "a, b"),
            ("Room\u{2028}12\u{2029}B", "Room, 12, B"), ("a\u{B}b\u{85}c", "a, b, c"), ("\n \n", nil),
            ("a\u{202E}\nb", nil), ("a\u{0}\nb", nil),
        ] as [(String, String?)])
    func lines(text: String, line: String?) { #expect((try? Text.line(text, field: "f", bytes: 64)) == line) }

    @Test(
        "texts have no C1 controls, overrides of direction, tags or towers of marks, and keep all that scripts need",
        arguments: [
            ("a\u{85}b", false), ("a\u{9B}31m", false), ("a\u{A0}b", true), ("\u{202E}live", false),
            ("\u{202A}a", false), ("a\u{2067}b", false),
            // Copied numbers and names: iOS, WhatsApp, Windows and calendars wrap them so.
            ("my new number is \u{202D}+41 79 123 45 67\u{202C}", true), ("\u{202A}+972 50-123\u{202C}", true),
            ("\u{202B}שלום\u{202C} and \u{2068}x\u{2069}", true), ("\u{202A}a\u{202D}b\u{202C}c\u{202C}", true),
            ("\u{202D}a\u{202C}\u{202E}b", false), ("\u{2066}a\u{202C}", false), ("a\u{202B}\u{202B}b\u{202C}", false),
            ("\u{2067}a\u{2069}", true), ("a\u{2069}b", true),
            ("\u{200F}!", true), ("a\u{E0041}", false), ("\u{E007F}", false),
            ("\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", true),
            ("\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E0074}\u{E0074}\u{E007F}", false),
            ("\u{1F3F4}a\u{E0067}", false), ("Vie\u{302}\u{323}t", true), ("בְּרֵאשִׁ֖ית", true), ("ที่นี่", true),
            ("a" + String(repeating: "\u{301}", count: 6), true), ("a" + String(repeating: "\u{301}", count: 7), false),
            ("a\u{301}\u{302}\u{303}b\u{301}\u{302}\u{303}\u{304}", true), ("👨‍👩‍👧 1️⃣", true),
        ])
    func scalars(text: String, isGood: Bool) {
        #expect(((try? Text.message(text, field: "text", bytes: 256)) != nil) == isGood)
        // Names have no marks of direction either.
        if !isGood { #expect((try? Text.name(text, field: "text", bytes: 256)) == nil) }
    }

    @Test(
        "messages keep their line breaks and are never blank",
        arguments: [
            ("hi", nil), (" hi\n\there\r\n", nil), ("\u{200F}!", nil), ("", "invalid"), (" \n\t ", "invalid"),
            ("\u{A0}", "invalid"), ("\u{200B}", "invalid"), ("\u{2800}\u{2800}", "invalid"), ("\u{3164}", "invalid"),
            ("\u{FE0F}\n", "invalid"), ("\u{200F}\u{200E}", "invalid"), ("\u{3000}", "invalid"), ("\u{2800}.", nil),
            ("a\0b", "invalid"),
            ("a\u{1B}[31m", "invalid"), ("a\u{7F}", "invalid"), (String(repeating: "x", count: 16), nil),
            (String(repeating: "x", count: 17), "too_large"),
        ] as [(String, String?)])
    func messages(text: String, code: String?) {
        do {
            #expect(try Text.message(text, field: "text", bytes: 16) == text)
            #expect(code == nil)
        } catch {
            #expect(error.code.rawValue == code)
            #expect(error.field == "text")
        }
    }

    @Test(
        "a page has the usual size unless requested otherwise, and never more than the maximum",
        arguments: [
            (0, 50), (1, 1), (200, 200), (201, 200), (.max, 200),
        ] as [(UInt32, Int)])
    func pages(requested: UInt32, limit: Int) { #expect(Page.limit(requested) == limit) }
}

@Suite("Access tokens (A1)")
struct AccessTokenTests {
    private let key = Sodium.SigningKey.make()
    private let seal = Sodium.randomBytes(32)
    private var keys: [String: AccessToken.CheckingKey] {
        ["k1": AccessToken.CheckingKey(publicKey: key.publicKey, seal: seal)]
    }
    private let now: Timestamp = 1_790_000_000_000_000
    private var token: AccessToken {
        AccessToken(
            user: "alice", account: 0x0102_0304_0506_0708, device: "d1", issuedAt: now + .microseconds(7),
            expiresAt: now + .seconds(900))
    }

    private func flaw(_ text: String, at time: Timestamp? = nil) -> AccessToken.Flaw? {
        do throws(AccessToken.Flaw) {
            _ = try AccessToken.verify(text, keys: keys, now: time ?? now)
            return nil
        } catch {
            return error
        }
    }

    private func signed(_ signing: Sodium.SigningKey? = nil, id: String = "k1", seal: [UInt8]? = nil) -> String {
        token.signed(with: AccessToken.Key(id: id, signing: signing ?? key, seal: seal ?? self.seal))
    }

    private func part(_ json: String) -> String { Base64URL.encode(Data(json.utf8)) }

    private func signed(header: String, claims: String) -> String {
        let text = part(header) + "." + part(claims)
        return text + "." + Base64URL.encode(Data(Sodium.sign(Array(text.utf8), with: key)))
    }

    @Test("a signed token is verified and read back")
    func roundTrip() throws {
        let text = signed()
        #expect(try AccessToken.verify(text, keys: keys, now: now) == token)
        #expect(!text.contains { "+/= ".contains($0) })
    }

    @Test("only who has the key's seal reads the account number; another seal's token is malformed")
    func sealed() throws {
        let claims = try #require(Base64URL.decode(signed().split(separator: ".")[1]))
        let text = String(decoding: claims, as: UTF8.self)
        #expect(text.contains(#""acc":""#) && !text.contains("\(token.account.rawValue)"))
        #expect(flaw(signed(seal: Sodium.randomBytes(32))) == .malformed)
        let other = signed(header: #"{"alg":"EdDSA","kid":"k1"}"#, claims: text.replacing("alice", with: "bobby"))
        #expect(flaw(other) == .malformed, "the number is sealed for its person")
    }

    @Test("every changed byte is detected")
    func tampered() {
        let text = Array(signed().utf8)
        var accepted: [String] = []
        for index in text.indices {
            var bytes = text
            bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let changed = String(decoding: bytes, as: UTF8.self)
            if flaw(changed) == nil { accepted.append(changed) }
        }
        #expect(accepted.isEmpty)
    }

    @Test("alg none, another alg and another key are refused")
    func otherSignatures() {
        let acc = Base64URL.encode(Sodium.seal([1, 2, 3, 4, 5, 6, 7, 8], for: Array("alice".utf8), key: seal))
        let claims = "{\"sub\":\"alice\",\"acc\":\"\(acc)\",\"dev\":\"d1\",\"iat\":1,\"exp\":9999999999,\"ius\":1}"
        #expect(flaw(signed(header: "{\"alg\":\"EdDSA\",\"kid\":\"k1\"}", claims: claims)) == nil)
        #expect(flaw(signed(header: "{\"alg\":\"none\",\"kid\":\"k1\"}", claims: claims)) == .malformed)
        #expect(flaw(signed(header: "{\"alg\":\"HS256\",\"kid\":\"k1\"}", claims: claims)) == .malformed)
        #expect(flaw(part("{\"alg\":\"none\",\"kid\":\"k1\"}") + "." + part(claims) + ".") == .malformed)
        #expect(flaw(part("{\"alg\":\"EdDSA\",\"kid\":\"k1\"}") + "." + part(claims) + ".") == .badSignature)
        #expect(flaw(signed(.make())) == .badSignature)
        #expect(flaw(signed(id: "k2")) == .unknownKey("k2"))
        #expect(flaw(signed(header: "{\"alg\":\"EdDSA\",\"kid\":\"k1\"}", claims: "{\"sub\":\"alice\"}")) == .malformed)
        #expect(flaw(signed(header: "{\"alg\":\"EdDSA\",\"kid\":\"k1\"}", claims: "[]")) == .malformed)
    }

    @Test("a token expires on the second it states")
    func expiry() {
        let text = signed()
        #expect(flaw(text, at: token.expiresAt - .microseconds(1)) == nil)
        #expect(flaw(text, at: token.expiresAt) == .expired)
    }

    @Test(
        "garbage is malformed",
        arguments: [
            "", ".", "..", "a.b", "a.b.c.d", "e30.e30.e30", "💥.💥.💥", "ey J.e30.AA", "e30=.e30.AA",
            String(repeating: "a", count: 100_000),
            String(repeating: ".", count: 2000),
        ])
    func garbage(text: String) { #expect(flaw(text) == .malformed) }

    @Test("a token longer than any that Parley issues is rejected unread, even with a valid signature")
    func oversize() {
        let header = "{\"alg\":\"EdDSA\",\"kid\":\"k1\",\"typ\":\"\(String(repeating: "x", count: 3000))\"}"
        #expect(flaw(signed(header: header, claims: "{}")) == .malformed)
    }
}

@Suite("Sodium")
struct SodiumTests {
    @Test("a password's hash is argon2id in text form with our parameters, differs each time, and verifies only it")
    func passwords() throws {
        let hash = try #require(Sodium.hashPassword("correct horse"))
        #expect(hash.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(hash != Sodium.hashPassword("correct horse"))
        #expect(Sodium.verifyPassword("correct horse", against: hash))
        for wrong in ["correct hors", "correct horse ", "Correct horse", ""] {
            #expect(!Sodium.verifyPassword(wrong, against: hash))
        }
        for odd in ["", "x", "$argon2id$", String(repeating: "$", count: 1000)] {
            #expect(!Sodium.verifyPassword("correct horse", against: odd))
        }
    }

    @Test("a signature holds for its message and key only")
    func signatures() {
        let key = Sodium.SigningKey.make()
        let signature = Sodium.sign([1, 2, 3], with: key)
        #expect(Sodium.isSignature(signature, of: [1, 2, 3], by: key.publicKey))
        #expect(!Sodium.isSignature(signature, of: [1, 2, 4], by: key.publicKey))
        #expect(!Sodium.isSignature(signature, of: [1, 2, 3], by: Sodium.SigningKey.make().publicKey))
        #expect(!Sodium.isSignature([], of: [1, 2, 3], by: key.publicKey))
        #expect(!Sodium.isSignature(signature, of: [1, 2, 3], by: []))
    }

    @Test("random text has the right length and alphabet, and BLAKE2b-256 matches the standard")
    func randomAndHash() {
        let text = Sodium.randomText(1000)
        #expect(text.utf8.count == 1000)
        #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
        #expect(Sodium.randomBytes(32) != Sodium.randomBytes(32))
        let hex = Hex.text(Sodium.hash(Array("abc".utf8)))
        #expect(hex == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319")
    }
}
