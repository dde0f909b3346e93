import Signatures
import Testing

@testable import PushSenders

@Suite("Keys, encryption and text of pushes")
struct PushContentTests {
    @Test("the example of RFC 8291 comes out byte for byte")
    func example() throws {
        let own = try #require(
            SigningKey(
                scalar: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
                point: bytes(
                    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8")))
        let sealed = ContentSealing.seal(
            Array("When I grow up, I want to be a watermelon".utf8),
            to: bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
            secret: bytes("BTBZMqHH6r4Tts7J_aSIgg"), bytesMax: 0, own: own, salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(
            sealed?.base64URL
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz"
                + "AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
    }

    @Test("the same text is never sealed alike, and never longer than allowed")
    func sealing() throws {
        let device = SigningKey.makeP256()
        let secret = Crypto.randomBytes(16)
        for length in [0, 1, 255, 256, 257, 3800] {
            let text = [UInt8](repeating: 7, count: length)
            for bytesMax in [length + ContentSealing.overhead, 4000] {
                let sealed = try (0..<2).map { _ in
                    try #require(ContentSealing.seal(text, to: device.point, secret: secret, bytesMax: bytesMax))
                }
                #expect(sealed[0] != sealed[1] && sealed.allSatisfy { $0.count <= max(bytesMax, 103 + length) })
            }
        }
    }

    @Test("a file with a wrong key is refused with its name and what is wrong in it")
    func files() throws {
        let made = VAPIDKey.make()
        let pem = Array(made.pem.utf8)
        #expect(try VAPIDKey(pem: pem, file: "f", contact: "https://a.example/").publicKey == made.publicKey)
        #expect(bytes(made.publicKey).count == 65)
        func problem(_ body: () throws -> Void) -> String {
            do { try body() } catch { return "\(error)" }
            return ""
        }
        for (text, words) in [
            ("", "not a private key"),
            ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", "not a private key"),
        ] {
            let found = problem {
                _ = try APNsKey(pem: Array(text.utf8), file: "/k.p8", keyID: "ABCDE12345", teamID: "ABCDE12345")
            }
            #expect(found.hasPrefix("/k.p8: ") && found.contains(words))
        }
        for (key, team) in [
            ("", "ABCDE12345"), ("ABCDE1234", "ABCDE12345"), ("abcde12345", "ABCDE12345"), ("ABCDE12345", "A"),
        ] {
            let found = problem { _ = try APNsKey(pem: pem, file: "/k.p8", keyID: key, teamID: team) }
            #expect(found.contains("id “") && found.contains("ten digits"))
        }
        for contact in [
            "", "a@b", "mailto:", "mailto:@b", "mailto:a", "http://a", "https://", "mailto:a b@c", "mailto:ü@b",
        ] {
            #expect(problem { _ = try VAPIDKey(pem: pem, file: "/v.pem", contact: contact) }.contains("contact"))
        }
        let account = """
            {"type":"service_account","project_id":"p","private_key_id":"k","private_key":"x",
            "client_email":"e@p.example","token_uri":"https://t.example/token"}
            """
        for (old, new, words) in [
            ("", "", "private_key"), ("service_account", "authorized_user", "authorized_user"), ("{", "[", "JSON"),
            ("https:", "http:", "https URL"), ("\"p\"", "\"\"", "project_id"), ("\"p\"", "\"a/b\"", "project_id"),
            ("\"k\"", "\"k\\n\"", "private_key_id"), ("client_email", "mail", "client_email"), ("\"k\"", "7", "JSON"),
        ] {
            let json = old.isEmpty ? account : account.replacing(old, with: new, maxReplacements: 1)
            let found = problem { _ = try FCMAccount(json: Array(json.utf8), file: "/a.json") }
            #expect(found.hasPrefix("/a.json: ") && found.contains(words), "\(old) → \(new): \(found)")
        }
    }

    @Test("settings become options, and one that is wrong is named")
    func settings() throws {
        let pem = VAPIDKey.make().pem
        let right = Dictionary(uniqueKeysWithValues: PushSetup.all.map { ($0.key, $0.defaultValue) })
        let none = try PushSetup.options { right[$0]! }
        #expect(none.apns == nil && none.fcm == nil && none.vapid == nil && !none.mayReachInside)
        #expect(none.addresses.apns == "https://api.push.apple.com" && none.authorities == nil)
        let full = [
            "push.apns-key": pem, "push.apns-key-id": "ABCDE12345", "push.apns-team-id": "ABCDE12345",
            "push.vapid-key": pem, "push.vapid-contact": "mailto:a@b.example", "push.inside": "yes",
            "push.fcm-url": "https://localhost:4711",
        ]
        let options = try PushSetup.options { full[$0] ?? right[$0]! }
        #expect(options.apns != nil && options.vapid != nil && options.mayReachInside)
        for (key, value) in [
            ("push.apns-key", "x"), ("push.vapid-key", "x"), ("push.fcm-account", "{}"), ("push.inside", "maybe"),
            ("push.apns-url", "http://a"), ("push.apns-sandbox-url", "https://a/"), ("push.fcm-url", ""),
        ] {
            let wrong = full.merging([key: value]) { $1 }
            do {
                _ = try PushSetup.options { wrong[$0] ?? right[$0]! }
                Issue.record("\(key) was accepted")
            } catch { #expect("\(error)".hasPrefix("\(key): ")) }
        }
    }

    @Test("text is cut at the end of a character, with room for what JSON writes for it")
    func cut() {
        #expect("abcdef".cut(to: 6) == "abcdef" && "abcdefg".cut(to: 6) == "abc…" && "abc".cut(to: 2) == "")
        #expect("👍🏽👍🏽".cut(to: 15) == "👍🏽…" && "\"\"\"\"".cut(to: 7) == "\"\"…" && "".cut(to: 0) == "")
        for text in [String(repeating: "\u{1}", count: 50), "a\u{301}\u{302}bc\r\nd\"\\👩‍👩‍👧‍👦é", "日本語テキスト"] {
            for max in 3..<80 {
                let cut = text.cut(to: max)
                #expect(JSONValue.text(cut).bytes.count - 2 <= max)
                #expect(cut == text || cut.hasSuffix("…") && text.hasPrefix(cut.dropLast()))
            }
        }
    }

    @Test("base64 has no padding and the letters for URLs")
    func base64() {
        #expect([UInt8]().base64URL == "" && [255].base64URL == "_w" && [251, 255].base64URL == "-_8")
        for count in 0..<50 {
            let some = Crypto.randomBytes(count)
            #expect(bytes(some.base64URL) == some)
        }
    }
}

/// Decodes base64 for URLs.
func bytes(_ text: String) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var (bits, count, bytes) = (0, 0, [UInt8]())
    for letter in text.utf8 {
        bits = bits << 6 | (digits.firstIndex(of: letter) ?? 0)
        count += 6
        if count >= 8 {
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        }
    }
    return bytes
}
