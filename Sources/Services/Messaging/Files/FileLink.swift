import ServiceKit

/// A path that gives the right to upload or download one file for some minutes. Pure.
///
/// Anyone who has the path has the right. The service makes it for people who may use the file and signs it with a key
/// that only replicas of messaging have. The path contains only numbers, never a name or other text from clients.
struct FileLink: Equatable, Sendable {
    enum Purpose: UInt8, Sendable {
        case upload = 1
        case download = 2
    }

    enum Problem: Error, Equatable {
        /// Not signed by this server, or changed.
        case forged
        case expired
    }

    static let prefix = "/v1/files/"
    private static let nameBytes = 8 + 16
    private static let payloadBytes = nameBytes + 1 + 8
    private static let signatureBytes = 32

    var purpose: Purpose
    var conversation: Int64
    var id: [UInt8]
    var expiresAt: Int64

    func path(key: [UInt8]) -> String {
        let payload = Self.bytes(conversation) + id + [purpose.rawValue] + Self.bytes(expiresAt)
        // Gateways choose a replica by the part before the last slash, so all requests for a file go to the same one.
        return Self.prefix + Hex.text(payload[..<Self.nameBytes]) + "/"
            + Hex.text(payload[Self.nameBytes...] + Sodium.authenticator(of: payload, key: key))
    }

    /// Reads a path and checks its signature and expiry.
    init(path: String, key: [UInt8], now: Int64) throws(Problem) {
        let path = path.prefix { $0 != "?" }
        let parts = path.dropFirst(Self.prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        guard path.hasPrefix(Self.prefix), parts.count == 2, parts[0].utf8.count == 2 * Self.nameBytes,
            let bytes = Hex.bytes(parts[0] + parts[1]), bytes.count == Self.payloadBytes + Self.signatureBytes
        else { throw .forged }
        let payload = Array(bytes[..<Self.payloadBytes])
        guard Sodium.isAuthenticator(Array(bytes[Self.payloadBytes...]), of: payload, key: key),
            let purpose = Purpose(rawValue: payload[Self.nameBytes])
        else { throw .forged }
        self.init(
            purpose: purpose, conversation: Self.number(payload[..<8]), id: Array(payload[8..<Self.nameBytes]),
            expiresAt: Self.number(payload[(Self.nameBytes + 1)...]))
        guard now < expiresAt else { throw .expired }
    }

    init(purpose: Purpose, conversation: Int64, id: [UInt8], expiresAt: Int64) {
        (self.purpose, self.conversation) = (purpose, conversation)
        (self.id, self.expiresAt) = (id, expiresAt)
    }

    private static func bytes(_ number: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * Int64($0))) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.reduce(0) { $0 << 8 | Int64($1) }
    }
}

/// Lower-case hexadecimal digits.
enum Hex {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Returns nil unless the text is an even number of lower-case digits.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
