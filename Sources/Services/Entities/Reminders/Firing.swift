import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// What is due, in the order in which people have turns, as it was a moment ago. Pure.
struct DueInTurns {
    /// It looks at no more than so many.
    static let most: Int64 = 50_000
    /// It has no more than so many, which is what fires within its lifetime.
    static let length: Int64 = 1_000
    /// After this time it is made again, so that what has become due meanwhile gets its turn.
    private static let lifetime = Duration.milliseconds(200)

    /// The time of the latest at which it looked: what is due later became due since then.
    let latest: Timestamp
    private var left: ArraySlice<(account: AccountNumber, id: [UInt8])>
    private var until: ContinuousClock.Instant

    init(
        _ due: [(account: AccountNumber, id: [UInt8])] = [], latest: Timestamp = 0, at now: ContinuousClock.Instant
    ) {
        (self.latest, left, until) = (latest, due[...], now + Self.lifetime)
    }

    func isUsedUp(at now: ContinuousClock.Instant) -> Bool { left.isEmpty || now >= until }

    /// Takes what comes next; nothing once it is out of date.
    mutating func next(
        _ limit: Int, at now: ContinuousClock.Instant
    ) -> ArraySlice<(account: AccountNumber, id: [UInt8])> {
        guard !isUsedUp(at: now) else { return [] }
        defer { left = left.dropFirst(limit) }
        return left.prefix(limit)
    }
}

/// Fires reminders at their time (E4).
extension EntitiesService {
    /// The most reminders that a transaction moves after the rules of their zones have changed.
    private static let movesMax: Int64 = 500

    /// Fires the reminders that are due, in order of time, and publishes them to their owners. One whose zone has other
    /// rules since it was made fires at its time by these.
    ///
    /// When more are due than fire together, people have turns, so that one person's thousands hold up nobody else's.
    /// What becomes due meanwhile does not wait for the next turns: one of each person fires at once.
    func fireReminders(_ change: Change, _ limit: Int) async throws -> Int {
        var due: [PendingReminder] = []
        if !dueInTurns.isUsedUp(at: .now) {
            let fresh = try await change.query(
                RemindersStore.dueSince, .number(dueInTurns.latest), .int64(DueInTurns.most), .int64(Int64(limit / 2)))
            // Few others along with it, so that it goes out soon; some, so that they go on.
            let next = fresh + dueInTurns.next(fresh.isEmpty ? limit : limit / 5, at: .now)
            due = try await change.query(
                RemindersStore.dueAmong, .numbers(next.map(\.account)), .uuids(next.map(\.id)))
        }
        if due.isEmpty { due = try await change.query(RemindersStore.due, .int64(Int64(limit))) }
        if due.count == limit, dueInTurns.isUsedUp(at: .now) {
            let turns = try await change.query(
                RemindersStore.dueInTurns, .int64(DueInTurns.most), .int64(DueInTurns.length))
            dueInTurns = DueInTurns(turns.map { ($0.account, $0.id) }, latest: turns.first?.latest ?? 0, at: .now)
        }
        try await advance(due.map { $0.fired(following: following($0.reminder.due)) }, in: change)
        return due.count
    }

    /// Reads the rules of time zones again if the package `tzdata` was updated, and moves the reminders that fire at
    /// another time by them, and the events that take place at another time.
    func followRules() async throws {
        do { try zones.load() } catch { rulesWorker.note(error) }
        while !rulesWorker.isStopping {
            let count = try await context.journal.change { change in
                let found = try await change.query(
                    RemindersStore.ofEarlierRules, .text(self.zones.version), .int64(Self.movesMax))
                try await self.follow(found, in: change)
                return found.count
            }
            if count == 0 { break }
        }
        try await followRulesOfEvents()
    }

    private func follow(_ found: [PendingReminder], in change: Change) async throws {
        let followed = found.map { before in
            var after = before
            after.reminder.due = following(before.reminder.due)
            // A zone that no longer exists is not looked up again until the next version.
            after.reminder.due.rules = zones.version
            return (before: before, after: after)
        }
        let isMoved = { (pair: (before: PendingReminder, after: PendingReminder)) in
            pair.before.reminder.due.time != pair.after.reminder.due.time
        }
        let (kept, moved) = (followed.filter { !isMoved($0) }.map(\.after), followed.filter(isMoved).map(\.after))
        try await change.execute(
            RemindersStore.keepRules, .numbers(kept.map(\.account)), .uuids(kept.map(\.id)), .text(zones.version))
        try await advance(moved, in: change)
        if let first = moved.map(\.reminder.due.instant).min() { try await scheduler.wake(for: first, in: change) }
    }

    /// A zone that the package no longer has keeps its last known time.
    private func following(_ due: Due) -> Due { (try? due.following(zones)) ?? due }

    /// Stores changed reminders of several people at the next positions of their streams, and publishes them.
    private func advance(_ pending: [PendingReminder], in change: Change) async throws {
        guard !pending.isEmpty else { return }
        var positions = try await heads(of: pending.map(\.account), in: change)
        var taken: [Position] = []
        for one in pending {
            positions[one.account, default: 0] = positions[one.account, default: 0] + 1
            taken.append(positions[one.account, default: 0])
        }
        let changed = try await change.query(
            RemindersStore.advance, .numbers(pending.map(\.account)), .uuids(pending.map(\.id)), .numbers(taken),
            .numbers(pending.map(\.reminder.due.instant)), .numbers(pending.map(\.reminder.due.time.civil)),
            .int32s(pending.map { Int32($0.reminder.due.time.offset) }),
            .optionalNumbers(pending.map(\.reminder.firedAt)),
            .texts(pending.map(\.reminder.due.rules)))
        for (account, user, reminder) in changed { publish(reminder, of: account, user, in: change) }
    }
}
