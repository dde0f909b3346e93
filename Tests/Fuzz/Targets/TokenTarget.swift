import Schema

@testable import ServiceKit

extension FuzzTarget {
    /// Access tokens. In mode 0 an input is a token as a client sends it. In mode 1 it is the claims, and in mode 2 the
    /// header, of a validly signed token, to get past the signature.
    static let token = FuzzTarget("token", bytesMax: 2200, seeds: tokenSeeds) { input in
        var choices = Choices(input)
        let mode = choices.byte()
        let rest = choices.all()
        let text =
            switch mode % 3 {
            case 0: String(decoding: rest, as: UTF8.self)
            case 1: signed(header: Array(goodHeader.utf8)[...], claims: rest)
            default: signed(header: rest, claims: Array(goodClaims.utf8)[...])
            }
        let checked: AccessToken
        do throws(AccessToken.Flaw) {
            checked = try AccessToken.verify(
                text, keys: ["k1": AccessToken.CheckingKey(publicKey: key.publicKey, seal: seal)], now: now)
        } catch {
            if case .unknownKey(let id) = error { try require(id != "k1", "the known key is reported as unknown") }
            return
        }
        try require(text.utf8.count <= 2048, "a token of \(text.utf8.count) bytes was accepted")
        try require(checked.expiresAt > now - .seconds(1), "an expired token was accepted")
        guard mode % 3 == 0 else { return }
        // Nobody else can have signed it, so it must equal one of the seeds.
        try require(genuine.contains(text), "a forged token was accepted")
    }

    private static let now: Timestamp = 1_800_000_000_000_000
    private static let key = Sodium.SigningKey(
        publicKey: [
            0x03, 0xA1, 0x07, 0xBF, 0xF3, 0xCE, 0x10, 0xBE, 0x1D, 0x70, 0xDD, 0x18, 0xE7, 0x4B, 0xC0, 0x99,
            0x67, 0xE4, 0xD6, 0x30, 0x9B, 0xA5, 0x0D, 0x5F, 0x1D, 0xDC, 0x86, 0x64, 0x12, 0x55, 0x31, 0xB8,
        ],
        // The bytes 0 to 31 as the seed, followed by the public key, as libsodium expects.
        secretKey: Array(0..<32) + [
            0x03, 0xA1, 0x07, 0xBF, 0xF3, 0xCE, 0x10, 0xBE, 0x1D, 0x70, 0xDD, 0x18, 0xE7, 0x4B, 0xC0, 0x99,
            0x67, 0xE4, 0xD6, 0x30, 0x9B, 0xA5, 0x0D, 0x5F, 0x1D, 0xDC, 0x86, 0x64, 0x12, 0x55, 0x31, 0xB8,
        ])
    private static let seal = [UInt8](repeating: 7, count: 32)
    private static let sealedNumber = base64(
        Sodium.seal([0, 0, 0, 0, 0, 0, 0, 7], for: Array("u7".utf8), key: seal)[...])
    private static let goodHeader = #"{"alg":"EdDSA","kid":"k1","typ":"JWT"}"#
    private static let goodClaims =
        #"{"sub":"u7","acc":"\#(sealedNumber)","dev":"d1","iat":1799999000,"exp":1800000900,"ius":1799999000000001}"#
    private static let genuine = [signed(header: Array(goodHeader.utf8)[...], claims: Array(goodClaims.utf8)[...])]

    private static func signed(header: ArraySlice<UInt8>, claims: ArraySlice<UInt8>) -> String {
        let text = base64(header) + "." + base64(claims)
        return text + "." + base64(Sodium.sign(Array(text.utf8), with: key)[...])
    }

    private static func base64(_ bytes: ArraySlice<UInt8>) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var text: [UInt8] = []
        var (held, bits): (UInt32, Int) = (0, 0)
        for byte in bytes {
            held = held << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(letters[Int(held >> UInt32(bits) & 63)])
            }
        }
        if bits > 0 { text.append(letters[Int(held << UInt32(6 - bits) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func tokenSeeds() -> [[UInt8]] {
        [
            [0] + Array(genuine[0].utf8), [0] + Array("a.b.c".utf8), [1] + Array(goodClaims.utf8),
            [2] + Array(goodHeader.utf8), [2] + Array(#"{"alg":"none","kid":"k2"}"#.utf8),
        ]
    }
}
