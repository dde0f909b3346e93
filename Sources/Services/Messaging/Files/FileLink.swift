import Schema
import ServiceKit

/// A path that gives the right to upload or download one file for some minutes. Pure.
///
/// Anyone who has the path has the right. The service makes it for people who may use the file and seals it with a key
/// that only replicas of messaging have, so that nobody else can read or make one.
struct FileLink: Equatable, Sendable {
    enum Purpose: UInt8, Sendable {
        case upload = 1
        case download = 2
    }

    enum Problem: Error, Equatable {
        /// Not sealed by this server, or changed.
        case forged
        case expired
    }

    static let prefix = "/v1/files/"
    private static let namePurpose = Array("file".utf8)

    var purpose: Purpose
    var conversation: ConversationNumber
    var id: [UInt8]
    /// Whom it was made for.
    var account: AccountNumber
    var expiresAt: Timestamp

    func path(key: [UInt8]) -> String {
        // Gateways choose a replica by the part before the last slash. It is the same for all requests for a file.
        let name = Sodium.seal(Self.bytes(conversation.rawValue) + id, for: Self.namePurpose, key: key)
        let right = Sodium.seal(
            [purpose.rawValue] + Self.bytes(expiresAt.rawValue) + Self.bytes(account.rawValue), for: name, key: key)
        return Self.prefix + Hex.text(name) + "/" + Hex.text(right)
    }

    /// Reads a path and checks that the key sealed it, and its expiry.
    init(path: String, key: [UInt8], now: Timestamp) throws(Problem) {
        let path = path.prefix { $0 != "?" }
        let parts = path.dropFirst(Self.prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        guard path.hasPrefix(Self.prefix), parts.count == 2,
            let name = Hex.bytes(parts[0]), let right = Hex.bytes(parts[1]),
            let file = Sodium.open(name, for: Self.namePurpose, key: key), file.count == 8 + 16,
            let rest = Sodium.open(right, for: name, key: key), rest.count == 1 + 8 + 8,
            let purpose = Purpose(rawValue: rest[0])
        else { throw .forged }
        self.init(
            purpose: purpose, conversation: ConversationNumber(Self.number(file[..<8])), id: Array(file[8...]),
            account: AccountNumber(Self.number(rest[9...])), expiresAt: Timestamp(Self.number(rest[1..<9])))
        guard now < expiresAt else { throw .expired }
    }

    init(
        purpose: Purpose, conversation: ConversationNumber, id: [UInt8], account: AccountNumber, expiresAt: Timestamp
    ) {
        (self.purpose, self.conversation, self.account) = (purpose, conversation, account)
        (self.id, self.expiresAt) = (id, expiresAt)
    }

    private static func bytes(_ number: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * Int64($0))) }
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.reduce(0) { $0 << 8 | Int64($1) }
    }
}

/// The path by which an import uploads a file. No key seals it, but it has the object's name, 122 random bits that only
/// the database tells. It gives a right to a file that is not complete. Pure.
struct ImportLink: Equatable, Sendable {
    var conversation: ConversationNumber
    var id: [UInt8]
    var object: String

    /// Nil for a path of another form.
    init?(path: String) {
        let parts = path.prefix { $0 != "?" }.dropFirst(FileLink.prefix.count)
            .split(separator: "/", omittingEmptySubsequences: false)
        guard path.hasPrefix(FileLink.prefix), parts.count == 2, let file = Hex.bytes(parts[0]), file.count == 8 + 16,
            Hex.bytes(parts[1])?.count == 16
        else { return nil }
        (conversation, id) = (ConversationNumber(FileLink.number(file[..<8])), Array(file[8...]))
        object = String(parts[1])
    }

    /// The link that an upload has, once the object is the right one. No account's: it counts for nobody.
    func upload(until end: Timestamp) -> FileLink {
        FileLink(purpose: .upload, conversation: conversation, id: id, account: AccountNumber(0), expiresAt: end)
    }
}
