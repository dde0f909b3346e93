import Foundation
import Signatures
import Testing

@Suite("Signatures")
struct VerifyingKeyTests {
    /// A key and a signature that an RFC prints.
    struct Sample: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var key: @Sendable () -> VerifyingKey?
        var message: String
        var signature: String
    }

    private static let body =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    private static let modulus = bytes(
        "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZ"
            + "S-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTB"
            + "EMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91"
            + "kzk2PAcDTW9gb54h4FRWyuXpoQ")
    private static let x = bytes("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU")
    private static let y = bytes("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")
    private static let ed = bytes("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")

    static let samples = [
        Sample(
            testDescription: "RS256 of RFC 7515, A.2",
            key: { VerifyingKey(rsaModulus: modulus, exponent: [1, 0, 1]) },
            message: "eyJhbGciOiJSUzI1NiJ9.\(body)",
            signature:
                "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdb"
                + "F9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383"
                + "LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWy"
                + "wlVmtVrBp0igcN_IoypGlUPQGe77Rw"),
        Sample(
            testDescription: "ES256 of RFC 7515, A.3", key: { VerifyingKey(p256X: x, y: y) },
            message: "eyJhbGciOiJFUzI1NiJ9.\(body)",
            signature: "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"),
        Sample(
            testDescription: "EdDSA of RFC 8037, A.4", key: { VerifyingKey(ed25519: ed) },
            message: "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc",
            signature: "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"),
    ]

    private static func bytes(_ text: String) -> [UInt8] {
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        return Array(
            Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)) ?? Data())
    }

    @Test("a signature is right for its message and key, and wrong after a change of any of them", arguments: samples)
    func verifies(sample: Sample) throws {
        let key = try #require(sample.key())
        let (message, signature) = (Array(sample.message.utf8), Self.bytes(sample.signature))
        #expect(key.verifies(signature, of: message))
        #expect(!key.verifies(signature, of: message + [0]) && !key.verifies(signature, of: []))
        for index in stride(from: 0, to: signature.count, by: 7) {
            var changed = signature
            changed[index] ^= 1
            #expect(!key.verifies(changed, of: message), "byte \(index)")
        }
        for wrong in [[], Array(signature.dropLast()), signature + [0], [UInt8](repeating: 0, count: 64)] {
            #expect(!key.verifies(wrong, of: message))
        }
        for other in Self.samples where other.testDescription != sample.testDescription {
            #expect(!key.verifies(Self.bytes(other.signature), of: Array(other.message.utf8)))
        }
    }

    @Test("what is no key of the three kinds, or a weak or huge one, makes none")
    func noKeys() {
        let modulus = Self.modulus
        #expect(VerifyingKey(rsaModulus: [0, 0] + modulus, exponent: [0, 1, 0, 1]) != nil)
        for weak in [[], [1], Array(modulus.prefix(128)), [UInt8](repeating: 0xFF, count: 513)] {
            #expect(VerifyingKey(rsaModulus: weak, exponent: [1, 0, 1]) == nil)
        }
        for exponent: [UInt8] in [[], [0], [1], [2], [1, 0, 0], [1, 0, 0, 0, 1]] {
            #expect(VerifyingKey(rsaModulus: modulus, exponent: exponent) == nil, "\(exponent)")
        }
        var off = Self.y
        off[31] ^= 1
        #expect(VerifyingKey(p256X: Self.x, y: off) == nil, "a point that is not on the curve")
        #expect(VerifyingKey(p256X: Array(Self.x.dropFirst()), y: Self.y) == nil)
        let zero = [UInt8](repeating: 0, count: 32)
        #expect(VerifyingKey(p256X: zero, y: zero) == nil)
        #expect(VerifyingKey(ed25519: Array(Self.ed.dropLast())) == nil)
    }
}
