import Testing

@testable import Signatures

@Suite("Passwords of other systems")
struct ImportedPasswordTests {
    private func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
    }

    @Test("T3 the vectors of RFC 6070 and RFC 7914 are verified by PBKDF2, and nothing else")
    func pbkdf2() throws {
        for (digest, password, salt, rounds, hash) in [
            (.sha1, "password", "salt", 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
            (.sha1, "password", "salt", 2, "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"),
            (.sha1, "password", "salt", 4_096, "4b007901b765489abead49d926f721d065a429c1"),
            (
                .sha1, "passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt", 4_096,
                "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"
            ),
            (.sha1, "pass\0word", "sa\0lt", 4_096, "56fa6aa75548099dcc37d7f03425e0c3"),
            (
                .sha256, "passwd", "salt", 1,
                "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
                    + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"
            ),
            (
                .sha256, "Password", "NaCl", 80_000,
                "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
                    + "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d"
            ),
        ] as [(PBKDF2Password.Digest, String, String, Int, String)] {
            let made = try #require(
                PBKDF2Password(digest, rounds: rounds, salt: Array(salt.utf8), hash: bytes(hash)), "\(hash)")
            let stored = try #require(ImportedPassword(made.text))
            #expect(stored == .pbkdf2(made) && stored.verifies(password), "\(made.text)")
            #expect(!stored.verifies(password + "x") && !stored.verifies(""), "\(made.text)")
            let other = PBKDF2Password(digest, rounds: rounds + 1, salt: Array(salt.utf8), hash: bytes(hash))
            #expect(other?.verifies(password) == false)
        }
    }

    @Test("T3 published vectors are verified by bcrypt, of which 72 bytes count")
    func bcrypt() throws {
        let long = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        for (password, text) in [
            ("U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"),
            ("U*U*", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK"),
            ("U*U*U", "$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a"),
            (long + "chars after 72 are ignored", "$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui"),
            ("abc123xyz", "$2a$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW"),
        ] {
            let stored = try #require(ImportedPassword(text))
            #expect(stored.verifies(password), "\(text)")
            #expect(!stored.verifies("x" + password) && !stored.verifies(password + "\0"), "\(text)")
            #expect(ImportedPassword(text.replacing("$2a$", with: "$2b$"))?.verifies(password) == true)
            #expect(ImportedPassword(text.replacing("$2a$", with: "$2y$"))?.verifies(password) == true)
        }
    }

    @Test("texts that are none, or would take long, are refused")
    func refused() {
        let bcrypt = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"
        let hash = "DGDID5YfDnHzqbUkr2ASBi/gN6Y="
        for text in [
            "", "$argon2id$v=19$x", bcrypt.replacing("$05$", with: "$15$"), bcrypt.replacing("$05$", with: "$03$"),
            bcrypt.replacing("$2a$", with: "$2x$"), bcrypt.replacing("$2a$", with: "$2$"), bcrypt + "x",
            String(bcrypt.dropLast()), bcrypt.replacing("OeW", with: "O W"), "$1$CCCCCCCC$CCCCCCCCCCCCCCCCCCCCCC",
            "$pbkdf2-sha1$i=2000001$c2FsdA==$\(hash)", "$pbkdf2-sha1$i=0$c2FsdA==$\(hash)",
            "$pbkdf2-sha1$i=999999999$c2FsdA==$\(hash)", "$pbkdf2-sha1$i=1$$\(hash)", "$pbkdf2-sha1$i=1$c2FsdA==$",
            "$pbkdf2-sha1$i=1$c2FsdA==$VawEbg==", "$pbkdf2-md5$i=1$c2FsdA==$\(hash)",
            "$pbkdf2-sha1$i=1$c2F dA==$\(hash)", "$pbkdf2-sha1$i=1$c2FsdA==$\(hash)$",
            // Of four blocks each round counts four times.
            "$pbkdf2-sha1$i=500001$c2FsdA==$" + String(repeating: "VawE", count: 21),
        ] { #expect(ImportedPassword(text) == nil, "\(text)") }
        #expect(ImportedPassword("$pbkdf2-sha1$i=500000$c2FsdA==$" + String(repeating: "VawE", count: 21)) != nil)
        #expect(ImportedPassword("$pbkdf2-sha1$i=2000000$c2FsdA==$\(hash)") != nil)
    }
}
