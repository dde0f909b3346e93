import Postgres
import Schema
import ServiceKit

/// The SQL of reminders.
enum RemindersStore {
    private static let columns =
        """
        r.id, r.title, r.due_at, r.time_zone, c.conversation_id, r.source_message, r.completed_at IS NOT NULL,
        r.created_at, r.notification_id, r.position, r.fired_at, r.deleted_at, r.due_civil
        """

    private static func reminder(_ row: borrowing RowReader, from column: Int = 0) throws -> Reminder {
        Reminder(
            id: try row.uuid(column), title: try row.text(column + 1), dueAtUs: try row.int64(column + 2),
            timeZone: try row.text(column + 3), conversation: try row.optionalText(column + 4) ?? "",
            sourceMessage: try row.optionalUUID(column + 5) ?? [], completed: try row.bool(column + 6),
            createdAtUs: try row.int64(column + 7), notificationId: try row.text(column + 8),
            position: try row.int64(column + 9), firedAtUs: try row.optionalInt64(column + 10) ?? 0,
            deletedAtUs: try row.optionalInt64(column + 11) ?? 0,
            dueLocal: try row.optionalInt64(column + 12).map { CivilTime($0).text } ?? "")
    }

    /// A reminder by its id, also a deleted one. $1 account, $2 id.
    static let reminder = Statement(
        """
        SELECT \(columns)
        FROM \(oneRow("*", from: "entities.reminders", where: "account = $1", by: "id", is: "$2")) AS r
        LEFT JOIN conversations.conversation_ids AS c ON c.conversation = r.conversation
        """
    ) { row in try reminder(row) }

    // MARK: Changes

    /// Adds a reminder at the next position of the stream, whose head the caller has locked, unless there is one with
    /// this id already. $1 account, $2 id, $3 title, $4 due at, $5 time zone, $6 conversation, $7 source message, $8
    /// notification id, $9 now, $10 position, $11 whether it may be added, $12 due on the wall, $13 offset, $14 version
    /// of the rules, $15 the most open reminders.
    /// - Returns: the reminder with this id, and whether it was added; no row if it may not be added.
    static let add = Statement(
        """
        WITH known AS MATERIALIZED \(oneRow(
            "*", from: "entities.reminders", where: "account = $1", by: "id", is: "$2"
        )),
        added AS (
            INSERT INTO entities.reminders
                (account, id, title, due_at, time_zone, conversation, source_message, notification_id, created_at,
                position, due_civil, utc_offset, zone_rules)
            SELECT $1, $2, $3, $4, $5, $6, $7::uuid, $8, $9, $10, $12, $13, $14
            WHERE $11
                AND NOT EXISTS (SELECT FROM known)
                AND NOT \(areMany("$15"))
            RETURNING *
        ),
        advanced AS (
            UPDATE entities.heads
            SET position = $10
            WHERE account = $1
                AND EXISTS (SELECT FROM added)
        )
        SELECT \(columns), r.is_new
        FROM (
            SELECT *, true AS is_new FROM added
            UNION ALL
            SELECT *, false FROM known
        ) AS r
        LEFT JOIN conversations.conversation_ids AS c ON c.conversation = r.conversation
        """
    ) { row in (reminder: try reminder(row), isNew: try row.bool(13)) }

    /// $1 account, $2 the most open reminders: whether there are as many.
    static let areMany = Statement("SELECT \(areMany("$2"))") { row in try row.bool(0) }

    /// Whether account $1 has a number of open reminders.
    private static func areMany(_ count: String) -> String {
        """
        EXISTS (
            SELECT
            FROM entities.reminders
            WHERE account = $1
                AND deleted_at IS NULL
                AND completed_at IS NULL
            OFFSET \(count)::bigint - 1
        )
        """
    }

    private static let storedColumns = """
        title, due_at, due_civil, utc_offset, time_zone, zone_rules, notification_id, completed_at, fired_at, deleted_at
        """

    /// - Parameter column: the first of ``storedColumns``.
    private static func stored(_ row: borrowing RowReader, from column: Int = 0) throws -> StoredReminder {
        let instant = try row.time(column + 1)
        let time = ZonedTime(
            instant: instant, civil: CivilTime(try row.optionalInt64(column + 2) ?? instant.rawValue),
            offset: Int64(try row.optionalInt32(column + 3) ?? 0))
        return StoredReminder(
            title: try row.text(column),
            due: Due(time: time, zone: try row.text(column + 4), rules: try row.text(column + 5)),
            notification: try row.text(column + 6), completedAt: try row.optionalTime(column + 7),
            firedAt: try row.optionalTime(column + 8), deletedAt: try row.optionalTime(column + 9))
    }

    /// Locks a reminder until the end of the transaction. $1 account, $2 id. Returns it with the current time by the
    /// clock of the database.
    static let lock = Statement(
        """
        SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, \(storedColumns)
        FROM entities.reminders
        WHERE account = $1
            AND id = $2
        FOR UPDATE
        """
    ) { row in (now: try row.time(0), reminder: try stored(row, from: 1)) }

    /// Changes a locked reminder at the next position of the stream. $1 account, $2 id, $3 title, $4 due at, $5 time
    /// zone, $6 notification id, $7 completed at, $8 fired at, $9 deleted at, $10 due on the wall, $11 offset, $12
    /// version of the rules.
    static let change = Statement(
        """
        WITH head AS (
            UPDATE entities.heads
            SET position = position + 1
            WHERE account = $1
            RETURNING position
        ),
        r AS (
            UPDATE entities.reminders AS r
            SET title = $3,
                due_at = $4,
                time_zone = $5,
                notification_id = $6,
                completed_at = $7,
                fired_at = $8,
                deleted_at = $9,
                due_civil = $10,
                utc_offset = $11,
                zone_rules = $12,
                conversation = CASE WHEN $9::bigint IS NULL THEN r.conversation END,
                source_message = CASE WHEN $9::bigint IS NULL THEN r.source_message END,
                position = h.position
            FROM head AS h
            WHERE r.account = $1
                AND r.id = $2
            RETURNING r.*
        )
        SELECT \(columns)
        FROM r
        LEFT JOIN conversations.conversation_ids AS c ON c.conversation = r.conversation
        """
    ) { row in try reminder(row) }

    /// The parameters of ``change`` from $3 on.
    static func parameters(_ reminder: StoredReminder) -> [Parameter] {
        [
            .text(reminder.title), .number(reminder.due.instant), .text(reminder.due.zone),
            .text(reminder.notification), .optional(reminder.completedAt), .optional(reminder.firedAt),
            .optional(reminder.deletedAt), .number(reminder.due.time.civil), .int32(Int32(reminder.due.time.offset)),
            .text(reminder.due.rules),
        ]
    }

    // MARK: Firing

    private static let isPending = "fired_at IS NULL AND completed_at IS NULL AND deleted_at IS NULL"

    /// In how many microseconds the next reminder fires; null if none does.
    static let next = Statement(
        """
        SELECT (
            SELECT due_at
            FROM entities.reminders
            WHERE \(isPending)
            ORDER BY due_at
            LIMIT 1
        ) - (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
        """
    ) { row in try row.optionalInt64(0) }

    /// Locks the reminders that are due, in order of time, except those that others have locked. $1 limit.
    static let due = Statement(
        """
        SELECT account, id, t.now, \(storedColumns)
        FROM entities.reminders
        CROSS JOIN (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now) AS t
        WHERE \(isPending)
            AND due_at <= (extract(epoch FROM statement_timestamp()) * 1000000)::bigint
        ORDER BY due_at, account, id
        LIMIT $1
        FOR UPDATE OF reminders SKIP LOCKED
        """
    ) { row in try pending(row) }

    /// The reminders that are due, in turns: the first of each person, then the second of each, with the latest time of
    /// all. $1 how many of them, in order of time, it looks at, $2 limit.
    static let dueInTurns = Statement(
        """
        SELECT d.account, d.id, max(d.due_at) OVER ()
        FROM (
            SELECT account, id, due_at, row_number() OVER (PARTITION BY account ORDER BY due_at, id) AS turn
            FROM (
                SELECT account, id, due_at
                FROM entities.reminders
                WHERE \(isPending)
                    AND due_at <= (extract(epoch FROM statement_timestamp()) * 1000000)::bigint
                ORDER BY due_at
                LIMIT $1
            ) AS all_due
        ) AS d
        ORDER BY d.turn, d.due_at, d.account
        LIMIT $2
        """
    ) { row in (account: try row.account(0), id: try row.uuid(1), latest: try row.time(2)) }

    /// The first of each person of the reminders that are due and were not at a time. $1 time, $2 how many of them, in
    /// order of time, it looks at, $3 limit.
    static let dueSince = Statement(
        """
        SELECT d.account, d.id
        FROM (
            SELECT account, id, due_at, row_number() OVER (PARTITION BY account ORDER BY due_at, id) AS turn
            FROM (
                SELECT account, id, due_at
                FROM entities.reminders
                WHERE \(isPending)
                    AND due_at > $1
                    AND due_at <= (extract(epoch FROM statement_timestamp()) * 1000000)::bigint
                ORDER BY due_at
                LIMIT $2
            ) AS all_due
        ) AS d
        WHERE d.turn = 1
        ORDER BY d.due_at, d.account
        LIMIT $3
        """
    ) { row in (account: try row.account(0), id: try row.uuid(1)) }

    /// Locks those of some reminders that are due, except those that others have locked. $1 accounts, $2 ids. They are
    /// looked up first: PostgreSQL, which expects few to be due, would read all that are.
    static let dueAmong = Statement(
        """
        WITH locked AS MATERIALIZED (
            SELECT account, id, \(storedColumns)
            FROM entities.reminders
            WHERE ctid = ANY (ARRAY(
                SELECT r.place
                FROM unnest($1::bigint[], $2::uuid[]) AS g (account, id)
                CROSS JOIN LATERAL \(oneRow(
                    "ctid AS place", from: "entities.reminders", where: "account = g.account", by: "id", is: "g.id"
                )) AS r
            ))
            ORDER BY account, id
            FOR UPDATE SKIP LOCKED
        )
        SELECT account, id, t.now, \(storedColumns)
        FROM locked
        CROSS JOIN (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now) AS t
        WHERE \(isPending)
            AND due_at <= (extract(epoch FROM statement_timestamp()) * 1000000)::bigint
        """
    ) { row in try pending(row) }

    /// Locks reminders that fire at a time by earlier rules, except those that others have locked. $1 version of the
    /// rules, $2 limit.
    static let ofEarlierRules = Statement(
        """
        SELECT account, id, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, \(storedColumns)
        FROM entities.reminders
        WHERE \(isPending)
            AND zone_rules < $1
        ORDER BY zone_rules
        LIMIT $2
        FOR UPDATE SKIP LOCKED
        """
    ) { row in try pending(row) }

    private static func pending(_ row: borrowing RowReader) throws -> PendingReminder {
        PendingReminder(
            account: try row.account(0), id: try row.uuid(1), now: try row.time(2), reminder: try stored(row, from: 3))
    }

    /// Changes locked reminders of several people. $1 accounts, $2 ids, $3 positions, $4 due at, $5 due on the wall, $6
    /// offsets, $7 fired at, $8 versions of the rules. Returns them in order, each with its owner.
    static let advance = Statement(
        """
        WITH given AS MATERIALIZED (
            SELECT *
            FROM unnest($1::bigint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::integer[],
                $7::bigint[], $8::text[]) WITH ORDINALITY
                AS g (account, id, position, due_at, due_civil, utc_offset, fired_at, zone_rules, ordinal)
        ),
        r AS (
            UPDATE entities.reminders AS r
            SET position = g.position,
                due_at = g.due_at,
                due_civil = g.due_civil,
                utc_offset = g.utc_offset,
                fired_at = g.fired_at,
                zone_rules = g.zone_rules
            FROM given AS g
            WHERE r.account = g.account
                AND r.id = g.id
            RETURNING r.*, g.ordinal
        ),
        heads AS (
            UPDATE entities.heads AS h
            SET position = g.last
            FROM (SELECT account, max(position) AS last FROM given GROUP BY account) AS g
            WHERE h.account = g.account
        )
        SELECT r.account, u.user_id, \(columns)
        FROM r
        JOIN conversations.account_ids AS u ON u.account = r.account
        LEFT JOIN conversations.conversation_ids AS c ON c.conversation = r.conversation
        ORDER BY r.ordinal
        """
    ) { row in (account: try row.account(0), user: try row.text(1), reminder: try reminder(row, from: 2)) }

    /// Records rules that change nothing. $1 accounts, $2 ids, $3 version of the rules.
    static let keepRules = Statement<Void>(
        """
        UPDATE entities.reminders AS r
        SET zone_rules = $3
        FROM unnest($1::bigint[], $2::uuid[]) AS g (account, id)
        WHERE r.account = g.account
            AND r.id = g.id
        """)

    // MARK: Reading

    /// A page of an account's reminders by due time. Each combination has its own statement, so that each uses its
    /// index.
    ///
    /// $1 account, $2 and $3 after (due, id), $4 limit, $5 conversation (only with `inConversation`).
    /// - Parameter completed: nil for both completed and open reminders.
    static func byDue(completed: Bool?, inConversation: Bool) -> Statement<Reminder> {
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
            SELECT \(columns)
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

    /// Reminders changed since a position, in order of position. $1 account, $2 position, $3 limit. A client that
    /// begins needs no deleted ones.
    static let changed = Statement(
        """
        SELECT \(columns)
        FROM entities.reminders AS r
        LEFT JOIN conversations.conversation_ids AS c ON c.conversation = r.conversation
        WHERE r.account = $1
            AND r.position > $2
            AND (r.deleted_at IS NULL OR $2 > 0)
        ORDER BY r.position
        LIMIT $3
        """
    ) { row in try reminder(row) }

    /// Returns the reminders whose last change is still the one in the journal.
    static let current = EntitiesStore.current(
        "entities.reminders", as: "r", columns: columns,
        joins: "LEFT JOIN conversations.conversation_ids AS c ON c.conversation = r.conversation"
    ) { row, column in try reminder(row, from: column) }
}
