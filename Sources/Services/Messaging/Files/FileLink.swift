import Schema
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
    var conversation: ConversationNumber
    var id: [UInt8]
    var expiresAt: Timestamp

    func path(key: [UInt8]) -> String {
        let payload = Self.bytes(conversation.rawValue) + id + [purpose.rawValue] + Self.bytes(expiresAt.rawValue)
        // Gateways choose a replica by the part before the last slash, so all requests for a file go to the same one.
        return Self.prefix + Hex.text(payload[..<Self.nameBytes]) + "/"
            + Hex.text(payload[Self.nameBytes...] + Sodium.authenticator(of: payload, key: key))
    }

    /// Reads a path and checks its signature and expiry.
    init(path: String, key: [UInt8], now: Timestamp) throws(Problem) {
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
            purpose: purpose, conversation: ConversationNumber(Self.number(payload[..<8])),
            id: Array(payload[8..<Self.nameBytes]),
            expiresAt: Timestamp(Self.number(payload[(Self.nameBytes + 1)...])))
        guard now < expiresAt else { throw .expired }
    }

    init(purpose: Purpose, conversation: ConversationNumber, id: [UInt8], expiresAt: Timestamp) {
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
