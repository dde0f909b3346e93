import Postgres
import Schema
import ServiceKit

/// The SQL by which events change.
extension EventsStore {
    // MARK: Changes

    /// Locks an event that an account sees until the end of the transaction. $1 id, $2 account. Its creator also gets a
    /// deleted one.
    static let lock = locking("(e.deleted_at IS NULL OR e.account = $2) AND \(isVisible(to: "$2"))")

    /// Locks an event into which conversation $3 is invited. The message of its card may not be written yet. $1 id, $2
    /// account. Returns no row for one that is deleted.
    static let lockInvited = locking(
        """
        e.deleted_at IS NULL
            AND NOT \(areApart("$2", "e.account"))
            AND EXISTS (
                SELECT
                FROM entities.event_invitations AS i
                WHERE i.event = e.id
                    AND i.conversation = $3
            )
        """)

    /// What is read of the account is as of the lock, not as of the statement's beginning.
    private static func locking(_ condition: String) -> Statement<LockedEvent> {
        Statement(
            """
            SELECT e.account, e.title, e.location, e.link, e.notes, e.version, e.part_versions, e.cancelled_at,
                e.deleted_at, e.attendees, a.is_host, a.account IS NOT NULL, a.status, a.guests, a.conversation,
                a.remind_minutes, \(hostingColumns), \(scheduleColumns), e.counts_due_at IS NOT NULL,
                \(wereCountsTold), e.zone_rules
            FROM entities.events AS e
            LEFT JOIN LATERAL entities.lock_attendance(e.id, $2) AS a ON true
            WHERE e.id = $1
                AND \(condition)
            FOR UPDATE OF e
            """
        ) { row in try locked(row) }
    }

    private static func locked(_ row: borrowing RowReader) throws -> LockedEvent {
        let hasAttendance = try row.bool(11)
        return LockedEvent(
            creator: try row.account(0),
            event: StoredEvent(
                title: try row.text(1), location: try row.text(2), link: try row.text(3), notes: try row.text(4),
                schedule: try schedule(row, from: 19), cancelledAt: try row.optionalTime(7)),
            version: try row.int64(5), partVersions: try row.int64s(6), isDeleted: !row.isNull(8),
            rules: try row.text(29), attendees: Int(try row.int32(9)), areCountsDue: try row.bool(27),
            wereCountsTold: try row.bool(28), isHost: try row.optionalBool(10) ?? false,
            own: hasAttendance
                ? StoredAttendance(
                    status: AttendanceStatus(rawValue: Int32(try row.int16(12))), guests: try row.int32(13),
                    conversation: try row.optionalInt64(14).map { ConversationNumber($0) },
                    remindMinutes: try row.int32(15), hosting: try hosting(row, from: 16)) : nil)
    }

    /// Locks an event for the service's own changes. $1 id. Returns no row for one that is deleted.
    static let lockAny = Statement(
        """
        SELECT e.account, e.cancelled_at IS NOT NULL, \(scheduleColumns)
        FROM entities.events AS e
        WHERE e.id = $1
            AND e.deleted_at IS NULL
        FOR UPDATE OF e
        """
    ) { row in
        LockedByService(
            creator: try row.account(0), isCancelled: try row.bool(1), schedule: try schedule(row, from: 2))
    }

    /// What the service needs to know of an event that it changes by itself.
    struct LockedByService: Sendable {
        var creator: AccountNumber
        var isCancelled: Bool
        var schedule: EventSchedule
    }

    /// $1 id: the creator of an event, also of a deleted one.
    static let creator = Statement(
        oneRow("account", from: "entities.events", by: "id", is: "$1")
    ) { row in try row.account(0) }

    /// Adds an event, which its creator accepts. $1 id, $2 account, $3 conversation, $4 source message, $5 now, then
    /// ``parameters(_:_:rules:version:_:)``, then $21 the most events that an account has, and of the creator $22
    /// remind minutes, $23 remind at (null: never), $24 position, which ``advance`` will give them. Returns no row if
    /// the account has as many.
    static let add = Statement(
        """
        WITH added AS (
            INSERT INTO entities.events
                (id, account, conversation, source_message, created_at, changed_at, title, location, link, notes,
                first_day, at_second, time_zone, minutes, recurrence, starts_at, ends_at, zone_rules, version,
                part_versions, cancelled_at)
            SELECT $1, $2, $3, $4::uuid, $5, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20
            WHERE NOT EXISTS (
                SELECT
                FROM entities.events
                WHERE account = $2
                    AND deleted_at IS NULL
                OFFSET $21::bigint - 1
            )
            RETURNING id, account, ends_at
        )
        INSERT INTO entities.attendances
            (account, event, status, guests, answered_at, remind_minutes, remind_at, position, is_host, ends_at,
            content_position)
        SELECT account, id, \(AttendanceStatus.accepted.rawValue), 0, $5, $22, $23::bigint, $24, true, ends_at, $24
        FROM added
        RETURNING account
        """
    ) { row in try row.account(0) }

    /// $1 id, then ``parameters(_:_:rules:version:_:)``, then $17 now.
    static let change = Statement<Void>(
        """
        WITH invitations AS (
            UPDATE entities.event_invitations
            SET ends_at = $12
            WHERE event = $1
                AND ends_at <> $12
        ),
        people AS (
            UPDATE entities.attendances
            SET ends_at = $12
            WHERE event = $1
                AND ends_at <> $12
        )
        UPDATE entities.events
        SET title = $2,
            location = $3,
            link = $4,
            notes = $5,
            first_day = $6,
            at_second = $7,
            time_zone = $8,
            minutes = $9,
            recurrence = $10,
            starts_at = $11,
            ends_at = $12,
            zone_rules = $13,
            version = $14,
            part_versions = $15,
            cancelled_at = $16,
            changed_at = $17
        WHERE id = $1
        """)

    static func parameters(
        _ event: StoredEvent, _ span: (starts: Timestamp, ends: Timestamp), rules: String, version: Int64,
        _ partVersions: [Int64]
    ) -> [Parameter] {
        let schedule = event.schedule
        return [
            .text(event.title), .text(event.location), .text(event.link), .text(event.notes),
            .int32(Int32(schedule.day)), schedule.seconds.map { .int32(Int32($0)) } ?? .null, .text(schedule.zone),
            .int32(Int32(schedule.minutes)), .text(schedule.recurrence?.storedText ?? ""), .number(span.starts),
            .number(span.ends), .text(rules), .int64(version), .int64s(partVersions), .optional(event.cancelledAt),
        ]
    }

    /// Replaces the changed dates of an event. $1 id, $2 days, $3 new days, $4 new seconds, $5 its creator.
    static let setDates = Statement<Void>(
        """
        WITH old AS (
            DELETE FROM entities.event_dates
            WHERE account = $5
                AND event = $1
                AND day <> ALL ($2::integer[])
        )
        INSERT INTO entities.event_dates AS d (account, event, day, new_day, new_second)
        SELECT $5, $1, g.day, g.new_day, g.new_second
        FROM unnest($2::integer[], $3::integer[], $4::integer[]) AS g (day, new_day, new_second)
        ON CONFLICT (account, event, day) DO UPDATE
        SET new_day = excluded.new_day,
            new_second = excluded.new_second
        """)

    /// Empties an event. $1 id, $2 now.
    static let delete = Statement<Void>(
        """
        WITH dates AS (
            DELETE FROM entities.event_dates AS d
            USING entities.events AS e
            WHERE e.id = $1
                AND d.account = e.account
                AND d.event = $1
        )
        UPDATE entities.events
        SET title = '',
            location = '',
            link = '',
            notes = '',
            recurrence = '',
            conversation = NULL,
            source_message = NULL,
            changed_at = $2,
            deleted_at = $2
        WHERE id = $1
        """)

    // MARK: Invitations

    /// Makes a card and invites its conversation. ``CardsStore/insertion``. Returns it.
    static let invite = Statement(
        """
        WITH k AS (
            \(CardsStore.insertion)
            RETURNING card, entity, conversation
        ),
        invitation AS (
            INSERT INTO entities.event_invitations (event, conversation, card, ends_at)
            SELECT e.id, k.conversation, k.card, e.ends_at
            FROM k
            CROSS JOIN LATERAL \(oneRow("id, ends_at", from: "entities.events", by: "id", is: "k.entity")) AS e
        )
        SELECT k.card, k.conversation, \(CardsStore.members(of: "k.conversation"))
        FROM k
        """
    ) { row in (card: CardNumber(try row.int64(0)), place: try CardPlace(row, from: 1)) }

    /// $1 event: the conversations invited to it, with their cards.
    static let invitations = Statement(
        """
        SELECT i.conversation, c.conversation_id, i.card
        FROM entities.event_invitations AS i
        JOIN conversations.conversation_ids AS c ON c.conversation = i.conversation
        WHERE i.event = $1
        ORDER BY i.card
        """
    ) { row in
        (conversation: try row.conversation(0), id: try row.text(1), card: CardNumber(try row.int64(2)))
    }

    /// $1 event, $2 conversations.
    static let uninvite = Statement<Void>(
        """
        DELETE FROM entities.event_invitations
        WHERE event = $1
            AND conversation = ANY ($2)
        """)

    /// Counts a change of an event on its cards. $1 event. Returns them.
    static let touch = Statement(
        """
        UPDATE entities.cards AS k
        SET changes = k.changes + 1
        FROM entities.event_invitations AS i
        WHERE i.event = $1
            AND k.conversation = i.conversation
            AND k.card = i.card
        RETURNING k.card, k.conversation, \(CardsStore.members(of: "k.conversation"))
        """
    ) { row in (card: CardNumber(try row.int64(0)), place: try CardPlace(row, from: 1)) }

    /// The invited conversations in which an account sees an event, with the code with which it may not write there. $1
    /// event, $2 account.
    static let origins = Statement(
        """
        SELECT i.conversation, c.conversation_id, m.refusal
        FROM entities.event_invitations AS i
        JOIN conversations.conversation_ids AS c ON c.conversation = i.conversation
        CROSS JOIN LATERAL \(oneRow(
            "refusal", from: "conversations.access", where: "conversation = i.conversation", by: "account", is: "$2"
        )) AS m
        WHERE i.event = $1
            AND \(CardsStore.isReadable(card: "i.card", conversation: "i.conversation", account: "$2"))
        ORDER BY i.card
        """
    ) { row in (conversation: try row.conversation(0), id: try row.text(1), refusal: try row.text(2)) }
}
