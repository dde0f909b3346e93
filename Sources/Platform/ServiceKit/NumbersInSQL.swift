import Postgres
import Schema

/// Numbers and times as parameters.
extension Parameter {
    public static func number(_ number: some TypedNumber) -> Parameter { .int64(number.rawValue) }

    /// The number, or NULL.
    public static func optional(_ number: (some TypedNumber)?) -> Parameter { .optional(number?.rawValue) }

    /// Batches write `.int64s(items.map(\.seq.rawValue))` instead, to make one array of thousands rather than two.
    @inlinable
    public static func numbers(_ numbers: some Sequence<some TypedNumber>) -> Parameter {
        .int64s(numbers.map(\.rawValue))
    }

    public static func optionalNumbers(_ numbers: [(some TypedNumber)?]) -> Parameter {
        .optionalInt64s(numbers.map { $0?.rawValue })
    }
}

/// Columns of numbers and times.
extension RowReader {
    public func account(_ column: Int) throws(DatabaseError) -> AccountNumber { AccountNumber(try int64(column)) }

    public func conversation(_ column: Int) throws(DatabaseError) -> ConversationNumber {
        ConversationNumber(try int64(column))
    }

    public func seq(_ column: Int) throws(DatabaseError) -> Seq { Seq(try int64(column)) }

    public func position(_ column: Int) throws(DatabaseError) -> Position { Position(try int64(column)) }

    public func time(_ column: Int) throws(DatabaseError) -> Timestamp { Timestamp(try int64(column)) }

    public func times(_ column: Int) throws(DatabaseError) -> [Timestamp] {
        try int64s(column).map { Timestamp($0) }
    }

    public func audience(_ column: Int) throws(DatabaseError) -> Audience { Audience(try int64s(column)) }

    // MARK: Values that may be NULL

    public func optionalAccount(_ column: Int) throws(DatabaseError) -> AccountNumber? {
        try optionalInt64(column).map { AccountNumber($0) }
    }

    public func optionalSeq(_ column: Int) throws(DatabaseError) -> Seq? { try optionalInt64(column).map { Seq($0) } }

    public func optionalPosition(_ column: Int) throws(DatabaseError) -> Position? {
        try optionalInt64(column).map { Position($0) }
    }

    public func optionalTime(_ column: Int) throws(DatabaseError) -> Timestamp? {
        try optionalInt64(column).map { Timestamp($0) }
    }
}
