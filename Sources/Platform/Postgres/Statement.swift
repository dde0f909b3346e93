import Synchronization

/// An SQL statement with the decoder of its rows.
///
/// Declare it as a constant beside the type that it decodes. It is identified by its text. Each connection prepares it
/// at first use, and parameters and rows travel in binary. Never build the text from values, because each different
/// text stays in memory, here and on the server. Write one statement only, without a `;` between two.
///
/// ```swift
/// static let memberByID = Statement("""
///     SELECT name, joined_at
///     FROM conversations.members
///     WHERE id = $1
///     """) { row in Member(name: try row.text(0), joinedAt: try row.int64(1)) }
/// ```
public struct Statement<Row: Sendable>: Sendable {
    /// The text, with its identity in this process.
    public let text: StatementText
    let decode: @Sendable (borrowing RowReader) throws -> Row

    public init(_ sql: String, decode: @escaping @Sendable (borrowing RowReader) throws -> Row) {
        text = StatementText(sql)
        self.decode = decode
    }
}

extension Statement where Row == Void {
    /// Creates a statement whose rows are ignored.
    public init(_ sql: String) {
        self.init(sql) { _ in }
    }
}

/// The text of a ``Statement``.
public struct StatementText: Sendable, Hashable {
    public let sql: String
    /// Equal for equal texts, so that a connection finds a prepared statement without hashing the text.
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
