import Postgres

/// Erasure (A5).
extension PresenceStore {
    /// Deletes the data that presence stores about one person.
    /// In each statement: $1 account, $2 the most rows to delete.
    static let erasure: [Statement<Void>] = [
        Statement(
            """
            DELETE FROM presence.last_seen
            WHERE account = $1
                AND $2::bigint > 0
            """)
    ]
}
