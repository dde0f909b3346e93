import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// What others learn of answers: how many people come to an event, and nothing else of it.
///
/// The first answer in a while is told to everyone in its own transaction. Answers that follow within
/// ``EventsStore/countsInterval`` only note in the event that its counts are due, and one Update tells all of them
/// when the time is over. The note is committed with the answer, so any replica tells what one that died did not.
extension EntitiesService {
    /// How often a replica looks for counts that another one, which died, should have told.
    static let countsLook = Duration.seconds(2)
    /// What an Update of counts has at most, about.
    private static let countsBytes = 64
    /// How many events one statement finds at most.
    private static let countsMax = 20

    /// Publishes an answer that is stored at once. The person's devices get the event, the others only its counts.
    func tellCounts(
        _ event: EventChange, by caller: AccountNumber, at now: Timestamp
    ) async throws -> [AccountNumber: Event] {
        let removed = try await event.change.query(EventsStore.removeUninvited, .uuid(event.id), .number(now), .null)
        // The event ends for those who were taken out, and may have had them as hosts.
        guard removed.allSatisfy({ $0 == caller }) else {
            return try await publish(event, to: event.everyone, by: caller)
        }
        try await touchCards(of: event, by: caller)
        return try await publish(
            event, to: [caller], countsTo: event.everyone.filter { $0 != caller }, CountsDue.told)
    }

    /// Publishes an answer that is stored to the person's own devices, and leaves it to ``tellDueCounts()`` to tell the
    /// others.
    /// - Parameter isComing: whether the person comes or may come: then they see the event wherever they are.
    func tellCountsLater(
        _ event: EventChange, by caller: AccountNumber, isComing: Bool, _ locked: LockedEvent, at now: Timestamp
    ) async throws -> [AccountNumber: Event] {
        let change = event.change
        if !isComing {
            _ = try await change.query(
                EventsStore.removeUninvited, .uuid(event.id), .number(now), .number(caller))
        }
        // They cost what they would, told alone.
        let bytes = Self.countsBytes * locked.attendees
        change.afterCommit { [delivery] in delivery.delivered(for: caller, bytes: bytes) }
        if !locked.areCountsDue {
            change.afterCommit { [weak self] in
                _ = Reactor.shared.after(EventsStore.countsInterval) { self?.countsWorker.wake() }
            }
        }
        return try await publish(event, to: [caller], countsTo: [], .later(knownTo: caller))
    }

    /// Tells everyone the counts that are due, one event after the other.
    func tellDueCounts() async throws {
        var found = 0
        repeat {
            let due = try await context.database.query(EventsStore.countsDue, .int64(Int64(Self.countsMax)))
            found = due.count
            for id in due {
                guard !countsWorker.isStopping else { return }
                do {
                    try await context.journal.change { [self] in try await tellDueCounts(of: id, $0) }
                } catch {
                    countsWorker.note(error)
                    // They are still due. The others do not wait for them, however many there are of these.
                    try await context.database.execute(EventsStore.postponeCounts, .uuid(id))
                }
            }
        } while found == Self.countsMax
    }

    private func tellDueCounts(of id: [UInt8], _ change: Change) async throws {
        // Another replica may have told them.
        guard let last = try await change.first(EventsStore.lockCountsDue, .uuid(id)) else { return }
        let event = try await people(of: id, in: change)
        let removed = try await change.query(
            EventsStore.removeUninvited, .uuid(id), .number(context.clock.now), .null)
        guard removed.isEmpty else {
            _ = try await publish(event, to: event.everyone, by: last)
            return
        }
        try await touchCards(of: event, by: last)
        // The answers were counted without the cards, since many answers change these once.
        let bytes = change.deliveredBytes
        change.afterCommit { [delivery] in delivery.delivered(for: last, bytes: bytes) }
        _ = try await publish(event, to: [], countsTo: event.everyone.filter { $0 != last }, .told)
    }
}

/// What becomes of counts that others have to be told.
enum CountsDue: Sendable {
    /// Everyone learns them now.
    case told
    /// One person learns them now, who changed them; the others later.
    case later(knownTo: AccountNumber)
    /// As before.
    case unchanged

    fileprivate var isTold: Bool { if case .told = self { true } else { false } }
    fileprivate var person: AccountNumber? { if case .later(let account) = self { account } else { nil } }

    /// The last two parameters of ``EventsStore/advance``.
    var parameters: [Parameter] { [.bool(isTold), .optional(person)] }
}

extension EventsStore {
    /// How long after everyone was told the counts of an event they are told again.
    static let countsInterval = Duration.seconds(1)
    /// After how long those of an event that could not be told are tried again.
    static let countsPause = Duration.seconds(10)

    /// A condition: whether everyone was told the counts of event e a moment ago. A clock that was set back does not
    /// make it true for long.
    static let wereCountsTold = """
        (extract(epoch FROM statement_timestamp()) * 1000000)::bigint
            BETWEEN e.counted_at - \(countsInterval.microseconds) AND e.counted_at + \(countsInterval.microseconds)
        """

    /// $1 limit: events whose counts are to be told by now, those that wait longest first.
    static let countsDue = Statement(
        """
        SELECT id
        FROM entities.events
        WHERE counts_due_at IS NOT NULL
            AND counts_due_at <= (extract(epoch FROM statement_timestamp()) * 1000000)::bigint
        ORDER BY counts_due_at
        LIMIT $1
        """
    ) { row in try row.uuid(0) }

    /// Moves an event whose counts could not be told behind the others, unless a transaction has locked it. $1 id.
    static let postponeCounts = Statement<Void>(
        """
        UPDATE entities.events
        SET counts_due_at = (extract(epoch FROM statement_timestamp()) * 1000000)::bigint
            + \(countsPause.microseconds)
        WHERE ctid = ANY (ARRAY(
            SELECT ctid
            FROM entities.events
            WHERE id = $1
                AND counts_due_at IS NOT NULL
            FOR UPDATE SKIP LOCKED
        ))
        """)

    /// Locks an event whose counts are still to be told, and returns who answered last. $1 id.
    static let lockCountsDue = Statement(
        """
        SELECT e.counts_by
        FROM entities.events AS e
        WHERE e.id = $1
            AND e.counts_due_at IS NOT NULL
        FOR UPDATE OF e
        """
    ) { row in try row.account(0) }

    /// The counts of an event for people of it. $1 id, $2 accounts.
    static let counts = Statement(
        """
        SELECT a.account, r.user_id, a.position, e.accepted, e.tentative, e.declined, e.coming
        FROM unnest($2::bigint[]) AS g (account)
        CROSS JOIN LATERAL \(oneRow(
            "account, position", from: "entities.attendances", where: "account = g.account", by: "event", is: "$1"
        )) AS a
        CROSS JOIN \(oneRow(
            "accepted, tentative, declined, coming", from: "entities.events", by: "id", is: "$1"
        )) AS e
        JOIN conversations.account_ids AS r ON r.account = a.account
        ORDER BY a.account
        """
    ) { row in
        (
            account: try row.account(0), user: try row.text(1),
            counts: EventCounts(
                position: try row.int64(2), accepted: UInt32(try row.int32(3)), tentative: UInt32(try row.int32(4)),
                declined: UInt32(try row.int32(5)), coming: UInt32(try row.int32(6)))
        )
    }

    /// Returns the counts whose change for the account is still its event's last.
    static let currentCounts = Statement(
        """
        SELECT e.ordinal, r.user_id, a.event, a.position, s.accepted, s.tentative, s.declined, s.coming
        FROM \(replayedEntries)
        JOIN conversations.account_ids AS r ON r.account = e.subject
        LEFT JOIN LATERAL \(oneRow(
            "event, position", from: "entities.attendances", where: "account = e.subject", by: "position",
            is: "e.position"
        )) AS a ON true
        LEFT JOIN LATERAL \(oneRow(
            "accepted, tentative, declined, coming", from: "entities.events", by: "id", is: "a.event"
        )) AS s ON true
        """
    ) { row in
        CurrentState(
            ordinal: Int(try row.int64(0)), owner: try row.text(1),
            state: try row.optionalUUID(2).map { event in
                EventCounts(
                    id: event, position: try row.int64(3), accepted: UInt32(try row.int32(4)),
                    tentative: UInt32(try row.int32(5)), declined: UInt32(try row.int32(6)),
                    coming: UInt32(try row.int32(7)))
            })
    }
}
