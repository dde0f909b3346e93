import Postgres

extension PresenceStore {
    /// Deletes the data that presence stores about one person (A5). $1 account, $2 the most rows to delete.
    static let eraseLastSeen = Statement<Void>(
        """
        DELETE FROM presence.last_seen
        WHERE account = $1
            AND $2::bigint > 0
        """)

    /// Deletes when a person was last seen before blocks. $1 account, $2 the most rows to delete.
    static let eraseFrozen = Statement<Void>(
        """
        DELETE FROM presence.frozen
        WHERE account = $1
            AND at IN (SELECT at FROM presence.frozen WHERE account = $1 LIMIT $2)
        """)

    /// Deletes what a person says of themselves. $1 account, $2 the most rows to delete.
    static let eraseOwn = Statement<Void>(
        """
        DELETE FROM presence.people
        WHERE account = $1
            AND $2::bigint > 0
        """)
}
