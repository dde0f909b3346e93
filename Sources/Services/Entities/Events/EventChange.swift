import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// A change of an event: what the transaction has locked for it, once. Whatever changes an event needs one.
///
/// A transaction locks the event first, then the heads of its people, then it changes their attendances.
@ReactorActor
final class EventChange {
    let id: [UInt8]
    let change: Change
    /// Who gets the changes of the event.
    private(set) var people: [EventPerson]
    /// Everyone who learns of the change: these people, and whom it adds. Their heads are held. In order.
    private(set) var everyone: [AccountNumber]
    /// Those of all events that the transaction changes.
    let heads: StreamHeads

    /// - Parameter others: people whom the change adds.
    init(_ id: [UInt8], _ people: [EventPerson], and others: [AccountNumber], _ heads: StreamHeads, _ change: Change) {
        (self.id, self.people, self.heads, self.change) = (id, people, heads, change)
        everyone = Set(people.map(\.account) + others).sorted()
    }

    /// Takes people out, who learn of no further change.
    func remove(_ accounts: [AccountNumber]) {
        people.removeAll { accounts.contains($0.account) }
        everyone.removeAll { accounts.contains($0) }
    }
}

/// The heads of streams that a transaction holds, with their positions.
@ReactorActor
final class StreamHeads {
    private(set) var positions: [AccountNumber: Position]

    init(_ positions: [AccountNumber: Position]) { self.positions = positions }

    /// The position that the next change of an account's stream gets.
    func next(of account: AccountNumber) -> Position { positions[account, default: 0] + 1 }

    /// Adds heads that the transaction has locked since.
    func hold(_ others: [AccountNumber: Position]) { positions.merge(others) { known, _ in known } }

    /// Notes that the streams have moved on by a position.
    func moved(_ accounts: [AccountNumber]) { for account in accounts { positions[account, default: 0] += 1 } }
}

extension EntitiesService {
    /// Takes the people of an event that is locked.
    /// - Parameter others: people whom the change adds.
    func people(of id: [UInt8], and others: [AccountNumber] = [], in change: Change) async throws -> EventChange {
        let (people, heads) = try await lockPeople(of: [id], and: others, in: change)
        return EventChange(id, people[id, default: []], and: others, heads, change)
    }

    /// Locks events that are not deleted, in order, then the heads of all their people.
    func lock(
        _ events: [[UInt8]], in change: Change
    ) async throws -> [[UInt8]: (locked: EventsStore.LockedByService, event: EventChange)] {
        var locked: [[UInt8]: EventsStore.LockedByService] = [:]
        for event in Set(events).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            locked[event] = try await change.first(EventsStore.lockAny, .uuid(event))
        }
        guard !locked.isEmpty else { return [:] }
        let (people, heads) = try await lockPeople(of: Array(locked.keys), in: change)
        return Dictionary(
            uniqueKeysWithValues: locked.map { id, locked in
                (id, (locked, EventChange(id, people[id, default: []], and: [], heads, change)))
            })
    }

    private func lockPeople(
        of events: [[UInt8]], and others: [AccountNumber] = [], in change: Change
    ) async throws -> ([[UInt8]: [EventPerson]], StreamHeads) {
        let rows = try await change.query(EventsStore.lockPeople, .uuids(events), .numbers(others))
        var people: [[UInt8]: [EventPerson]] = [:]
        for row in rows {
            if let event = row.event, let person = row.person { people[event, default: []].append(person) }
        }
        let positions = Dictionary(rows.map { ($0.account, $0.position) }) { first, _ in first }
        return (people, StreamHeads(positions))
    }
}

extension EventsStore {
    /// Locks the heads of the people who get the changes of events, in order of account, until the end of the
    /// transaction. $1 events, which it has locked, $2 others whose heads it needs. Returns a row for each event and
    /// person, and for each of the others.
    static let lockPeople = Statement(
        """
        WITH people AS (
            SELECT a.event, a.account, a.status, a.is_host, a.remind_minutes, a.is_asked_to_host
            FROM entities.attendances AS a
            WHERE a.event = ANY ($1::uuid[])
                AND a.removed_at IS NULL
                AND NOT a.is_erased
                AND \(follows)
        ),
        held AS (
            INSERT INTO entities.heads AS h (account, position)
            SELECT account, 0
            FROM (
                SELECT account
                FROM people
                UNION
                SELECT account
                FROM unnest($2::bigint[]) AS o (account)
            ) AS x
            ORDER BY account
            ON CONFLICT (account) DO UPDATE
            SET position = h.position
            RETURNING account, position
        )
        SELECT h.account, h.position, p.event, p.status, p.is_host, p.remind_minutes, p.is_asked_to_host
        FROM held AS h
        LEFT JOIN people AS p ON p.account = h.account
        ORDER BY p.event, h.account
        """
    ) { row in
        let (account, event) = (try row.account(0), try row.optionalUUID(2))
        let person =
            event == nil
            ? nil
            : EventPerson(
                account: account, status: AttendanceStatus(rawValue: Int32(try row.int16(3))), isHost: try row.bool(4),
                isAskedToHost: try row.bool(6), remindMinutes: try row.int32(5))
        return (account: account, position: try row.position(1), event: event, person: person)
    }
}
