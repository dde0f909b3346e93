import Logging
import Metrics
import Postgres
import Reactor
import Wire

/// Follows another service's journal and applies the effects of each change to this service once.
///
/// The effects of entries and the cursor after them are committed together. So each entry takes effect exactly once,
/// however processes and connections die. Entries of a lane come in order of number; there is no order across lanes.
/// One replica at a time works on a lane; the others skip it.
///
/// An entry of which the process dies does not end it for ever. The entries that wait when a process starts are tried
/// one at a time, in all followers of the process, and each try is written down before it begins. An entry of which the
/// process died three times so is left out, logged and counted. Entries that come later are tried in batches, with
/// nothing written down: if the process dies of one, it is among those that wait when the next one starts.
///
/// It writes on its own lane, and reads the views `SOURCE.journal` and `SOURCE.lanes`. It keeps its cursors in its
/// service's schema:
///
/// ```sql
/// CREATE TABLE messaging.followed (
///     source text NOT NULL,
///     lane integer NOT NULL,
///     number bigint NOT NULL,
///     tried_after bigint NOT NULL DEFAULT 0,
///     tries smallint NOT NULL DEFAULT 0,
///     follower text NOT NULL DEFAULT '',
///     PRIMARY KEY (source, follower, lane)
/// ) WITH (fillfactor = 50);
/// ```
///
/// Each follower of a source has its own cursors, by its name. The name is never changed: under another one it would
/// follow from the beginning. The first follower of a source needs none; a second one does not start without its own.
///
/// With a ``JournalHearing`` it reads only the entries that may have an effect, and moves the cursor past the others
/// once a second. What was not heard it reads as without one.
///
/// A new lane is followed from its beginning, as far as the journal goes back. The follower waits for views that do not
/// exist yet, or may not be read yet.
@ReactorActor
public final class JournalFollower {
    /// Applies entries of one lane, in order of number, and ignores those it has no use for. It is called again with
    /// the same entries when the transaction fails, so it may only touch the database, through `change`.
    public typealias Handler = @ReactorActor (_ entries: [JournalEntry], _ change: Change) async throws -> Void

    private let source: String
    private let name: String
    /// Source and name, for log and metrics.
    private let label: String
    private let names: FollowerNames
    private var hasName = false
    private let worker: Worker
    private let journal: Journal
    private let database: any Queryable
    private let log: Logger
    private let handle: Handler
    private let hearing: JournalHearing?
    private let reader: JournalReader
    private let statements: FollowedStatements
    private let behind: Gauge
    private let leftOut: Counter
    /// Lets one entry of the process be tried alone at a time, so that a death is written down for no other.
    private static let alone = Turns()

    private let waitMax: Duration
    private let batchMax: Int
    private var lanes: [Int: FollowedLane] = [:]
    /// Whether the lanes that waited at the start are known.
    private var hasLooked = false
    /// When the lanes are looked at again although everything is heard.
    private var lookAt = ContinuousClock.now
    private static let lookEvery: Duration = .seconds(1)
    private var missingLine = LogThrottle(every: .seconds(10))
    private var poisonLine = LogThrottle(every: .seconds(60))

    /// - Parameters:
    ///   - source: the service to follow: "conversations".
    ///   - name: of letters, digits and hyphens; empty: the first follower of the source.
    ///   - kinds: the kinds of entries passed to the handler; nil passes all. Of other entries only the kinds are read.
    ///   - batchMax: the maximum number of entries per transaction.
    ///   - interval: how often it looks for new entries.
    ///   - hearing: what is heard of the source; nil: nothing.
    public convenience init(
        _ context: ServiceContext, follows source: String, name: StaticString = "", kinds: Set<Int16>? = nil,
        batchMax: Int = 200, interval: Duration = .milliseconds(200), hearing: JournalHearing? = nil,
        _ handle: @escaping Handler
    ) {
        self.init(
            source: source, name: name.description, names: context.followerNames, kinds: kinds, batchMax: batchMax,
            interval: interval, journal: context.newJournal(1), database: context.database, hearing: hearing,
            log: context.log, handle)
    }

    init(
        source: String, name: String, names: FollowerNames, kinds: Set<Int16>? = nil, batchMax: Int = 200,
        interval: Duration,
        waitMax: Duration = .seconds(5),
        journal: Journal, database: any Queryable, hearing: JournalHearing? = nil, log: Logger,
        _ handle: @escaping Handler
    ) {
        self.waitMax = waitMax
        self.batchMax = batchMax
        self.source = source
        self.name = name
        self.names = names
        label = name.isEmpty ? source : "\(source)/\(name)"
        var workerLog = log
        workerLog[metadataKey: "source"] = "\(label)"
        worker = Worker(every: interval, log: workerLog, failed: "a journal cannot be followed for now")
        self.journal = journal
        self.database = database
        self.log = log
        self.handle = handle
        self.hearing = hearing
        reader = JournalReader(schema: source, kinds: kinds)
        statements = FollowedStatements(schema: journal.schema, source: source, follower: name)
        behind = Gauge(label: "parley_followed_entries_behind", dimensions: [("source", label)])
        leftOut = Counter(label: "parley_followed_entries_left_out_total", dimensions: [("source", label)])
    }

    /// Claims its lane and starts following.
    /// - Throws: ``StartRefused`` when another follower of the service has its source and name, ``DatabaseError`` when
    ///   no lane can be claimed.
    public func start() async throws {
        // A start that the loss of the database ended is repeated.
        if !hasName {
            try names.take(name, of: source)
            hasName = true
        }
        try await journal.start()
        hearing?.start(
            onWanted: { [weak self] in self?.worker.wake() },
            onForgotten: { [weak self] in
                self?.lanes = [:]
                self?.lookAt = .now
            })
        worker.start { [weak self] in await self?.round() }
    }

    /// Finishes the work under way and stops following.
    public func stop() async {
        await worker.stop()
        do { try await keepCursors() } catch { worker.note(error) }
        hearing?.close()
        journal.close()
        if hasName { names.give(name, of: source) }
        hasName = false
    }

    // MARK: Rounds

    /// Follows the lanes in turn until nothing is left.
    private func round() async {
        while !worker.isStopping {
            do {
                if hearing == nil || .now >= lookAt { try await look() }
                var didSomething = false
                for lane in lanes.keys.sorted() where !worker.isStopping {
                    guard let state = lanes[lane], state.isDue(at: .now) else { continue }
                    let heard = hearing?.lane(lane)
                    guard let step = state.step(heard) else { continue }
                    // What was read may not be all there is.
                    if step == .read { lookAt = .now }
                    if await follow(lane, step) { didSomething = true }
                }
                guard didSomething else { return }
            } catch let error where Self.isMissingView(error) {
                return noteMissing(error.message)
            } catch {
                return worker.note(error)
            }
        }
    }

    /// Finds out which lanes have entries that wait.
    private func look() async throws(DatabaseError) {
        try await keepCursors()
        let found = try await database.query(statements.behind)
        lookAt = .now + Self.lookEvery
        let waiting = Set(found.map(\.number))
        for lane in lanes.keys where !waiting.contains(lane) { lanes[lane]?.caughtUp() }
        for lane in found {
            if lane.done == nil { try await database.execute(statements.begin, .int32(Int32(lane.number))) }
            if lanes[lane.number] == nil {
                lanes[lane.number] = FollowedLane(batchMax: batchMax, waitMax: waitMax)
                if hasLooked { lanes[lane.number]?.caughtUp() }
            }
            lanes[lane.number]?.looked(done: lane.done ?? 0, committed: lane.committed)
            hearing?.forget(lane.number, through: lane.done ?? 0)
        }
        hasLooked = true
        behind.record(
            found.reduce(Int64(0)) { sum, lane in
                let done = lane.done ?? 0
                let heard = hearing?.lane(lane.number).flatMap { $0.covers(after: done) ? $0.judged : nil } ?? done
                return sum + max(0, lane.committed - heard)
            })
    }

    /// Moves the cursors past what was heard and has no effect.
    private func keepCursors() async throws(DatabaseError) {
        guard let hearing else { return }
        var kept: [(lane: Int, from: Int64, to: Int64)] = []
        for (lane, state) in lanes where !state.isAlone {
            guard let heard = hearing.lane(lane), heard.covers(after: state.done) else { continue }
            let next = heard.wanted(after: state.done, limit: 1).first
            let number = next.map { $0 - 1 } ?? heard.judged
            if number > state.done { kept.append((lane, state.done, number)) }
        }
        guard !kept.isEmpty else { return }
        try await database.execute(
            statements.keep, .int32s(kept.map { Int32($0.lane) }), .int64s(kept.map(\.from)), .int64s(kept.map(\.to)))
    }

    /// - Returns: whether anything was done.
    private func follow(_ lane: Int, _ step: FollowedLane.Step) async -> Bool {
        lanes[lane]?.begins()
        do {
            if case .heard(let numbers, let through) = step { return try await advance(lane, heard: numbers, through) }
            let isAlone = lanes[lane]?.isAlone ?? false
            guard let (done, page) = try await isAlone ? advanceByOne(lane) : advance(lane) else {
                return false
            }
            lanes[lane]?.succeeded(page.entries.count, through: page.through)
            if page.missing > 0 { noteHole(lane, after: done, page) }
            return true
        } catch {
            let isPoisoned = lanes[lane]?.failed(isTransient: Self.isTransient(error), at: .now) ?? false
            if isPoisoned { notePoison(lane, error) } else { worker.note(error) }
            return false
        }
    }

    /// Writes down that the next entry of a lane is tried, and tries it, or leaves it out after too many deaths.
    private func advanceByOne(_ lane: Int) async throws -> (done: Int64, page: JournalPage)? {
        await Self.alone.take()
        defer { Self.alone.pass() }
        let isNoted = lanes[lane]?.isNoted ?? false
        let tries = try await database.first(statements.tries, .int32(Int32(lane)), .int16(isNoted ? 0 : 1))
        guard let tries else { return nil }
        lanes[lane]?.isNoted = true
        let isLeftOut = tries > FollowedLane.deathsMax
        do {
            let advanced = try await advance(lane, leavesOut: isLeftOut)
            if isLeftOut, let entry = advanced?.page.entries.first { noteLeftOut(entry) }
            return advanced
        } catch {
            // The process lives, so this try counts for nothing. If that cannot be stored, the next one is not counted.
            do {
                try await database.execute(statements.survived, .int32(Int32(lane)))
                lanes[lane]?.isNoted = false
            } catch { worker.note(error) }
            throw error
        }
    }

    /// Runs one transaction, which reads the next entries of a lane, applies their effects and moves the cursor past
    /// them.
    /// - Parameter leavesOut: whether it only moves the cursor.
    /// - Returns: the cursor before and the page; nil if another replica works on the lane, or nothing is left.
    private func advance(_ lane: Int, leavesOut: Bool = false) async throws -> (done: Int64, page: JournalPage)? {
        let limit = lanes[lane]?.limit ?? 1
        return try await journal.change { [self] change in
            guard let done = try await change.first(statements.lock, .int32(Int32(lane))) else { return nil }
            let page = try await reader.page(of: lane, from: done + 1, to: .max, limit: limit, in: change)
            guard page.through > done else { return nil }
            lanes[lane]?.tries(page.entries)
            if !page.entries.isEmpty, !leavesOut { try await handle(page.entries, change) }
            try await change.execute(statements.advance, .int32(Int32(lane)), .int64(page.through))
            return (done, page)
        }
    }

    /// Runs one transaction, which applies the effects of entries that were heard and moves the cursor past them.
    /// - Parameter through: the last number before which no other has an effect.
    /// - Returns: whether anything was done.
    private func advance(_ lane: Int, heard numbers: [Int64], _ through: Int64) async throws -> Bool {
        let advanced = try await journal.change { [self] change -> (count: Int, done: Int64)? in
            guard let done = try await change.first(statements.lock, .int32(Int32(lane))) else { return nil }
            // The numbers of another epoch, of which the next heartbeat tells.
            guard done >= lanes[lane]?.done ?? 0 else { return nil }
            guard done < through else { return (0, done) }
            let entries = try await reader.entries(of: lane, numbers.filter { $0 > done }, in: change)
            lanes[lane]?.tries(entries)
            if !entries.isEmpty { try await handle(entries, change) }
            try await change.execute(statements.advance, .int32(Int32(lane)), .int64(through))
            return (entries.count, through)
        }
        guard let advanced else { return false }
        lanes[lane]?.succeeded(advanced.count, through: advanced.done)
        hearing?.forget(lane, through: advanced.done)
        return true
    }

    // MARK: Failures

    /// Whether the error comes from the database or this process rather than from the entries.
    private static func isTransient(_ error: any Error) -> Bool {
        switch error {
        case let error as DatabaseError: error.code == .unavailable || error.code == .busy || error.isAboutServer
        case let refusal as Refusal: refusal.code == .unavailable
        default: false
        }
    }

    /// Whether the source has not created or granted its views yet: no such table, no such schema, no privilege.
    private static func isMissingView(_ error: DatabaseError) -> Bool {
        [.undefinedTable, .invalidSchemaName, .insufficientPrivilege].contains(error.code)
    }

    private func noteMissing(_ why: String) {
        guard let more = missingLine.pass(at: .now) else { return }
        log.notice(
            "waiting for the journal of another service",
            metadata: ["source": "\(label)", "why": "\(why)", "more": "\(more)"])
    }

    private func notePoison(_ lane: Int, _ error: any Error) {
        guard let more = poisonLine.pass(at: .now), let state = lanes[lane] else { return }
        log.critical(
            "a journal entry cannot be applied; later entries of its lane wait",
            metadata: [
                "source": "\(label)", "lane": "\(lane)", "number": "\(state.stuckAt ?? 0)",
                "failures": "\(state.failures)", "error": "\(error)", "more": "\(more)",
            ])
    }

    private func noteLeftOut(_ entry: JournalEntry) {
        leftOut.increment()
        log.critical(
            "a journal entry is left out: the process died each time that it tried it; report this with the log",
            metadata: [
                "source": "\(label)", "lane": "\(entry.lane)", "number": "\(entry.number)", "kind": "\(entry.kind)",
                "subject": "\(entry.subject)", "object": "\(entry.object)", "deaths": "\(FollowedLane.deathsMax)",
            ])
    }

    /// Logs entries that were dropped before they were followed. This service was away for longer than the journal goes
    /// back.
    private func noteHole(_ lane: Int, after done: Int64, _ page: JournalPage) {
        log.log(
            // A lane that was not followed before misses nothing.
            level: done == 0 ? .notice : .critical,
            "journal entries were dropped before they were followed",
            metadata: [
                "source": "\(label)", "lane": "\(lane)", "missing": "\(page.missing)", "after": "\(done)",
                "through": "\(page.through)",
            ])
    }
}

/// The followers that a service runs, so that no two share a cursor.
@ReactorActor
final class FollowerNames {
    private var taken: Set<[String]> = []

    nonisolated init() {}

    func take(_ name: String, of source: String) throws(StartRefused) {
        guard taken.insert([source, name]).inserted else {
            throw StartRefused(
                "two followers of the journal of \(source) have the name \"\(name)\" and would share a cursor. "
                    + "Give one of them a name of its own, as a parameter of JournalFollower.", code: 1)
        }
    }

    func give(_ name: String, of source: String) { taken.remove([source, name]) }
}

/// The statements for a follower's cursors.
private struct FollowedStatements: Sendable {
    let behind: Statement<(number: Int, committed: Int64, done: Int64?)>
    /// $1 lane.
    let begin: Statement<Void>
    /// $1 lanes, $2 cursors, $3 numbers: moves the cursors, which have come so far at least, forward to the numbers,
    /// except of lanes on which another replica works, and of those that are not committed so far.
    let keep: Statement<Void>
    /// $1 lane. Returns no row while another replica works on the lane.
    let lock: Statement<Int64>
    /// $1 lane, $2 number.
    let advance: Statement<Void>
    /// $1 lane, $2 1 to count a try. Returns how often the entry after the cursor was tried, with those tries of which
    /// the process died; no row while another replica works on the lane.
    let tries: Statement<Int16>
    /// $1 lane.
    let survived: Statement<Void>

    init(schema: String, source: String, follower: String) {
        behind = Statement(
            """
            SELECT l.lane, l.number, f.number
            FROM \(source).lanes AS l
            LEFT JOIN \(schema).followed AS f
                ON f.source = '\(source)' AND f.follower = '\(follower)' AND f.lane = l.lane
            WHERE l.number > COALESCE(f.number, 0)
            ORDER BY l.lane
            """
        ) { row in
            (number: Int(try row.int32(0)), committed: try row.int64(1), done: try row.optionalInt64(2))
        }
        begin = Statement(
            """
            INSERT INTO \(schema).followed (source, follower, lane, number)
            VALUES ('\(source)', '\(follower)', $1, 0)
            ON CONFLICT DO NOTHING
            """)
        keep = Statement<Void>(
            """
            UPDATE \(schema).followed AS f
            SET number = free.number
            FROM (
                SELECT o.lane, g.number
                FROM unnest($1::integer[], $2::bigint[], $3::bigint[]) AS g (lane, done, number)
                JOIN \(schema).followed AS o
                    ON o.source = '\(source)' AND o.follower = '\(follower)' AND o.lane = g.lane
                JOIN \(source).lanes AS l ON l.lane = g.lane
                WHERE o.number BETWEEN g.done AND g.number - 1
                    AND l.number >= g.number
                FOR UPDATE OF o SKIP LOCKED
            ) AS free
            WHERE f.source = '\(source)'
                AND f.follower = '\(follower)'
                AND f.lane = free.lane
            """)
        lock = Statement(
            """
            SELECT number
            FROM \(schema).followed
            WHERE source = '\(source)'
                AND follower = '\(follower)'
                AND lane = $1
            FOR UPDATE SKIP LOCKED
            """
        ) { row in try row.int64(0) }
        advance = Statement(
            """
            UPDATE \(schema).followed
            SET number = $2
            WHERE source = '\(source)'
                AND follower = '\(follower)'
                AND lane = $1
            """)
        tries = Statement(
            """
            UPDATE \(schema).followed AS f
            SET tries = CASE WHEN f.tried_after = f.number THEN least(f.tries + $2, 1000) ELSE 1 END,
                tried_after = f.number
            FROM (
                SELECT source, follower, lane
                FROM \(schema).followed
                WHERE source = '\(source)'
                    AND follower = '\(follower)'
                    AND lane = $1
                FOR UPDATE SKIP LOCKED
            ) AS free
            WHERE f.source = free.source
                AND f.follower = free.follower
                AND f.lane = free.lane
            RETURNING f.tries
            """
        ) { row in try row.int16(0) }
        survived = Statement(
            """
            UPDATE \(schema).followed
            SET tries = greatest(tries - 1, 0)
            WHERE source = '\(source)'
                AND follower = '\(follower)'
                AND lane = $1
                AND tried_after = number
            """)
    }
}
