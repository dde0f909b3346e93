import Postgres
import Schema
import ServiceKit

/// All SQL of entities.
enum EntitiesStore {
    private static let reminderColumns =
        """
        r.id, r.title, r.due_at, r.time_zone, c.conversation_id, r.source_message, r.completed_at IS NOT NULL, r.created_at,
        r.notification_id, r.position
        """

    private static func reminder(_ row: borrowing RowReader) throws -> Reminder {
        Reminder(
            id: try row.uuid(0), title: try row.text(1), dueAtUs: try row.int64(2), timeZone: try row.text(3),
            conversation: try row.optionalText(4) ?? "", sourceMessage: try row.optionalUUID(5) ?? [], completed: try row.bool(6),
            createdAtUs: try row.int64(7), notificationId: try row.text(8), position: try row.int64(9))
    }

    /// The next position of the account's stream. Locks its head until the end of the transaction.
    static let advanceHead = Statement(
        """
        INSERT INTO entities.heads AS h (account, position)
        VALUES ($1, 1)
        ON CONFLICT (account) DO UPDATE
        SET position = h.position + 1
        RETURNING position
        """
    ) { row in try row.int64(0) }

    /// $1 account, $2 id.
    static let reminder = Statement(
        """
        SELECT \(reminderColumns)
        FROM entities.reminders AS r
        LEFT JOIN conversations.conversation_ids AS c ON c.conversation = r.conversation
        WHERE r.account = $1
            AND r.id = $2
        """
    ) { row in try reminder(row) }

    static let addReminder = Statement(
        """
        INSERT INTO entities.reminders
            (account, id, title, due_at, time_zone, conversation, source_message, notification_id, created_at, position)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        """)

    /// $1 account, $2 and $3 after (due, id), $4 completed or null for both, $5 conversation or null for all, $6 limit.
    static let remindersByDue = Statement(
        """
        SELECT \(reminderColumns)
        FROM entities.reminders AS r
        LEFT JOIN conversations.conversation_ids AS c ON c.conversation = r.conversation
        WHERE r.account = $1
            AND (r.due_at, r.id) > ($2, $3)
            AND r.deleted_at IS NULL
            AND ($4::boolean IS NULL OR (r.completed_at IS NOT NULL) = $4)
            AND ($5::bigint IS NULL OR r.conversation = $5)
        ORDER BY r.due_at, r.id
        LIMIT $6
        """
    ) { row in try reminder(row) }

    /// $1 account, $2 since, $3 limit.
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

    /// Fails with 22023 when there is no such zone.
    static let isTimeZone = Statement("SELECT timezone($1, now())::text") { row in try row.text(0) }

    /// $1 conversation id, $2 account. No row: not a member.
    static let memberConversation = Statement(
        """
        SELECT c.conversation
        FROM conversations.conversation_ids AS c
        JOIN conversations.access AS a ON a.conversation = c.conversation
        WHERE c.conversation_id = $1
            AND a.account = $2
            AND a.may_read
        """
    ) { row in try row.int64(0) }
}
