import Postgres

extension PresenceStore {
    /// Deletes the data that presence stores about one person (A5). $1 account, $2 the most rows to delete.
    static let eraseLastSeen = Statement<Void>(
        """
        DELETE FROM presence.last_seen
        WHERE account = $1
            AND $2::bigint > 0
        """)
}
