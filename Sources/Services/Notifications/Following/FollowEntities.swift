import Postgres
import Schema
import ServiceKit

/// Follows reminders that fire, and events.
extension NotificationsService {
    static let followedOfEntities: Set<Int16> = [EntitiesKind.reminder.number, EntitiesKind.event.number]

    func followEntities(_ entries: [JournalEntry], _ change: Change) async throws {
        let now = context.clock.now
        let (reminders, events) = (reached(entries, .reminder), reached(entries, .event))
        var found: [TellableEntity] = []
        if !reminders.isEmpty {
            found += try await change.query(
                EntitiesTold.reminders, .int64s(reminders.map(\.subject)), .numbers(reminders.map(\.position)),
                .number(now - PushRules.ageMax))
        }
        if !events.isEmpty {
            found += try await change.query(
                EntitiesTold.events, .int64s(events.map(\.subject)), .numbers(events.map(\.position)),
                .number(now - PushRules.ageMax))
        }
        // Somebody who is in the app sees changes of events there. A reminder or a date tells every device.
        let wanted = found.filter { $0.isWanted && ($0.kind != .event || !foreground.contains($0.account)) }
        let isNew = try await noteTold(wanted.map { ($0.account, $0.about) }, at: now, in: change)
        try await queue(
            wanted.filter { isNew.contains(Told(account: $0.account, about: $0.about)) }.map { entity in
                QueuedNotice(
                    account: entity.account, kind: entity.kind, about: entity.about, entity: entity.id,
                    madeAt: entity.at, expiresAt: entity.at + PushRules.ageMax)
            }, at: now, in: change)
    }

    private func reached(_ entries: [JournalEntry], _ kind: EntitiesKind) -> [JournalEntry] {
        entries.filter { $0.is(kind) && registry.hasDevices(AccountNumber($0.subject)) }
    }
}

/// A reminder or event of which a person may be told.
struct TellableEntity: Sendable {
    var account: AccountNumber
    var id: [UInt8]
    var kind: NoticeKind
    var about: String
    var at: Timestamp
    /// Whether the person wants it, and be disturbed.
    var isWanted: Bool
}

/// What is said of a reminder or an event.
struct EntityFacts: Sendable {
    var account: AccountNumber
    var id: [UInt8]
    var title: String
    var isCancelled: Bool
    var isAskedToHost: Bool
}

enum EntitiesTold {
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
