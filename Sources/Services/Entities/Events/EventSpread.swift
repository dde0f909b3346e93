import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Changes of events, and how they reach people: the people of the event by their own streams, the other members of
/// invited conversations by the messages of the cards.
extension EntitiesService {
    /// Changes a part of an event of which the caller is a host, at its next version.
    /// - Parameter rule: returns the event as it shall be. The same as before: nothing is stored.
    /// - Throws: ``Refusal`` `not_found`, `not_host`; what `rule` throws.
    func changeEvent(
        _ id: [UInt8], by caller: Caller, _ rule: @escaping @ReactorActor (LockedEvent) throws -> StoredEvent
    ) async throws -> EventReply {
        try await hosting(id, by: caller) { [self] id, locked, change in
            let after = try rule(locked)
            let parts = after.parts(otherThan: locked.event)
            guard !parts.isEmpty else { return nil }
            let rules = try zones.rules(of: after.schedule)
            let event = try await people(of: id.bytes, in: change)
            try await change.execute(
                EventsStore.change,
                [.uuid(id.bytes)]
                    + EventsStore.parameters(
                        after, after.schedule.span(rules), rules: zones.version, version: locked.version + 1,
                        locked.partVersions(changing: parts)) + [.number(context.clock.now)])
            if parts.contains(.dates) { try await setDates(after.schedule.changes, of: event, locked.creator) }
            if parts.contains(where: \.isOfTime) || locked.rules != zones.version {
                try await remind(of: event, after.schedule, unless: after.cancelledAt != nil)
            }
            return try await spread(event, by: caller.account, at: context.clock.now)
        }
    }

    /// Runs a change of an event by one of its hosts, under the event's lock.
    /// - Parameter work: returns the states by account; nil: there was nothing to change.
    /// - Throws: ``Refusal`` `not_found`, `not_host`; what `work` throws.
    func hosting(
        _ id: [UInt8], by caller: Caller, creatorOnly: Bool = false, evenDeleted: Bool = false,
        _ work: @escaping @ReactorActor (UUIDv7, LockedEvent, Change) async throws -> [AccountNumber: Event]?
    ) async throws -> EventReply {
        let id = try UUIDv7(id)
        try allowChange(by: caller)
        return try await self.change(by: caller) { change in
            guard let locked = try await change.first(EventsStore.lock, .uuid(id.bytes), .number(caller.account)),
                evenDeleted || !locked.isDeleted
            else { throw Refusal.notFound }
            guard locked.isHost, !creatorOnly || locked.creator == caller.account else {
                throw Refusal(
                    .notHost,
                    creatorOnly
                        ? "Only the creator of the event may do this. Ask them."
                        : "Only the creator of the event and its co-hosts may do this. Ask one of them.")
            }
            if let states = try await work(id, locked, change) {
                return EventReply(event: try Self.state(of: caller, states), duplicate: false)
            }
            let known = try await change.query(EventsStore.states, .uuid(id.bytes), .numbers([caller.account]))
            guard let known = known.first else { throw Refusal.notFound }
            return EventReply(event: known.event, duplicate: true)
        }
    }

    /// Publishes a change of an event that is stored, after it has taken out the people who no longer see the event.
    /// - Returns: the states of the people, by account.
    func spread(
        _ event: EventChange, by actor: AccountNumber, at now: Timestamp
    ) async throws -> [AccountNumber: Event] {
        let removed = try await event.change.query(EventsStore.removeUninvited, .uuid(event.id), .number(now), .null)
        defer { event.remove(removed) }
        return try await publish(event, to: event.everyone, by: actor)
    }

    /// Publishes an event to people at the next positions of their streams, and marks its cards as changed.
    func publish(
        _ event: EventChange, to people: [AccountNumber], by actor: AccountNumber
    ) async throws -> [AccountNumber: Event] {
        try await touchCards(of: event, by: actor)
        return try await publish(event, to: people, countsTo: [], .told)
    }

    /// Marks the cards of an event as changed.
    func touchCards(of event: EventChange, by actor: AccountNumber) async throws {
        for (card, place) in try await event.change.query(EventsStore.touch, .uuid(event.id)) {
            note(card, in: place, by: actor, event.change)
        }
    }

    /// Publishes an event to people at the next positions of their streams.
    /// - Parameters:
    ///   - others: people for whom only its counts have changed.
    ///   - due: whether everyone whom the counts concern is among these people.
    func publish(
        _ event: EventChange, to people: [AccountNumber], countsTo others: [AccountNumber], _ due: CountsDue
    ) async throws -> [AccountNumber: Event] {
        let (id, change) = (event.id, event.change)
        try await change.execute(
            EventsStore.advance, [.uuid(id), .numbers(people + others), .numbers(others)] + due.parameters)
        event.heads.moved(people + others)
        if !others.isEmpty {
            for (account, user, counts) in try await change.query(EventsStore.counts, .uuid(id), .numbers(others)) {
                var counts = counts
                counts.id = id
                change.publish(
                    PendingUpdate(
                        counts, as: EntitiesKind.eventCounts, subject: account, owner: user,
                        position: Position(counts.position), audience: [account]))
            }
        }
        var states: [AccountNumber: Event] = [:]
        guard !people.isEmpty else { return states }
        for (account, user, event) in try await change.query(EventsStore.states, .uuid(id), .numbers(people)) {
            change.publish(
                PendingUpdate(
                    event, as: EntitiesKind.event, subject: account, owner: user, position: Position(event.position),
                    audience: [account]))
            states[account] = event
        }
        return states
    }

    /// Takes out of events those who left their conversations, or were removed, and are not coming, and withdraws what
    /// was suggested to them there.
    func followLeaving(_ entries: [JournalEntry], _ change: Change) async throws {
        try await followBlocks(entries.filter { $0.is(ConversationsKind.block) }, change)
        let left = entries.filter { $0.is(ConversationsKind.left) || $0.is(ConversationsKind.removed) }
        guard !left.isEmpty else { return }
        try await withdrawSuggestions(
            of: left.map { AccountNumber($0.object) }, in: left.map { ConversationNumber($0.subject) }, change)
        let events = try await change.query(
            EventsStore.ofFormer, .int64s(left.map(\.subject)), .int64s(left.map(\.object)))
        try await takeOut(of: events, change)
    }

    /// Takes each of two people, one of whom blocks the other, out of the events of the other, whatever they answered,
    /// and withdraws what messages of the blocked one suggest to the blocker. The end of a block changes nothing.
    private func followBlocks(_ entries: [JournalEntry], _ change: Change) async throws {
        guard !entries.isEmpty else { return }
        let (blockers, blocked) = (entries.map(\.subject), entries.map(\.object))
        try await withdrawSuggestions(SuggestionsStore.openOfBlocked, [.int64s(blockers), .int64s(blocked)], change)
        let events = try await change.query(
            EventsStore.ofApart, .int64s(blockers + blocked), .int64s(blocked + blockers))
        try await takeOut(of: events, change)
    }

    /// Takes the people who no longer see them out of events.
    private func takeOut(of events: [[UInt8]], _ change: Change) async throws {
        for (_, (locked, event)) in try await lock(events, in: change) {
            _ = try await spread(event, by: locked.creator, at: context.clock.now)
        }
    }

    private func setDates(
        _ changes: [Int: EventSchedule.Change], of event: EventChange, _ creator: AccountNumber
    ) async throws {
        let dates = changes.map { day, change -> (day: Int32, newDay: Int32?, newSecond: Int32?) in
            guard case .moved(let newDay, let seconds) = change else { return (Int32(day), nil, nil) }
            return (Int32(day), Int32(newDay), seconds.map { Int32($0) })
        }
        try await event.change.execute(
            EventsStore.setDates, .uuid(event.id), .int32s(dates.map(\.day)), .optionalInt32s(dates.map(\.newDay)),
            .optionalInt32s(dates.map(\.newSecond)), .number(creator))
    }

    static func state(of caller: Caller, _ states: [AccountNumber: Event]) throws -> Event {
        guard let state = states[caller.account] else { throw DatabaseError.unexpected("the event was not stored") }
        return state
    }
}
