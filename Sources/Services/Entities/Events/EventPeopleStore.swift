import Postgres
import Schema
import ServiceKit

/// The SQL of the people of events, and of lists.
extension EventsStore {
    // MARK: People

    /// Stores what a person answered, for a new person with the position that ``advance`` will give them. $1 account,
    /// $2 event, $3 status, $4 guests, $5 conversation, $6 answered at (null: as before), $7 remind minutes, $8 remind
    /// at, $9 position, $10 whether they are a host, $11 are asked to be one, $12 declined to.
    static let answer = Statement<Void>(
        """
        INSERT INTO entities.attendances AS a
            (account, event, status, guests, conversation, answered_at, remind_minutes, remind_at, position, is_host,
            is_asked_to_host, declined_to_host, ends_at, content_position)
        SELECT $1, e.id, $3, $4, $5::bigint, $6::bigint, $7, $8::bigint, $9, $10, $11, $12, e.ends_at, $9
        FROM \(oneRow("id, ends_at", from: "entities.events", by: "id", is: "$2")) AS e
        ON CONFLICT (account, event) DO UPDATE
        SET status = $3,
            guests = $4,
            conversation = $5::bigint,
            answered_at = COALESCE($6::bigint, CASE WHEN a.removed_at IS NULL THEN a.answered_at END),
            remind_minutes = $7,
            remind_at = $8::bigint,
            is_host = $10,
            is_asked_to_host = $11,
            declined_to_host = $12,
            removed_at = NULL
        """)

    /// Asks a person to host, or makes a co-host a guest again, who is out of the event if they never answered. $1
    /// account, $2 event, $3 whether they are asked, $4 now.
    static let setHost = Statement<Void>(
        """
        UPDATE entities.attendances
        SET is_host = false,
            is_asked_to_host = $3,
            removed_at = CASE WHEN NOT $3 AND answered_at IS NULL THEN $4::bigint END
        WHERE account = $1
            AND event = $2
        """)

    /// When people are reminded next. $1 event, $2 accounts, $3 times (null: never).
    static let remind = Statement<Void>(
        """
        UPDATE entities.attendances AS a
        SET remind_at = g.remind_at
        FROM unnest($2::bigint[], $3::bigint[]) AS g (account, remind_at)
        WHERE a.event = $1
            AND a.account = g.account
            AND a.remind_at IS DISTINCT FROM g.remind_at
        """)

    /// Takes out the people who neither host an event nor accepted it nor may come, and are no longer invited, and
    /// those whom a block parts from its creator. $1 event, $2 now, $3 the only person to look at (null: everyone).
    /// Returns them.
    static let removeUninvited = Statement(
        """
        UPDATE entities.attendances AS a
        SET removed_at = $2,
            is_host = false,
            is_asked_to_host = false,
            declined_to_host = false,
            remind_at = NULL,
            conversation = NULL
        FROM \(oneRow("account, id", from: "entities.events", by: "id", is: "$1")) AS e
        WHERE a.event = e.id
            AND a.removed_at IS NULL
            AND a.account <> e.account
            AND ($3::bigint IS NULL OR a.account = $3)
            AND (
                NOT a.is_host AND a.status NOT IN \(AttendanceStatus.coming) AND NOT \(isInvited("a.account", to: "$1"))
                    AND NOT \(awaitsCard)
                OR \(areApart("a.account", "e.account"))
            )
        RETURNING a.account
        """
    ) { row in try row.account(0) }

    /// Counts the people of an event, and moves it to the next position of the streams of some. $1 event, $2 accounts,
    /// whose heads the caller holds, $3 those of them for whom only the counts change, $4 whether everyone learns the
    /// counts, $5 who alone does, so that the others have to be told later (null: that stays as it was).
    static let advance = Statement<Void>(
        """
        WITH moved AS (
            UPDATE entities.heads
            SET position = position + 1
            WHERE account = ANY ($2)
            RETURNING account, position
        ),
        people AS (
            UPDATE entities.attendances AS a
            SET position = m.position,
                content_position = CASE WHEN a.account = ANY ($3) THEN a.content_position ELSE m.position END
            FROM moved AS m
            WHERE a.event = $1
                AND a.account = m.account
        )
        UPDATE entities.events AS e
        SET attendees = c.attendees,
            accepted = c.accepted,
            tentative = c.tentative,
            declined = c.declined,
            coming = c.coming,
            counted_at = CASE WHEN $4 THEN c.now ELSE e.counted_at END,
            counts_due_at = CASE
                WHEN $4 THEN NULL
                WHEN $5::bigint IS NULL THEN e.counts_due_at
                ELSE COALESCE(e.counts_due_at, LEAST(e.counted_at, c.now) + \(countsInterval.microseconds))
            END,
            counts_by = CASE WHEN $4 THEN NULL ELSE COALESCE($5::bigint, e.counts_by) END
        FROM (
            SELECT count(*) AS attendees,
                count(*) FILTER (WHERE status = \(AttendanceStatus.accepted.rawValue)) AS accepted,
                count(*) FILTER (WHERE status = \(AttendanceStatus.tentative.rawValue)) AS tentative,
                count(*) FILTER (WHERE status = \(AttendanceStatus.declined.rawValue)) AS declined,
                COALESCE(sum(1 + guests) FILTER (WHERE status = \(AttendanceStatus.accepted.rawValue)), 0) AS coming,
                (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now
            FROM entities.attendances
            WHERE event = $1
                AND removed_at IS NULL
        ) AS c
        WHERE e.id = $1
        """)

    /// The events of former members that are no longer theirs to see, unless by another conversation. Reads the events
    /// of the conversation and those of the person once each, rather than looking each up. $1 conversations, $2
    /// accounts.
    static let ofFormer = Statement(
        """
        SELECT DISTINCT x.event
        FROM unnest($1::bigint[], $2::bigint[]) AS g (conversation, account)
        CROSS JOIN LATERAL (
            SELECT event
            FROM entities.event_invitations
            WHERE conversation = g.conversation
            INTERSECT
            SELECT event
            FROM entities.attendances
            WHERE account = g.account
                AND removed_at IS NULL
                AND NOT is_host
                AND status NOT IN \(AttendanceStatus.coming)
        ) AS x
        ORDER BY x.event
        """
    ) { row in try row.uuid(0) }

    /// The events of one person of which another is, in order. Reads the events of both once each. $1 creators, $2
    /// others.
    static let ofApart = Statement(
        """
        SELECT DISTINCT x.event
        FROM unnest($1::bigint[], $2::bigint[]) AS g (creator, account)
        CROSS JOIN LATERAL (
            SELECT id AS event
            FROM entities.events
            WHERE account = g.creator
                AND deleted_at IS NULL
            INTERSECT
            SELECT event
            FROM entities.attendances
            WHERE account = g.account
                AND removed_at IS NULL
        ) AS x
        ORDER BY x.event
        """
    ) { row in try row.uuid(0) }

    /// $1 id, $2 user id: a person who sees an event, with their attendance if they have one.
    static let visitor = Statement(
        """
        SELECT v.account, a.account IS NOT NULL, a.status, \(hostingColumns)
        FROM conversations.account_ids AS v
        CROSS JOIN \(oneRow("*", from: "entities.events", by: "id", is: "$1")) AS e
        \(attendance(of: "v.account"))
        WHERE v.user_id = $2
            AND \(isVisible(to: "v.account"))
        """
    ) { row in
        let isKnown = try row.bool(1)
        return (
            account: try row.account(0),
            known: isKnown
                ? (status: AttendanceStatus(rawValue: Int32(try row.int16(2))), hosting: try hosting(row, from: 3))
                : nil
        )
    }

    /// Of attendance a.
    static let hostingColumns = "a.is_host, a.is_asked_to_host, a.declined_to_host"

    static func hosting(_ row: borrowing RowReader, from column: Int) throws -> Hosting {
        if try row.bool(column) { return .host }
        if try row.bool(column + 1) { return .asked }
        return try row.bool(column + 2) ? .declined : .guest
    }

    // MARK: Lists

    /// The people who answered an event. $1 event, $2 account of the reader, $3 and $4 after (time, account), $5 limit.
    static let attendees = Statement(
        """
        SELECT a.account, u.user_id, a.status, a.guests, c.conversation_id, a.answered_at, a.is_host,
            a.is_asked_to_host AND (me.is_host IS TRUE OR a.account = $2)
        FROM entities.attendances AS a
        JOIN conversations.account_ids AS u ON u.account = a.account
        LEFT JOIN LATERAL \(oneRow(
            "is_host", from: "entities.attendances", where: "account = $2", by: "event", is: "$1"
        )) AS me ON true
        LEFT JOIN conversations.conversation_ids AS c
            ON c.conversation = a.conversation AND (me.is_host OR a.account = $2)
        WHERE a.event = $1
            AND a.removed_at IS NULL
            AND (a.answered_at, a.account) > ($3, $4)
        ORDER BY a.answered_at, a.account
        LIMIT $5
        """
    ) { row in
        (
            account: try row.account(0),
            attendance: Attendance(
                user: try row.text(1), status: AttendanceStatus(rawValue: Int32(try row.int16(2))),
                guests: UInt32(try row.int32(3)), conversation: try row.optionalText(4) ?? "",
                answeredAtUs: try row.int64(5), host: try row.bool(6), askedToHost: try row.bool(7))
        )
    }

    /// The events of account $1 that end after $2, each once.
    static let eventsOfAccount =
        """
        SELECT event
        FROM entities.attendances
        WHERE account = $1
            AND ends_at >= $2
            AND removed_at IS NULL
            AND (is_host OR status IN \(AttendanceStatus.coming))
        UNION
        SELECT i.event
        FROM conversations.access AS m
        CROSS JOIN LATERAL (
            SELECT event, conversation, card
            FROM entities.event_invitations
            WHERE conversation = m.conversation
                AND ends_at >= $2
            ORDER BY ends_at
        ) AS i
        WHERE m.account = $1
            AND m.may_read
            AND \(CardsStore.isReadable(card: "i.card", conversation: "i.conversation", account: "$1"))
        """

    /// The events of an account that begin before one time and end after another. $1 account, $2 after, $3 before.
    static let between = overlapping(eventsOfAccount)

    /// Of these, the events into which conversation $4 is invited.
    static let betweenOfConversation = overlapping(
        """
        SELECT i.event
        FROM entities.event_invitations AS i
        WHERE i.conversation = $4
            AND i.ends_at >= $2
            AND \(CardsStore.isReadable(card: "i.card", conversation: "i.conversation", account: "$1"))
        """)

    private static func overlapping(_ events: String) -> Statement<ListedEvent> {
        Statement(
            """
            SELECT e.id, e.title, e.location, e.cancelled_at IS NOT NULL, COALESCE(a.status, 1), \(scheduleColumns)
            FROM (
                \(events)
            ) AS x
            JOIN entities.events AS e ON e.id = x.event
            \(attendance(of: "$1"))
            WHERE e.deleted_at IS NULL
                AND e.starts_at < $3
                AND NOT \(areApart("$1", "e.account"))
            """
        ) { row in
            ListedEvent(
                id: try row.uuid(0), title: try row.text(1), location: try row.text(2), isCancelled: try row.bool(3),
                own: AttendanceStatus(rawValue: try row.int32(4)), schedule: try schedule(row, from: 5))
        }
    }
}
