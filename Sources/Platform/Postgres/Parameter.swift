/// A value for `$n`. It is sent in binary with its own PostgreSQL type, so a statement needs no cast for it.
///
/// Text with a NUL, which PostgreSQL cannot store, and a `uuid` without exactly 16 bytes are refused before anything is
/// sent, with ``DatabaseError/Code/characterNotInRepertoire`` or ``DatabaseError/Code/invalidBinaryRepresentation``.
public enum Parameter: Sendable {
    case null
    case bool(Bool)
    case int16(Int16)
    case int32(Int32)
    case int64(Int64)
    case double(Double)
    case text(String)
    /// `bytea`
    case bytes([UInt8])
    /// 16 bytes
    case uuid([UInt8])

    case bools([Bool])
    case int16s([Int16])
    case int32s([Int32])
    case int64s([Int64])
    case doubles([Double])
    case texts([String])
    /// `bytea[]`
    case bytesArray([[UInt8]])
    case uuids([[UInt8]])

    case optionalInt32s([Int32?])
    case optionalInt64s([Int64?])
    case optionalTexts([String?])
    case optionalBytesArray([[UInt8]?])
}

extension Parameter {
    /// The value, or NULL.
    public static func optional(_ value: Bool?) -> Parameter { value.map(Parameter.bool) ?? .null }
    /// The value, or NULL.
    public static func optional(_ value: Int16?) -> Parameter { value.map(Parameter.int16) ?? .null }
    /// The value, or NULL.
    public static func optional(_ value: Int32?) -> Parameter { value.map(Parameter.int32) ?? .null }
    /// The value, or NULL.
    public static func optional(_ value: Int64?) -> Parameter { value.map(Parameter.int64) ?? .null }
    /// The value, or NULL.
    public static func optional(_ value: Double?) -> Parameter { value.map(Parameter.double) ?? .null }
    /// The value, or NULL.
    public static func optional(_ value: String?) -> Parameter { value.map(Parameter.text) ?? .null }
    /// The value, or NULL.
    public static func optional(_ value: [UInt8]?) -> Parameter { value.map(Parameter.bytes) ?? .null }
}

/// PostgreSQL's type numbers, which never change (pg_type.dat).
enum TypeID {
    static let unknown: UInt32 = 0
    static let bool: UInt32 = 16
    static let bytes: UInt32 = 17
    static let char: UInt32 = 18
    static let name: UInt32 = 19
    static let int64: UInt32 = 20
    static let int16: UInt32 = 21
    static let int32: UInt32 = 23
    static let text: UInt32 = 25
    static let oid: UInt32 = 26
    static let json: UInt32 = 114
    static let float: UInt32 = 700
    static let double: UInt32 = 701
    static let unknownText: UInt32 = 705
    static let paddedText: UInt32 = 1042
    static let boundedText: UInt32 = 1043
    static let void: UInt32 = 2278
    static let uuid: UInt32 = 2950
    static let jsonb: UInt32 = 3802

    static let bools: UInt32 = 1000
    static let bytesArray: UInt32 = 1001
    static let names: UInt32 = 1003
    static let int16s: UInt32 = 1005
    static let int32s: UInt32 = 1007
    static let texts: UInt32 = 1009
    static let int64s: UInt32 = 1016
    static let doubles: UInt32 = 1022
    static let uuids: UInt32 = 2951
}
