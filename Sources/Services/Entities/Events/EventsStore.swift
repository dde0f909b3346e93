import Postgres
import Schema
import ServiceKit

extension AttendanceStatus {
    /// Those of whoever comes, or may come, as a list in SQL.
    static let coming = "(\(Self.accepted.rawValue), \(Self.tentative.rawValue))"
}

/// The SQL of events: who sees what, and in which state.
enum EventsStore {
    // MARK: Who sees what

    /// A condition: whether an account sees event e, of which a is its attendance. The creator and co-hosts do, who
    /// accepted or may come, and who may read the message of its card in an invited conversation. Of two people one of
    /// whom blocks the other, neither sees the other's events.
    static func isVisible(to account: String) -> String {
        """
        (e.account = \(account)
            OR (a.is_host OR a.status IN \(AttendanceStatus.coming) OR \(isInvited(account, to: "e.id"))
                OR \(awaitsCard))
                AND NOT \(areApart(account, "e.account")))
        """
    }

    /// A condition: whether an account may read the message of an event's card in an invited conversation.
    static func isInvited(_ account: String, to event: String) -> String {
        """
        EXISTS (
            SELECT
            FROM entities.event_invitations AS i
            WHERE i.event = \(event)
                AND \(CardsStore.isReadable(card: "i.card", conversation: "i.conversation", account: account))
        )
        """
    }

    /// A condition: whether the person of attendance a answered event e from a conversation in which the message of the
    /// card is not written yet, so that nobody can read it.
    static let awaitsCard = """
        EXISTS (
            SELECT
            FROM entities.event_invitations AS i
            CROSS JOIN LATERAL \(oneRow(
                "account, message", from: "entities.cards", by: "card", is: "i.card"
            )) AS k
            CROSS JOIN LATERAL \(oneRow(
                "may_read", from: "conversations.access", where: "conversation = i.conversation", by: "account",
                is: "a.account"
            )) AS member
            WHERE i.event = e.id
                AND i.conversation = a.conversation
                AND member.may_read
                AND NOT EXISTS \(oneRow(
                    "seq", from: "messaging.readable",
                    where: "conversation = i.conversation AND account BETWEEN k.account AND k.account", by: "id",
                    is: "k.message"
                ))
        )
        """

    /// Joins the attendance a of an account in event e.
    static func attendance(of account: String) -> String {
        """
        LEFT JOIN LATERAL \(oneRow(
            "*", from: "entities.attendances", where: "account = \(account)", by: "event", is: "e.id"
        )) AS a ON a.removed_at IS NULL
        """
    }

    // MARK: States

    /// A condition: whether the person of attendance a gets changes of the event. Who declined to come or to host does
    /// not, until they say that they come.
    static let follows = """
        (a.is_host OR a.status IN \(AttendanceStatus.coming)
            OR a.status = \(AttendanceStatus.pending.rawValue) AND NOT a.declined_to_host)
        """

    /// When event e ended for the stream of the person of attendance a; null: it did not. What they declined stays as
    /// it was then, whatever becomes of the event. A block ends it at once, although ``followBlocks(_:_:)`` takes them
    /// out a moment later.
    static let endedAt = """
        COALESCE(
            CASE WHEN NOT \(follows) THEN COALESCE(a.answered_at, e.created_at) END, e.deleted_at, a.removed_at,
            CASE WHEN a.account <> e.account AND \(areApart("a.account", "e.account")) THEN e.changed_at END)
        """

    /// The columns of event e as an account sees it, of which a is its attendance.
    static func columns(of reader: String) -> String {
        columns(endedAt: "COALESCE(e.deleted_at, a.removed_at)", position: "CASE WHEN \(follows) THEN a.position END")
    }

    /// The columns of event e in the stream of the person of attendance a.
    static let streamColumns = columns(endedAt: endedAt, position: "a.position")

    private static func columns(endedAt: String, position: String) -> String {
        """
        e.id, u.user_id, e.title, e.location, e.link, e.notes, e.starts_at, e.version, c.conversation_id,
        e.source_message, e.created_at, e.cancelled_at, \(endedAt), e.accepted, e.tentative,
        e.declined, e.coming, r.user_id, a.status, a.guests, o.conversation_id, a.answered_at, a.is_host,
        a.remind_minutes, a.reminded_at, a.reminded_of, \(position),
        ARRAY(
            SELECT hu.user_id
            FROM entities.attendances AS h
            JOIN conversations.account_ids AS hu ON hu.account = h.account
            WHERE h.event = e.id
                AND h.is_host
                AND h.removed_at IS NULL
                AND h.account <> e.account
            ORDER BY h.account
        ),
        a.is_asked_to_host,
        CASE WHEN a.is_host THEN ARRAY(
            SELECT hu.user_id
            FROM entities.attendances AS h
            JOIN conversations.account_ids AS hu ON hu.account = h.account
            WHERE h.event = e.id
                AND h.is_asked_to_host
                AND h.removed_at IS NULL
            ORDER BY h.account
        ) ELSE '{}' END,
        CASE WHEN a.is_host THEN ARRAY(
            SELECT ic.conversation_id
            FROM entities.event_invitations AS i
            JOIN conversations.conversation_ids AS ic ON ic.conversation = i.conversation
            WHERE i.event = e.id
            ORDER BY i.card
        ) ELSE '{}' END,
        \(scheduleColumns)
        """
    }

    /// The number of columns before those of the schedule.
    static let scheduleColumn = 31
    static let scheduleColumns = """
        e.first_day, e.at_second, e.time_zone, e.minutes, e.recurrence,
        \(dates("d.day")), \(dates("COALESCE(d.new_day, -1)")), \(dates("COALESCE(d.new_second, -1)"))
        """

    static func joins(of reader: String) -> String {
        """
        JOIN conversations.account_ids AS u ON u.account = e.account
        JOIN conversations.account_ids AS r ON r.account = \(reader)
        LEFT JOIN conversations.conversation_ids AS c ON c.conversation = e.conversation AND e.account = \(reader)
        LEFT JOIN conversations.conversation_ids AS o ON o.conversation = a.conversation
        """
    }

    /// Values of the changed dates of event e, in order of day.
    private static func dates(_ value: String) -> String {
        """
        ARRAY(
            SELECT \(value)
            FROM entities.event_dates AS d
            WHERE d.account = e.account
                AND d.event = e.id
            ORDER BY d.day
        )
        """
    }

    static func schedule(_ row: borrowing RowReader, from column: Int) throws -> EventSchedule {
        let recurrence = try row.text(column + 4)
        let (days, newDays) = (try row.int32s(column + 5), try row.int32s(column + 6))
        let newSeconds = try row.int32s(column + 7)
        var changes: [Int: EventSchedule.Change] = [:]
        for (index, day) in days.enumerated() {
            changes[Int(day)] =
                newDays[index] < 0
                ? .cancelled
                : .moved(
                    day: Int(newDays[index]), seconds: newSeconds[index] < 0 ? nil : Int(newSeconds[index]))
        }
        return EventSchedule(
            day: Int(try row.int32(column)), seconds: try row.optionalInt32(column + 1).map(Int.init),
            zone: try row.text(column + 2), minutes: Int(try row.int32(column + 3)),
            recurrence: recurrence.isEmpty ? nil : try Recurrence(stored: recurrence), changes: changes)
    }

    static func event(_ row: borrowing RowReader, from column: Int = 0) throws -> Event {
        let (created, deleted) = (try row.int64(column + 10), try row.optionalInt64(column + 12))
        let position = try row.optionalInt64(column + 26) ?? 0
        if let deleted {
            return Event(id: try row.uuid(column), createdAtUs: created, deletedAtUs: deleted, position: position)
        }
        let schedule = try schedule(row, from: column + scheduleColumn)
        return Event(
            id: try row.uuid(column), creator: try row.text(column + 1), title: try row.text(column + 2),
            when: schedule.when, location: try row.text(column + 3), link: try row.text(column + 4),
            notes: try row.text(column + 5), recurrence: schedule.recurrence?.text ?? "",
            changedDates: schedule.changedDates, startsAtUs: try row.int64(column + 6),
            version: try row.int64(column + 7),
            conversation: try row.optionalText(column + 8) ?? "",
            sourceMessage: try row.isNull(column + 8) ? [] : row.optionalUUID(column + 9) ?? [],
            createdAtUs: created, cancelledAtUs: try row.optionalInt64(column + 11) ?? 0,
            accepted: UInt32(try row.int32(column + 13)), tentative: UInt32(try row.int32(column + 14)),
            declined: UInt32(try row.int32(column + 15)), coming: UInt32(try row.int32(column + 16)),
            own: Attendance(
                user: try row.text(column + 17),
                status: AttendanceStatus(rawValue: try row.optionalInt32(column + 18) ?? 1),
                guests: UInt32(try row.optionalInt32(column + 19) ?? 0),
                conversation: try row.optionalText(column + 20) ?? "",
                answeredAtUs: try row.optionalInt64(column + 21) ?? 0,
                host: try row.optionalBool(column + 22) ?? false,
                askedToHost: try row.optionalBool(column + 28) ?? false),
            remindMinutes: try row.optionalInt32(column + 23) ?? -1,
            remindedAtUs: try row.optionalInt64(column + 24) ?? 0,
            remindedOfUs: try row.optionalInt64(column + 25) ?? 0, hosts: try row.texts(column + 27),
            conversations: try row.texts(column + 30), position: position, askedHosts: try row.texts(column + 29))
    }

    /// $1 id, $2 account: the event as the account sees it; no row if it does not.
    static let visible = Statement(
        """
        SELECT \(columns(of: "$2"))
        FROM \(oneRow("*", from: "entities.events", by: "id", is: "$1")) AS e
        \(attendance(of: "$2"))
        \(joins(of: "$2"))
        WHERE e.deleted_at IS NULL
            AND \(isVisible(to: "$2"))
        """
    ) { row in try event(row) }

    /// The event as the streams of people of it have it, also if it is deleted or no longer theirs to see. $1 id, $2
    /// accounts.
    static let states = Statement(
        """
        SELECT a.account, \(streamColumns)
        FROM unnest($2::bigint[]) AS g (account)
        CROSS JOIN LATERAL \(oneRow(
            "*", from: "entities.attendances", where: "account = g.account", by: "event", is: "$1"
        )) AS a
        CROSS JOIN \(oneRow("*", from: "entities.events", by: "id", is: "$1")) AS e
        \(joins(of: "a.account"))
        ORDER BY a.account
        """
    ) { row in (account: try row.account(0), user: try row.text(18), event: try event(row, from: 1)) }

    /// Events changed for an account since a position, in order of position. $1 account, $2 position, $3 limit. A
    /// client that begins needs no deleted ones.
    static let changed = Statement(
        """
        SELECT \(streamColumns)
        FROM entities.attendances AS a
        JOIN entities.events AS e ON e.id = a.event
        \(joins(of: "a.account"))
        WHERE a.account = $1
            AND a.position > $2
            AND ($2 > 0 OR \(endedAt) IS NULL)
        ORDER BY a.position
        LIMIT $3
        """
    ) { row in try event(row) }

    /// Returns the events whose last change for the account, apart from its counts, is still the one in the
    /// journal.
    static let current = Statement(
        """
        SELECT e.ordinal, r.user_id, a.account IS NOT NULL, s.*
        FROM \(replayedEntries)
        JOIN conversations.account_ids AS r ON r.account = e.subject
        LEFT JOIN LATERAL (
            SELECT x.*
            FROM (
                SELECT *
                FROM \(oneRow(
                    "*", from: "entities.attendances", where: "account = e.subject", by: "position", is: "e.position"
                )) AS latest
                UNION ALL
                SELECT *
                FROM \(oneRow(
                    "*", from: "entities.attendances",
                    where: "account = e.subject AND content_position <> position", by: "content_position",
                    is: "e.position"
                )) AS earlier
            ) AS x
            LIMIT 1
        ) AS a ON true
        LEFT JOIN LATERAL (
            SELECT \(streamColumns)
            FROM \(oneRow("*", from: "entities.events", by: "id", is: "a.event")) AS e
            \(joins(of: "a.account"))
        ) AS s ON true
        """
    ) { row in
        CurrentState(
            ordinal: Int(try row.int64(0)), owner: try row.text(1),
            state: try row.bool(2) ? try event(row, from: 3) : nil)
    }
}
