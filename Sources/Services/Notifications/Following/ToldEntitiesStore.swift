import Postgres
import Schema
import ServiceKit

/// What people are told of reminders and events.
enum ToldEntitiesStore {
    private static let undisturbed = """
        NOT EXISTS (
            SELECT
            FROM presence.undisturbed AS d
            WHERE d.account = g.account
        )
        """

    /// $1 accounts, $2 positions beside them, $3 not before: those reminders that fired.
    static let reminders = Statement(
        """
        SELECT r.account, r.id, r.fired_at, p.reminders AND \(undisturbed)
        FROM unnest($1::bigint[], $2::bigint[]) AS g (account, position)
        CROSS JOIN LATERAL \(oneRow(
            "account, id, fired_at, position", from: "entities.fired_reminders", where: "account = g.account",
            by: "position", is: "g.position"
        )) AS r
        CROSS JOIN LATERAL \(oneRow("reminders", from: "notifications.people", by: "account", is: "g.account")) AS p
        WHERE r.fired_at > $3
        """
    ) { row in
        let (id, at) = (try row.uuid(1), try row.time(2))
        return TellableEntity(
            account: try row.account(0), id: id, kind: .reminder, about: "r/\(Hex.text(id))/\(at)", at: at,
            isWanted: try row.bool(3))
    }

    /// $1 accounts, $2 positions beside them, $3 not before: of those events the dates of which people were reminded,
    /// and the changes. Whoever declined is told of nothing.
    static let events = Statement(
        """
        SELECT e.account, e.event, k.kind, k.about, k.at, p.events AND \(undisturbed)
        FROM unnest($1::bigint[], $2::bigint[]) AS g (account, position)
        CROSS JOIN LATERAL \(oneRow(
            "*", from: "entities.attended_events", where: "account = g.account", by: "position", is: "g.position"
        )) AS e
        CROSS JOIN LATERAL \(oneRow("events", from: "notifications.people", by: "account", is: "g.account")) AS p
        CROSS JOIN LATERAL (
            VALUES
                (\(NoticeKind.eventDate.rawValue), 'd/' || e.event || '/' || e.reminded_of, e.reminded_at),
                (\(NoticeKind.event.rawValue), 'c/' || e.event, e.cancelled_at),
                (
                    \(NoticeKind.event.rawValue), 'h/' || e.event,
                    CASE WHEN e.is_asked_to_host THEN $3 + \(PushRules.ageMax.microseconds) END
                ),
                (
                    \(NoticeKind.event.rawValue), 'v/' || e.event || '/' || e.version,
                    CASE WHEN e.version > 1 AND e.cancelled_at IS NULL THEN e.changed_at END
                )
        ) AS k (kind, about, at)
        WHERE k.at > $3
            AND e.status <> \(AttendanceStatus.declined.rawValue)
        """
    ) { row in
        TellableEntity(
            account: try row.account(0), id: try row.uuid(1),
            kind: NoticeKind(rawValue: Int16(clamping: try row.int32(2))) ?? .event, about: try row.text(3),
            at: try row.time(4), isWanted: try row.bool(5))
    }

    /// $1 accounts, $2 ids beside them: reminders.
    static let reminderTitles = Statement(
        """
        SELECT r.account, r.id, r.title
        FROM unnest($1::bigint[], $2::uuid[]) AS g (account, id)
        JOIN entities.fired_reminders AS r ON r.account = g.account AND r.id = g.id
        """
    ) { row in
        EntityFacts(
            account: try row.account(0), id: try row.uuid(1), title: try row.text(2), isCancelled: false,
            isAskedToHost: false)
    }

    /// $1 accounts, $2 ids beside them: events.
    static let eventTitles = Statement(
        """
        SELECT e.account, e.event, e.title, e.cancelled_at IS NOT NULL, e.is_asked_to_host
        FROM unnest($1::bigint[], $2::uuid[]) AS g (account, id)
        JOIN entities.attended_events AS e ON e.account = g.account AND e.event = g.id
        """
    ) { row in
        EntityFacts(
            account: try row.account(0), id: try row.uuid(1), title: try row.text(2), isCancelled: try row.bool(3),
            isAskedToHost: try row.bool(4))
    }
}
