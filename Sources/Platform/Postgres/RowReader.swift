import CPostgres
import Glibc

/// One row, with columns numbered from 0. It reads the received bytes in place and is valid only while a statement
/// decodes them.
///
/// Each function throws ``DatabaseError/unexpected(_:)`` when the column is missing, is NULL, or has another type.
/// Integers are widened, never narrowed.
public struct RowReader: ~Copyable {
    let result: OpaquePointer
    let row: CInt

    /// The number of columns.
    public var count: Int { Int(PQnfields(result)) }

    public func isNull(_ column: Int) -> Bool { PQgetisnull(result, row, CInt(column)) != 0 }

    // MARK: Values

    public func bool(_ column: Int) throws(DatabaseError) -> Bool {
        try require(try optionalBool(column), column)
    }

    public func int16(_ column: Int) throws(DatabaseError) -> Int16 {
        guard let value = try value(column, TypeID.int16, width: 2) else { throw null(column) }
        return value.load(Int16.self)
    }

    public func int32(_ column: Int) throws(DatabaseError) -> Int32 {
        try require(try optionalInt32(column), column)
    }

    public func int64(_ column: Int) throws(DatabaseError) -> Int64 {
        try require(try optionalInt64(column), column)
    }

    public func double(_ column: Int) throws(DatabaseError) -> Double {
        try require(try optionalDouble(column), column)
    }

    /// `text`, `varchar`, `name`, `json` or `jsonb`.
    public func text(_ column: Int) throws(DatabaseError) -> String {
        try require(try optionalText(column), column)
    }

    /// `bytea`.
    public func bytes(_ column: Int) throws(DatabaseError) -> [UInt8] {
        try require(try optionalBytes(column), column)
    }

    /// 16 bytes.
    public func uuid(_ column: Int) throws(DatabaseError) -> [UInt8] {
        try require(try optionalUUID(column), column)
    }

    // MARK: Values that may be NULL

    public func optionalBool(_ column: Int) throws(DatabaseError) -> Bool? {
        try value(column, TypeID.bool, width: 1).map { $0.load(UInt8.self) != 0 }
    }

    public func optionalInt32(_ column: Int) throws(DatabaseError) -> Int32? {
        guard let value = try value(column) else { return nil }
        switch value.type {
        case TypeID.int32 where value.count == 4: return value.load(Int32.self)
        case TypeID.int16 where value.count == 2: return Int32(value.load(Int16.self))
        default: throw mismatch(column, "int32")
        }
    }

    public func optionalInt64(_ column: Int) throws(DatabaseError) -> Int64? {
        guard let value = try value(column) else { return nil }
        switch value.type {
        case TypeID.int64 where value.count == 8: return value.load(Int64.self)
        case TypeID.int32 where value.count == 4: return Int64(value.load(Int32.self))
        case TypeID.int16 where value.count == 2: return Int64(value.load(Int16.self))
        case TypeID.oid where value.count == 4: return Int64(value.load(UInt32.self))
        default: throw mismatch(column, "int64")
        }
    }

    public func optionalDouble(_ column: Int) throws(DatabaseError) -> Double? {
        guard let value = try value(column) else { return nil }
        switch value.type {
        case TypeID.double where value.count == 8: return Double(bitPattern: value.load(UInt64.self))
        case TypeID.float where value.count == 4: return Double(Float(bitPattern: value.load(UInt32.self)))
        default: throw mismatch(column, "double")
        }
    }

    public func optionalText(_ column: Int) throws(DatabaseError) -> String? {
        guard let value = try value(column) else { return nil }
        switch value.type {
        case TypeID.text, TypeID.boundedText, TypeID.name, TypeID.paddedText, TypeID.char, TypeID.json,
            TypeID.unknownText, TypeID.void:
            return value.text
        case TypeID.jsonb where value.count > 0: return value.dropFirst().text  // Skips the version byte.
        default: throw mismatch(column, "text")
        }
    }

    public func optionalBytes(_ column: Int) throws(DatabaseError) -> [UInt8]? {
        guard let value = try value(column) else { return nil }
        guard value.type == TypeID.bytes else { throw mismatch(column, "bytes") }
        return value.bytes
    }

    public func optionalUUID(_ column: Int) throws(DatabaseError) -> [UInt8]? {
        try value(column, TypeID.uuid, width: 16)?.bytes
    }

    // MARK: Access

    /// The received bytes of one value.
    struct Value {
        var start: UnsafeRawPointer
        var count: Int
        var type: UInt32

        var text: String { String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self) }
        var bytes: [UInt8] { [UInt8](UnsafeRawBufferPointer(start: start, count: count)) }

        func load<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer {
            Integer(bigEndian: start.loadUnaligned(as: Integer.self))
        }

        func dropFirst() -> Value { Value(start: start + 1, count: count - 1, type: type) }
    }

    func value(_ column: Int) throws(DatabaseError) -> Value? {
        guard column >= 0, column < count else { throw .unexpected("no column \(column); the row has \(count)") }
        guard !isNull(column) else { return nil }
        let start = PQgetvalue(result, row, CInt(column))
        return Value(
            // Never nil: libpq returns an empty string for NULL and for an empty value.
            start: UnsafeRawPointer(start!), count: Int(PQgetlength(result, row, CInt(column))),
            type: PQftype(result, CInt(column)))
    }

    private func value(_ column: Int, _ type: UInt32, width: Int) throws(DatabaseError) -> Value? {
        guard let value = try value(column) else { return nil }
        guard value.type == type, value.count == width else { throw mismatch(column, "type \(type)") }
        return value
    }

    private func require<T>(_ value: T?, _ column: Int) throws(DatabaseError) -> T {
        guard let value else { throw null(column) }
        return value
    }

    func name(_ column: Int) -> String {
        "column \(column)" + (PQfname(result, CInt(column)).map { " (\(String(cString: $0)))" } ?? "")
    }

    func null(_ column: Int) -> DatabaseError { .unexpected("\(name(column)) is NULL") }

    func mismatch(_ column: Int, _ wanted: String) -> DatabaseError {
        .unexpected("\(name(column)) has type \(PQftype(result, CInt(column))), not \(wanted)")
    }
}
