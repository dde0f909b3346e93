import Testing

@testable import Signatures

@Suite("Passwords of Firebase")
struct FirebasePasswordTests {
    private static let signer =
        "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
    private static let hash =
        "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="

    private func stored(_ hash: String = hash, settings: String = "ln=14,r=8", salt: String = "42xEC+ixf3L2lw==")
        -> String
    {
        "$firebase-scrypt$\(settings)$Bw==$\(Self.signer)$\(salt)$\(hash)"
    }

    @Test("T3 the vector that Firebase publishes is verified, and no other password, salt or setting")
    func vector() throws {
        let password = try #require(FirebasePassword(stored()))
        #expect(password.verifies("user1password"))
        #expect(!password.verifies("user1passwore") && !password.verifies(""))
        #expect(FirebasePassword(stored(settings: "ln=13,r=8"))?.verifies("user1password") == false)
        #expect(FirebasePassword(stored(salt: "42xEC+ixf3L2lg=="))?.verifies("user1password") == false)
    }

    @Test("a text that is none, or asks for too much, is refused")
    func refused() {
        for text in [
            "", "$argon2id$v=19$x", stored("AAAA"), stored(settings: "ln=30,r=8"), stored(settings: "ln=14,r=9"),
            stored(settings: "ln=0,r=1"), stored("not base 64!"), stored() + "$more",
        ] { #expect(FirebasePassword(text) == nil, "\(text)") }
    }
}
