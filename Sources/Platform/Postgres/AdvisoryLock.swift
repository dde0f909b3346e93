/// Classes of advisory locks, which all schemas of a database share. A class is the first of a lock's two keys. SQL
/// files write it as `{AdvisoryLock.head}`.
public enum AdvisoryLock: Int32, CaseIterable, Sendable {
    /// Migrating a schema, and making the roles. Second key: the schema.
    case migrations = 7301
    /// A lane, held as long as its connection. Second key: schema and number.
    case lane = 7302
    /// Making the head of a conversation. Second key: `hashint8(conversation)`.
    case head = 7303
    /// Keeping a journal's partitions. Second key: `hashtext(schema)`.
    case journal = 7304
    /// The relation of two people. Second key: the two ids.
    case pair = 7305
    /// Emptying messages that have disappeared. Second key: `hashtext('messaging')`.
    case retention = 7306
    /// Indexing the words of a conversation. Second key: `hashint8(conversation)`.
    case words = 7307
    /// Making the head of a person's stream. Second key: `hashint8(account)`.
    case personHead = 7308
    /// Doing what is due. Second key: `hashtext(schema)`.
    case schedule = 7309

    static func migrationsKey(schema: String) -> Int32 {
        Int32(truncatingIfNeeded: hash(schema))
    }

    static func laneKey(schema: String, lane: Int) -> Int32 {
        Int32(truncatingIfNeeded: (hash(schema) & 0xffff) << 16 | UInt64(lane))
    }

    /// FNV-1a, 64 bits.
    static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}

extension String {
    /// The string as an SQL identifier.
    var quotedIdentifier: String {
        "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// The string as an SQL string literal.
    var quotedLiteral: String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }
}
