import Schema
import Wire

/// A person's opaque id, made by the server: 1 to 64 of [A-Za-z0-9], never reused.
public struct UserID: Hashable, Sendable {
    public let rawValue: String

    /// Returns nil if `text` cannot be a user id.
    public init?(_ text: String) {
        guard Self.isValid(text.utf8) else { return nil }
        rawValue = text
    }

    static func isValid(_ text: some Collection<UInt8>) -> Bool {
        (1...64).contains(text.count) && text.allSatisfy(isAllowed)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}

/// A conversation's id. Direct: both user ids in byte order, joined by one `_`. Group: 32 hexadecimal digits, no `_`.
/// So neither form can pass for the other, and no two pairs share an id (C1, C4).
public struct ConversationID: Hashable, Sendable {
    public let rawValue: String

    /// Makes the id of two people's direct conversation, the same in either order. For one person twice, it is the id
    /// of their notes.
    public init(_ first: UserID, _ second: UserID) {
        let inOrder = first.rawValue.utf8.lexicographicallyPrecedes(second.rawValue.utf8)
        rawValue = inOrder ? "\(first.rawValue)_\(second.rawValue)" : "\(second.rawValue)_\(first.rawValue)"
    }

    public init(group id: UUIDv7) {
        rawValue = Hex.text(id.bytes)
    }

    /// Returns nil if `text` has neither form.
    public init?(_ text: String) {
        var copy = text
        guard copy.withUTF8({ Self.isValid($0) }) else { return nil }
        rawValue = text
    }

    public var isGroup: Bool { !rawValue.utf8.contains(UInt8(ascii: "_")) }

    private static func isValid(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let underscore = text.firstIndex(of: UInt8(ascii: "_")) else {
            return text.count == 32 && text.allSatisfy(isHexDigit)
        }
        let (first, second) = (text[..<underscore], text[(underscore + 1)...])
        return UserID.isValid(first) && UserID.isValid(second) && !second.lexicographicallyPrecedes(first)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

/// The id that a client gives to a write, so that repeating the write has no further effect (RFC 9562, version 7).
public struct UUIDv7: Hashable, Sendable {
    public let bytes: [UInt8]

    /// Ids older than this are refused, so that the same id always means the same write.
    public static let oldest: Duration = .seconds(30 * 86400)
    /// Ids further ahead of the server's clock are refused.
    public static let furthest: Duration = .seconds(86400)

    /// - Throws: ``Refusal`` `invalid` when the bytes are not a UUIDv7.
    public init(_ bytes: [UInt8], field: String = "id") throws(Refusal) {
        guard bytes.count == 16, bytes[6] >> 4 == 7, bytes[8] >> 6 == 2 else {
            throw .invalid(field, "must be the 16 bytes of a UUIDv7")
        }
        self.bytes = bytes
    }

    /// When the client made it, in whole milliseconds.
    public var time: Timestamp { Timestamp(bytes[..<6].reduce(Int64(0)) { $0 << 8 | Int64($1) } * 1000) }

    /// Whether its time is within the window in which new ids are accepted.
    public func isInWindow(now: Timestamp) -> Bool {
        now - Self.oldest <= time && time <= now + Self.furthest
    }

    /// Checks that its time is within the window in which new ids are accepted.
    /// - Throws: ``Refusal`` `id_too_old` or `id_from_future`.
    public func checkWindow(now: Timestamp) throws(Refusal) {
        if time < now - Self.oldest {
            throw Refusal(
                .idTooOld, "The id is older than 30 days. Make a new one by the server's time.", field: "id")
        }
        if time > now + Self.furthest {
            throw Refusal(
                .idFromFuture, "The id is over a day ahead of the server's clock. Make ids by the server's time.",
                field: "id")
        }
    }
}
