/// Keys of advisory locks, which all schemas of a database share.
enum AdvisoryLock {
    static let migrations: Int32 = 7301
    static let lanes: Int32 = 7302

    static func migrationsKey(schema: String) -> Int32 {
        Int32(truncatingIfNeeded: hash(schema))
    }

    static func laneKey(schema: String, lane: Int) -> Int32 {
        Int32(truncatingIfNeeded: (hash(schema) & 0xffff) << 16 | UInt64(lane))
    }

    /// FNV-1a, 64 bits.
    private static func hash(_ text: String) -> UInt64 {
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
