import Synchronization

/// One SQL statement and how to read its rows.
///
/// A constant, beside what it decodes to. Its identity is its text: it is prepared on each connection with the first
/// use there, and goes out in binary both ways. Never build one from values: each different text stays in memory, here
/// and on the server. One statement only: no `;` between two.
///
/// ```swift
/// static let memberByID = Statement("""
///     SELECT name, joined_at
///     FROM conversations.members
///     WHERE id = $1
///     """) { row in Member(name: try row.text(0), joinedAt: try row.int64(1)) }
/// ```
public struct Statement<Row: Sendable>: Sendable {
    /// The text, with what identifies it in this process.
    public let text: StatementText
    let decode: @Sendable (borrowing RowReader) throws -> Row

    public init(_ sql: String, decode: @escaping @Sendable (borrowing RowReader) throws -> Row) {
        text = StatementText(sql)
        self.decode = decode
    }
}

extension Statement where Row == Void {
    /// A statement whose rows, if any, do not matter.
    public init(_ sql: String) {
        self.init(sql) { _ in }
    }
}

/// The text of a ``Statement``.
public struct StatementText: Sendable, Hashable {
    public let sql: String
    /// The same for the same text, so that a connection finds what it has prepared without hashing the text.
    let number: Int

    private static let numbers = Mutex<[String: Int]>([:])

    init(_ sql: String) {
        self.sql = sql
        number = Self.numbers.withLock { numbers in
            if let known = numbers[sql] { return known }
            numbers[sql] = numbers.count
            return numbers.count - 1
        }
    }

    public static func == (a: StatementText, b: StatementText) -> Bool { a.number == b.number }
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
