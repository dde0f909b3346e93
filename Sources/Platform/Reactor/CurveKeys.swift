import CZeroMQ

/// The public half of a CURVE key pair, the identity of a process on the links. Written as 40 characters of Z85.
public struct CurvePublicKey: Hashable, Sendable, CustomStringConvertible {
    public let text: String
    let bytes: [UInt8]

    /// - Returns: nil when `text` is not 40 characters of Z85.
    public init?(_ text: String) {
        guard let bytes = Z85.decode(text) else { return nil }
        self.text = text
        self.bytes = bytes
    }

    /// - Returns: nil when there are not 32 bytes.
    init?(bytes: [UInt8]) {
        guard bytes.count == Z85.keyBytes else { return nil }
        text = Z85.encode(bytes)
        self.bytes = bytes
    }

    public var description: String { text }
}

/// The secret half. It prints as "(secret)", even as a part of another value.
public struct CurveSecretKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// The key in Z85, for the file that stores it.
    public let revealed: String

    /// - Returns: nil when `text` is not 40 characters of Z85.
    public init?(_ text: String) {
        guard Z85.decode(text) != nil else { return nil }
        revealed = text
    }

    public var description: String { "(secret)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A process's own key pair.
public struct CurveKeyPair: Sendable {
    public let publicKey: CurvePublicKey
    public let secretKey: CurveSecretKey

    /// Creates the pair of a secret key.
    public init(_ secretKey: CurveSecretKey) {
        var publicText = [CChar](repeating: 0, count: Z85.textBytes + 1)
        let code = zmq_curve_public(&publicText, secretKey.revealed)
        guard code == 0, let key = CurvePublicKey(Self.string(publicText)) else {
            preconditionFailure("zmq_curve_public: libzmq was built without CURVE")  // The text was checked.
        }
        publicKey = key
        self.secretKey = secretKey
    }

    /// Makes a new pair from the system's randomness.
    public static func make() -> CurveKeyPair {
        var publicText = [CChar](repeating: 0, count: Z85.textBytes + 1)
        var secretText = publicText
        let code = zmq_curve_keypair(&publicText, &secretText)
        guard code == 0, let secret = CurveSecretKey(string(secretText)) else {
            preconditionFailure("zmq_curve_keypair: libzmq was built without CURVE")
        }
        return CurveKeyPair(secret)
    }

    private static func string(_ characters: [CChar]) -> String {
        String(decoding: characters.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// The text form of keys from ZeroMQ's RFC 32, with 5 characters for 4 bytes.
enum Z85 {
    static let keyBytes = 32
    static let textBytes = 40

    private static let alphabet = Array(
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#".utf8)
    private static let values: [UInt8: UInt64] = .init(
        uniqueKeysWithValues: alphabet.enumerated().map { ($1, UInt64($0)) })

    /// Encodes any multiple of four bytes.
    static func encode(_ bytes: [UInt8]) -> String {
        var characters: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 4) {
            var word = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            var five: [UInt8] = []
            for _ in 0..<5 {
                five.append(alphabet[word % 85])
                word /= 85
            }
            characters += five.reversed()
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Returns the 32 bytes of a key, or nil when `text` is not a key.
    static func decode(_ text: String) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count == textBytes else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(keyBytes)
        for start in stride(from: 0, to: textBytes, by: 5) {
            var word: UInt64 = 0
            for character in characters[start..<start + 5] {
                guard let value = values[character] else { return nil }
                word = word * 85 + value
            }
            guard let word = UInt32(exactly: word) else { return nil }
            withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }
}
