import Postgres

/// Erasure (A5).
extension PresenceStore {
    /// What presence keeps of one person.
    /// Each: $1 account, $2 how many rows at most.
    static let erasure: [Statement<Void>] = [
        Statement(
            """
            DELETE FROM presence.last_seen
            WHERE account = $1
                AND $2::bigint > 0
            """)
    ]
}
