import Postgres
import ServiceKit

extension PresenceStore {
    /// Deletes the data that presence stores about one person (A5). $1 account, $2 the most rows to delete.
    static let eraseLastSeen = erasing("presence.last_seen")

    /// Deletes when a person was last seen before blocks. $1 account, $2 the most rows to delete.
    static let eraseFrozen = Statement<Void>(
        """
        DELETE FROM presence.frozen
        WHERE account = $1
            AND at IN (SELECT at FROM presence.frozen WHERE account = $1 LIMIT $2)
        """)

    /// Deletes what a person says of themselves. $1 account, $2 the most rows to delete.
    static let eraseOwn = erasing("presence.people")
}
