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

    /// $1 account. Locks the head of the account's stream until the end of the transaction and returns its position.
    static let lockHead = Statement(
        """
        INSERT INTO entities.heads AS h (account, position)
        VALUES ($1, 0)
        ON CONFLICT (account) DO UPDATE
        SET position = h.position
        RETURNING position
        """
    ) { row in try row.position(0) }

    /// A reminder by its id. $1 account, $2 id.
    static let reminder = Statement(
        """
        SELECT \(reminderColumns)
        FROM \(oneRow("*", from: "entities.reminders", where: "account = $1", by: "id", is: "$2")) AS r
        LEFT JOIN conversations.conversation_ids AS c ON c.conversation = r.conversation
        """
    ) { row in try reminder(row) }

    /// Adds a reminder at the next position of the stream, whose head the caller has locked, unless there is one with
    /// this id already. $1 account, $2 id, $3 title, $4 due at, $5 time zone, $6 conversation, $7 source message, $8
    /// notification id, $9 now, $10 position, $11 whether it may be added.
    /// - Returns: the reminder with this id, and whether it was added; no row if it may not be added.
    static let addReminder = Statement(
        """
        WITH known AS MATERIALIZED \(oneRow(
            "*", from: "entities.reminders", where: "account = $1", by: "id", is: "$2"
        )),
        added AS (
            INSERT INTO entities.reminders
                (account, id, title, due_at, time_zone, conversation, source_message, notification_id, created_at,
                position)
            SELECT $1, $2, $3, $4, $5, $6, $7::uuid, $8, $9, $10
            WHERE $11
                AND NOT EXISTS (SELECT FROM known)
            RETURNING *
        ),
        advanced AS (
            UPDATE entities.heads
            SET position = $10
            WHERE account = $1
                AND EXISTS (SELECT FROM added)
        )
        SELECT \(reminderColumns), r.is_new
        FROM (
            SELECT *, true AS is_new FROM added
            UNION ALL
            SELECT *, false FROM known
        ) AS r
        LEFT JOIN conversations.conversation_ids AS c ON c.conversation = r.conversation
        """
    ) { row in (reminder: try reminder(row), isNew: try row.bool(10)) }

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

    /// Completes a locked reminder at the next position of the stream, or opens it again. $1 account, $2 id, $3 time of
    /// completion; null to open it again.
    static let completeReminder = Statement(
        """
        WITH head AS (
            UPDATE entities.heads
            SET position = position + 1
            WHERE account = $1
            RETURNING position
        ),
        r AS (
            UPDATE entities.reminders AS r
            SET completed_at = $3,
                position = h.position
            FROM head AS h
            WHERE r.account = $1
                AND r.id = $2
            RETURNING r.*
        )
        SELECT \(reminderColumns)
        FROM r
        LEFT JOIN conversations.conversation_ids AS c ON c.conversation = r.conversation
        """
    ) { row in try reminder(row) }

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
    ) { row in (epoch: try row.text(0), position: try row.position(1)) }

    /// The number of a conversation. Returns no row if the account is not a member or does not see it.
    /// $1 conversation id, $2 account.
    static let memberConversation = Statement(memberConversationQuery) { row in try row.conversation(0) }

    /// $1 conversation id, $2 account, $3 time zone. Returns the result of ``memberConversation``; null without one.
    /// Fails with `invalidParameterValue` if the time zone does not exist.
    static let check = Statement(
        """
        SELECT (
            \(memberConversationQuery)
        ), timezone($3, now())::text
        """
    ) { row in try row.optionalConversation(0) }

    private static let memberConversationQuery = """
        SELECT c.conversation
        FROM conversations.conversation_ids AS c
        CROSS JOIN LATERAL \(oneRow(
            "may_read, is_shown", from: "conversations.access",
            where: "conversation = c.conversation", by: "account", is: "$2"
        )) AS a
        WHERE c.conversation_id = $1
            AND a.may_read
            AND a.is_shown
        """

    /// Returns the reminders whose last change is still the one in the journal.
    static let currentReminders = Statement(
        """
        SELECT e.ordinal, u.user_id, r.id IS NOT NULL, \(reminderColumns)
        FROM \(replayedEntries)
        JOIN conversations.account_ids AS u ON u.account = e.subject
        LEFT JOIN LATERAL \(oneRow(
            "*", from: "entities.reminders", where: "account = e.subject", by: "position", is: "e.position"
        )) AS r ON true
        LEFT JOIN conversations.conversation_ids AS c ON c.conversation = r.conversation
        """
    ) { row in
        CurrentState(
            ordinal: Int(try row.int64(0)), owner: try row.text(1),
            state: try row.bool(2) ? try reminder(row, from: 3) : nil)
    }
}
