import Foundation
import ParleyClient

/// The id of a person.
///
///     let stored = ada.id.rawValue
///     #expect(UserID(rawValue: stored) == ada.id)
public struct UserID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }
}

/// The id of a conversation.
///
///     let id = ConversationID.direct(me.id, ada.id)
///     #expect(parley.conversation(id) === parley.inbox.conversations.first)
public struct ConversationID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The direct conversation of two people, whoever starts it. With the same person twice, their notes to themselves.
    public static func direct(_ one: UserID, _ other: UserID) -> ConversationID {
        let ids = [one.rawValue, other.rawValue].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return ConversationID(rawValue: ids.joined(separator: "_"))
    }

    public var description: String { rawValue }
}

/// The id of a message. The device that sends a message makes its id, so it is known before the server answers.
///
///     let link = "myapp://message/\(message.id)"
///     let named = link.split(separator: "/").last.flatMap { MessageID(String($0)) }
///     #expect(named == message.id)
public struct MessageID: Hashable, Sendable, Codable, LosslessStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// Creates an id from 32 hexadecimal digits, with hyphens between them or without; nil if they are not.
    public init?(_ description: String) {
        guard let bytes = Bytes16(hexadecimal: description) else { return nil }
        (high, low) = (bytes.high, bytes.low)
    }

    /// Creates a new id, for previews and tests.
    public init() { self.init(UUID().bytes16) }

    init(_ data: Data) {
        let bytes = Bytes16(data)
        (high, low) = (bytes.high, bytes.low)
    }

    package init(_ id: UUIDv7) { self.init(Data(id.bytes)) }

    var data: Data { Bytes16(high: high, low: low).data }

    /// 32 lower-case hexadecimal digits.
    public var description: String { data.hexDigits }

    public init(from decoder: any Decoder) throws { self = try .init(textIn: decoder) }

    /// Writes ``description``.
    public func encode(to encoder: any Encoder) throws { try encodeText(to: encoder) }
}

/// The id of a reminder, decision, event or suggestion.
///
///     let path = "/events/\(event.id)"
///     let named = path.split(separator: "/").last.flatMap { EventID(String($0)) }
///     #expect(named == event.id)
public struct EntityID<Entity>: Hashable, Sendable, Codable, LosslessStringConvertible {
    let data: Data

    /// Creates an id from 32 hexadecimal digits, with hyphens between them or without; nil if they are not.
    public init?(_ description: String) {
        guard let bytes = Bytes16(hexadecimal: description) else { return nil }
        data = bytes.data
    }

    /// Creates a new id, for previews and tests.
    public init() { data = UUID().bytes16 }

    init(_ data: Data) { self.data = data }

    /// 32 lower-case hexadecimal digits.
    public var description: String { data.hexDigits }

    public init(from decoder: any Decoder) throws { self = try .init(textIn: decoder) }

    /// Writes ``description``.
    public func encode(to encoder: any Encoder) throws { try encodeText(to: encoder) }

    static func < (one: EntityID, other: EntityID) -> Bool { one.data.lexicographicallyPrecedes(other.data) }
}

extension LosslessStringConvertible {
    /// Reads what ``encodeText(to:)`` wrote.
    fileprivate init(textIn decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let text = try value.decode(String.self)
        guard let id = Self(text) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "\(text) is not 32 hexadecimal digits.")
        }
        self = id
    }

    fileprivate func encodeText(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(description)
    }
}

/// The id of a reminder.
public typealias ReminderID = EntityID<Reminder>
/// The id of a decision.
public typealias DecisionID = EntityID<Decision>
/// The id of an event.
public typealias EventID = EntityID<Event>
/// The id of a suggestion.
public typealias SuggestionID = EntityID<Suggestion>

/// The 16 bytes of an id as two numbers, which are quickly hashed and compared.
struct Bytes16 {
    var high: UInt64
    var low: UInt64

    init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// Takes the first 16 bytes. Those that are missing are zero.
    init(_ data: Data) {
        (high, low) = (0, 0)
        data.withUnsafeBytes { bytes in
            withUnsafeMutableBytes(of: &self) { $0.copyMemory(from: .init(rebasing: bytes.prefix(16))) }
        }
        (high, low) = (UInt64(bigEndian: high), UInt64(bigEndian: low))
    }

    init?(hexadecimal text: String) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        guard digits.count == 32, let high = UInt64(String(decoding: digits.prefix(16), as: UTF8.self), radix: 16),
            let low = UInt64(String(decoding: digits.suffix(16), as: UTF8.self), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    var data: Data {
        var bytes = Data(capacity: 16)
        for half in [high, low] { withUnsafeBytes(of: half.bigEndian) { bytes.append(contentsOf: $0) } }
        return bytes
    }
}

extension Date {
    /// A time of the server, in microseconds UTC.
    init(microseconds: Int64) { self.init(timeIntervalSince1970: Double(microseconds) / 1_000_000) }

    /// A time of the server, in microseconds UTC; nil when it is zero.
    init?(set microseconds: Int64) {
        guard microseconds != 0 else { return nil }
        self.init(microseconds: microseconds)
    }

    /// The time in microseconds UTC.
    var microseconds: Int64 { Int64((timeIntervalSince1970 * 1_000_000).rounded()) }
}

extension UUID {
    fileprivate var bytes16: Data { withUnsafeBytes(of: uuid) { Data($0) } }
}
