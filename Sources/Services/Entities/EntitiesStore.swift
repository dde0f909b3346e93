import Postgres
import Schema
import ServiceKit

/// All SQL of entities.
enum EntitiesStore {
    static let reminderColumns =
        """
        r.id, r.title, r.due_at, r.time_zone, c.conversation_id, r.source_message, r.completed_at IS NOT NULL, r.created_at,
        r.notification_id, r.position
        """

    static func reminder(_ row: borrowing RowReader, from column: Int = 0) throws -> Reminder {
        Reminder(
            id: try row.uuid(column), title: try row.text(column + 1), dueAtUs: try row.int64(column + 2),
            timeZone: try row.text(column + 3), conversation: try row.optionalText(column + 4) ?? "",
            sourceMessage: try row.optionalUUID(column + 5) ?? [], completed: try row.bool(column + 6),
            createdAtUs: try row.int64(column + 7), notificationId: try row.text(column + 8),
            position: try row.int64(column + 9))
    }

    /// Advances the position of the account's stream and returns it. Locks the head until the end of the transaction.
    static let advanceHead = Statement(
        """
        INSERT INTO entities.heads AS h (account, position)
        VALUES ($1, 1)
        ON CONFLICT (account) DO UPDATE
        SET position = h.position + 1
        RETURNING position
        """
    ) { row in try row.int64(0) }

    /// A reminder by its id. $1 account, $2 id.
    static let reminder = Statement(
        """
        SELECT \(reminderColumns)
        FROM entities.reminders AS r
        LEFT JOIN conversations.conversation_ids AS c ON c.conversation = r.conversation
        WHERE r.account = $1
            AND r.id BETWEEN $2 AND $2
        ORDER BY r.id
        LIMIT 1
        """
    ) { row in try reminder(row) }

    static let addReminder = Statement(
        """
        INSERT INTO entities.reminders
            (account, id, title, due_at, time_zone, conversation, source_message, notification_id, created_at, position)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        """)

    /// Locks a reminder until the end of the transaction and returns whether it is completed. $1 account, $2 id.
    static let lockReminder = Statement(
        """
        SELECT completed_at IS NOT NULL
        FROM entities.reminders
        WHERE account = $1
            AND id = $2
            AND deleted_at IS NULL
        FOR UPDATE
        """
    ) { row in try row.bool(0) }

    /// $1 account, $2 id, $3 time of completion, or null to open it again, $4 position.
    static let completeReminder = Statement(
        """
        UPDATE entities.reminders
        SET completed_at = $3,
            position = $4
        WHERE account = $1
            AND id = $2
        """)

    /// A page of an account's reminders by due time. Each combination has its own statement, so that each uses its
    /// index.
    ///
    /// $1 account, $2 and $3 after (due, id), $4 limit, $5 conversation (only with `inConversation`).
    /// - Parameter completed: nil for both completed and open reminders.
    static func remindersByDue(completed: Bool?, inConversation: Bool) -> Statement<Reminder> {
        switch (completed, inConversation) {
        case (nil, false): all
        case (false, false): open
        case (true, false): completedOnly
        case (nil, true): allOfConversation
        case (false, true): openOfConversation
        case (true, true): completedOfConversation
        }
    }

    private static let all = byDue("")
    private static let open = byDue("AND r.completed_at IS NULL")
    private static let completedOnly = byDue("AND r.completed_at IS NOT NULL")
    private static let allOfConversation = byDue("AND r.conversation = $5")
    private static let openOfConversation = byDue("AND r.conversation = $5 AND r.completed_at IS NULL")
    private static let completedOfConversation = byDue("AND r.conversation = $5 AND r.completed_at IS NOT NULL")

    private static func byDue(_ condition: String) -> Statement<Reminder> {
        Statement(
            """
            SELECT \(reminderColumns)
            FROM entities.reminders AS r
            LEFT JOIN conversations.conversation_ids AS c ON c.conversation = r.conversation
            WHERE r.account = $1
                AND (r.due_at, r.id) > ($2, $3)
                AND r.deleted_at IS NULL
                \(condition)
            ORDER BY r.due_at, r.id
            LIMIT $4
            """
        ) { row in try reminder(row) }
    }

    /// Reminders changed since a position, in order of position. $1 account, $2 position, $3 limit.
    static let changedReminders = Statement(
        """
        SELECT \(reminderColumns)
        FROM entities.reminders AS r
        LEFT JOIN conversations.conversation_ids AS c ON c.conversation = r.conversation
        WHERE r.account = $1
            AND r.position > $2
        ORDER BY r.position
        LIMIT $3
        """
    ) { row in try reminder(row) }

    static let streamHead = Statement(
        """
        SELECT entities.epoch(), COALESCE((SELECT position FROM entities.heads WHERE account = $1), 0)
        """
    ) { row in (epoch: try row.text(0), position: try row.int64(1)) }

    /// Fails with 22023 if the time zone does not exist.
    static let isTimeZone = Statement("SELECT timezone($1, now())::text") { row in try row.text(0) }

    /// The number of a conversation. Returns no row if the account is not a member or does not see it.
    /// $1 conversation id, $2 account.
    static let memberConversation = Statement(
        """
        SELECT c.conversation
        FROM conversations.conversation_ids AS c
        CROSS JOIN LATERAL (
            SELECT may_read, place
            FROM conversations.access
            WHERE conversation = c.conversation
                AND account BETWEEN $2 AND $2
            ORDER BY account
            LIMIT 1
        ) AS a
        WHERE c.conversation_id = $1
            AND a.may_read
            AND a.place BETWEEN 1 AND 4
        """
    ) { row in try row.int64(0) }
}
