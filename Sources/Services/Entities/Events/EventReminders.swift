import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Reminders of events: each person who accepted or may come is reminded of each date, as long before it as they wish.
/// Whole days remind nobody.
extension EntitiesService {
    /// The most events that a transaction moves after the rules of their zones have changed.
    private static let movesMax: Int64 = 100

    /// When a person is reminded next, of a date that is not so near that the time has passed.
    /// - Parameter time: dates that begin until then are over.
    private func reminder(
        _ minutes: Int32, of schedule: EventSchedule, _ rules: ZoneRules, now: Timestamp, after time: Timestamp = .min
    ) -> Timestamp? {
        guard minutes >= 0, !schedule.isWholeDays else { return nil }
        let before = Duration.seconds(Int64(minutes) * 60)
        return schedule.first(after: max(now + before, time), rules).map { $0.starts.instant - before }
    }

    /// When a person is reminded next who answered; nil: never.
    func reminder(of answer: StoredAttendance, _ stored: StoredEvent) throws -> Timestamp? {
        guard answer.isReminded, stored.cancelledAt == nil else { return nil }
        return reminder(
            answer.remindMinutes, of: stored.schedule, try zones.rules(of: stored.schedule), now: context.clock.now)
    }

    /// Stores what a person answered, with their next reminder.
    /// - Parameter answeredAt: nil: as before.
    func store(
        _ answer: StoredAttendance, of account: AccountNumber, answeredAt: Timestamp?, _ stored: StoredEvent,
        in event: EventChange
    ) async throws {
        let remindAt = try reminder(of: answer, stored)
        try await event.change.execute(
            EventsStore.answer, .number(account), .uuid(event.id), .int16(Int16(answer.status.rawValue)),
            .int32(answer.guests), .optional(answer.conversation), .optional(answeredAt), .int32(answer.remindMinutes),
            .optional(remindAt), .number(event.heads.next(of: account)), .bool(answer.hosting == .host),
            .bool(answer.hosting == .asked), .bool(answer.hosting == .declined))
        if let remindAt { try await scheduler.wake(for: remindAt, in: event.change) }
    }

    /// Sets the next reminders of the people of an event that has changed.
    func remind(of event: EventChange, _ schedule: EventSchedule, unless isCancelled: Bool) async throws {
        let rules = isCancelled ? nil : try zones.rules(of: schedule)
        let now = context.clock.now
        let times = event.people.map { person -> Timestamp? in
            guard person.isReminded, let rules else { return nil }
            return reminder(person.remindMinutes, of: schedule, rules, now: now)
        }
        try await event.change.execute(
            EventsStore.remind, .uuid(event.id), .numbers(event.people.map(\.account)), .optionalNumbers(times))
        if let first = times.compactMap({ $0 }).min() { try await scheduler.wake(for: first, in: event.change) }
    }

    /// Reminds the people who are due.
    func remindOfEvents(_ change: Change, _ limit: Int) async throws -> Int {
        let due = try await change.query(EventsStore.remindersDue, .int64(Int64(limit)))
        var found: [(id: [UInt8], schedule: EventSchedule, people: [EventsStore.DuePerson])] = []
        for id in Set(due).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            guard let schedule = try await change.first(EventsStore.lockUnlocked, .uuid(id)) else { continue }
            found.append(
                (id, schedule, try await change.query(EventsStore.remindersOf, .uuid(id), .int64(Int64(limit)))))
        }
        let heads = StreamHeads(try await heads(of: found.flatMap(\.people).map(\.account), in: change))
        for (id, schedule, people) in found where !people.isEmpty {
            let rules = try zones.rules(of: schedule)
            let accounts = people.map(\.account)
            let starts = people.map { $0.remindAt + .seconds(Int64($0.minutes) * 60) }
            let next = zip(people, starts).map { person, start in
                reminder(person.minutes, of: schedule, rules, now: person.now, after: start)
            }
            try await change.execute(
                EventsStore.reminded, .uuid(id), .numbers(accounts), .numbers(starts), .optionalNumbers(next),
                .number(people[0].now))
            let event = EventChange(id, [], and: accounts, heads, change)
            _ = try await publish(event, to: accounts, countsTo: [], .unchanged)
        }
        return found.reduce(0) { $0 + $1.people.count }
    }

    /// Moves the events whose zones have other rules since their times were computed.
    func followRulesOfEvents() async throws {
        while !rulesWorker.isStopping {
            let count = try await context.journal.change { [self] change in
                let found = try await change.query(
                    EventsStore.ofEarlierRules, .text(zones.version), .int64(Self.movesMax))
                for (id, startsAt, creator) in found {
                    guard let locked = try await change.first(EventsStore.lockAny, .uuid(id)) else { continue }
                    // A zone that no longer exists keeps its last known times.
                    guard let rules = try? zones.rules(of: locked.schedule) else {
                        try await change.execute(EventsStore.keepRules, .uuid(id), .text(zones.version))
                        continue
                    }
                    let span = locked.schedule.span(rules)
                    let event = try await people(of: id, in: change)
                    try await change.execute(
                        EventsStore.move, .uuid(id), .number(span.starts), .number(span.ends), .text(zones.version))
                    try await remind(of: event, locked.schedule, unless: locked.isCancelled)
                    if span.starts != startsAt { _ = try await spread(event, by: creator, at: context.clock.now) }
                }
                return found.count
            }
            if count == 0 { return }
        }
    }

    /// Takes erased people out of their events. The first co-host takes over an event whose creator was erased; without
    /// one, it is called off, or deleted if nobody else knows of it.
    func removeErased(_ change: Change, _ limit: Int) async throws -> Int {
        let erased = try await change.query(EventsStore.erasedPeople, .int64(Int64(limit)))
        let events = try await lock(erased.map(\.event), in: change)
        for (id, account) in erased {
            guard let (locked, event) = events[id] else {
                try await change.execute(EventsStore.forget, .number(account), .uuid(id))
                continue
            }
            let now = context.clock.now
            let invitations = try await change.query(EventsStore.invitations, .uuid(id))
            try await change.execute(EventsStore.forget, .number(account), .uuid(id))
            if locked.creator == account {
                if let heir = event.people.first(where: \.isHost) {
                    try await change.execute(EventsStore.handOver, .uuid(id), .number(heir.account))
                } else if event.people.isEmpty, invitations.isEmpty {
                    try await change.execute(EventsStore.delete, .uuid(id), .number(now))
                    continue
                } else {
                    try await change.execute(EventsStore.callOff, .uuid(id), .number(now))
                    try await remind(of: event, locked.schedule, unless: true)
                }
            }
            _ = try await spread(event, by: account, at: now)
        }
        return erased.count
    }
}

extension EventsStore {
    /// In how many microseconds the next person is reminded; null if nobody is.
    static let nextReminder = Statement(
        """
        SELECT (
            SELECT remind_at
            FROM entities.attendances
            WHERE remind_at IS NOT NULL
            ORDER BY remind_at
            LIMIT 1
        ) - (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
        """
    ) { row in try row.optionalInt64(0) }

    /// The events of which somebody is to be reminded, in order of time. $1 limit.
    static let remindersDue = Statement(
        """
        SELECT event
        FROM entities.attendances
        WHERE remind_at IS NOT NULL
            AND remind_at <= (extract(epoch FROM statement_timestamp()) * 1000000)::bigint
        ORDER BY remind_at, account, event
        LIMIT $1
        """
    ) { row in try row.uuid(0) }

    /// Locks an event unless another transaction has. $1 id.
    static let lockUnlocked = Statement(
        """
        SELECT \(scheduleColumns)
        FROM entities.events AS e
        WHERE e.id = $1
        FOR UPDATE OF e SKIP LOCKED
        """
    ) { row in try schedule(row, from: 0) }

    /// The people who are to be reminded of a locked event, with the time by the clock of the database. $1 event, $2
    /// limit.
    static let remindersOf = Statement(
        """
        SELECT account, remind_at, remind_minutes, (extract(epoch FROM statement_timestamp()) * 1000000)::bigint
        FROM entities.attendances
        WHERE event = $1
            AND remind_at <= (extract(epoch FROM statement_timestamp()) * 1000000)::bigint
            AND removed_at IS NULL
        ORDER BY account
        LIMIT $2
        """
    ) { row in
        DuePerson(
            account: try row.account(0), remindAt: try row.time(1), minutes: try row.int32(2), now: try row.time(3))
    }

    /// A person who is to be reminded.
    struct DuePerson: Sendable {
        var account: AccountNumber
        var remindAt: Timestamp
        /// How long before the event.
        var minutes: Int32
        /// By the clock of the database.
        var now: Timestamp
    }

    /// Records that people were reminded. $1 event, $2 accounts, $3 when the dates begin, $4 next reminders, $5 now.
    static let reminded = Statement<Void>(
        """
        UPDATE entities.attendances AS a
        SET reminded_at = $5,
            reminded_of = g.starts_at,
            remind_at = g.remind_at
        FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS g (account, starts_at, remind_at)
        WHERE a.event = $1
            AND a.account = g.account
        """)

    /// Events whose instants follow from earlier rules. $1 version of the rules, $2 limit.
    static let ofEarlierRules = Statement(
        """
        SELECT id, starts_at, account
        FROM entities.events
        WHERE zone_rules < $1
            AND deleted_at IS NULL
            AND time_zone <> ''
        ORDER BY zone_rules
        LIMIT $2
        """
    ) { row in (event: try row.uuid(0), startsAt: try row.time(1), creator: try row.account(2)) }

    /// $1 event, $2 starts at, $3 ends at, $4 version of the rules.
    static let move = Statement<Void>(
        """
        WITH invitations AS (
            UPDATE entities.event_invitations
            SET ends_at = $3
            WHERE event = $1
                AND ends_at <> $3
        ),
        people AS (
            UPDATE entities.attendances
            SET ends_at = $3
            WHERE event = $1
                AND ends_at <> $3
        )
        UPDATE entities.events
        SET starts_at = $2,
            ends_at = $3,
            zone_rules = $4
        WHERE id = $1
        """)

    /// $1 event, $2 version of the rules.
    static let keepRules = Statement<Void>(
        """
        UPDATE entities.events
        SET zone_rules = $2
        WHERE id = $1
        """)

    // MARK: Erased people

    /// Zero if erased people are in events, else null.
    static let nextErased = Statement(
        """
        SELECT CASE WHEN EXISTS (SELECT FROM entities.attendances WHERE is_erased) THEN 0::bigint END
        """
    ) { row in try row.optionalInt64(0) }

    /// $1 limit.
    static let erasedPeople = Statement(
        """
        SELECT event, account
        FROM entities.attendances
        WHERE is_erased
        ORDER BY event, account
        LIMIT $1
        """
    ) { row in (event: try row.uuid(0), account: try row.account(1)) }

    /// $1 account, $2 event.
    static let forget = Statement<Void>(
        """
        DELETE FROM entities.attendances
        WHERE account = $1
            AND event = $2
        """)

    /// $1 event, $2 its new creator.
    static let handOver = Statement<Void>(
        """
        WITH dates AS (
            UPDATE entities.event_dates AS d
            SET account = $2
            FROM entities.events AS e
            WHERE e.id = $1
                AND d.account = e.account
                AND d.event = $1
        )
        UPDATE entities.events
        SET account = $2,
            conversation = NULL,
            source_message = NULL
        WHERE id = $1
        """)

    /// $1 event, $2 now.
    static let callOff = Statement<Void>(
        """
        UPDATE entities.events
        SET cancelled_at = COALESCE(cancelled_at, $2),
            changed_at = $2,
            version = version + 1,
            conversation = NULL,
            source_message = NULL
        WHERE id = $1
        """)
}
