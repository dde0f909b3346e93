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
///     PRIMARY KEY (source, lane)
/// ) WITH (fillfactor = 50);
/// ```
///
/// A new lane is followed from its beginning, as far as the journal goes back. The follower waits for views that do not
/// exist yet, or may not be read yet.
@ReactorActor
public final class JournalFollower {
    /// Applies entries of one lane, in order of number, and ignores those it has no use for. It is called again with
    /// the same entries when the transaction fails, so it may only touch the database, through `change`.
    public typealias Handler = @ReactorActor (_ entries: [JournalEntry], _ change: Change) async throws -> Void

    private let source: String
    private let worker: Worker
    private let journal: Journal
    private let database: any Queryable
    private let log: Logger
    private let handle: Handler
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
    private var missingLine = LogThrottle(every: .seconds(10))
    private var poisonLine = LogThrottle(every: .seconds(60))

    /// - Parameters:
    ///   - source: the service to follow: "conversations".
    ///   - kinds: the kinds of entries passed to the handler; nil passes all. Of other entries only the kinds are read.
    ///   - batchMax: the maximum number of entries per transaction.
    ///   - interval: how often it looks for new entries.
    public convenience init(
        _ context: ServiceContext, follows source: String, kinds: Set<Int16>? = nil, batchMax: Int = 200,
        interval: Duration = .milliseconds(200), _ handle: @escaping Handler
    ) {
        self.init(
            source: source, kinds: kinds, batchMax: batchMax, interval: interval, journal: context.newJournal(1),
            database: context.database,
            log: context.log, handle)
    }

    init(
        source: String, kinds: Set<Int16>? = nil, batchMax: Int = 200, interval: Duration,
        waitMax: Duration = .seconds(5),
        journal: Journal, database: any Queryable, log: Logger, _ handle: @escaping Handler
    ) {
        self.waitMax = waitMax
        self.batchMax = batchMax
        self.source = source
        var workerLog = log
        workerLog[metadataKey: "source"] = "\(source)"
        worker = Worker(every: interval, log: workerLog, failed: "a journal cannot be followed for now")
        self.journal = journal
        self.database = database
        self.log = log
        self.handle = handle
        reader = JournalReader(schema: source, kinds: kinds)
        statements = FollowedStatements(schema: journal.schema, source: source)
        behind = Gauge(label: "parley_followed_entries_behind", dimensions: [("source", source)])
        leftOut = Counter(label: "parley_followed_entries_left_out_total", dimensions: [("source", source)])
    }

    /// Claims its lane and starts following.
    /// - Throws: ``DatabaseError`` when no lane can be claimed.
    public func start() async throws {
        try await journal.start()
        worker.start { [weak self] in await self?.round() }
    }

    /// Finishes the work under way and stops following.
    public func stop() async {
        await worker.stop()
        journal.close()
    }

    // MARK: Rounds

    /// Follows the lanes in turn until nothing is left.
    private func round() async {
        while !worker.isStopping {
            do {
                let found = try await database.query(statements.behind)
                behind.record(found.reduce(0) { $0 + $1.committed - ($1.done ?? 0) })
                var didSomething = false
                note(found.map(\.number))
                for lane in found where !worker.isStopping && lanes[lane.number]?.isDue(at: .now) ?? true {
                    if lane.done == nil { try await database.execute(statements.begin, .int32(Int32(lane.number))) }
                    if await follow(lane.number) { didSomething = true }
                }
                guard didSomething else { return }
            } catch let error where Self.isMissingView(error) {
                return noteMissing(error.message)
            } catch {
                return worker.note(error)
            }
        }
    }

    /// Notes which lanes have entries that wait.
    private func note(_ behind: [Int]) {
        for lane in lanes.keys where !behind.contains(lane) { lanes[lane]?.caughtUp() }
        for lane in behind where lanes[lane] == nil {
            lanes[lane] = FollowedLane(batchMax: batchMax, waitMax: waitMax)
            if hasLooked { lanes[lane]?.caughtUp() }
        }
        hasLooked = true
    }

    /// - Returns: whether anything was done.
    private func follow(_ lane: Int) async -> Bool {
        lanes[lane]?.begins()
        do {
            let isAlone = lanes[lane]?.isAlone ?? false
            guard let (done, page) = try await isAlone ? advanceByOne(lane) : advance(lane) else {
                return false
            }
            lanes[lane]?.succeeded(page.entries.count)
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
            metadata: ["source": "\(source)", "why": "\(why)", "more": "\(more)"])
    }

    private func notePoison(_ lane: Int, _ error: any Error) {
        guard let more = poisonLine.pass(at: .now), let state = lanes[lane] else { return }
        log.critical(
            "a journal entry cannot be applied; later entries of its lane wait",
            metadata: [
                "source": "\(source)", "lane": "\(lane)", "number": "\(state.stuckAt ?? 0)",
                "failures": "\(state.failures)", "error": "\(error)", "more": "\(more)",
            ])
    }

    private func noteLeftOut(_ entry: JournalEntry) {
        leftOut.increment()
        log.critical(
            "a journal entry is left out: the process died each time that it tried it; report this with the log",
            metadata: [
                "source": "\(source)", "lane": "\(entry.lane)", "number": "\(entry.number)", "kind": "\(entry.kind)",
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
                "source": "\(source)", "lane": "\(lane)", "missing": "\(page.missing)", "after": "\(done)",
                "through": "\(page.through)",
            ])
    }
}

/// The statements for a follower's cursors.
private struct FollowedStatements: Sendable {
    let behind: Statement<(number: Int, committed: Int64, done: Int64?)>
    /// $1 lane.
    let begin: Statement<Void>
    /// $1 lane. Returns no row while another replica works on the lane.
    let lock: Statement<Int64>
    /// $1 lane, $2 number.
    let advance: Statement<Void>
    /// $1 lane, $2 1 to count a try. Returns how often the entry after the cursor was tried, with those tries of which
    /// the process died; no row while another replica works on the lane.
    let tries: Statement<Int16>
    /// $1 lane.
    let survived: Statement<Void>

    init(schema: String, source: String) {
        behind = Statement(
            """
            SELECT l.lane, l.number, f.number
            FROM \(source).lanes AS l
            LEFT JOIN \(schema).followed AS f ON f.source = '\(source)' AND f.lane = l.lane
            WHERE l.number > COALESCE(f.number, 0)
            ORDER BY l.lane
            """
        ) { row in
            (number: Int(try row.int32(0)), committed: try row.int64(1), done: try row.optionalInt64(2))
        }
        begin = Statement(
            """
            INSERT INTO \(schema).followed (source, lane, number)
            VALUES ('\(source)', $1, 0)
            ON CONFLICT DO NOTHING
            """)
        lock = Statement(
            """
            SELECT number
            FROM \(schema).followed
            WHERE source = '\(source)'
                AND lane = $1
            FOR UPDATE SKIP LOCKED
            """
        ) { row in try row.int64(0) }
        advance = Statement(
            """
            UPDATE \(schema).followed
            SET number = $2
            WHERE source = '\(source)'
                AND lane = $1
            """)
        tries = Statement(
            """
            UPDATE \(schema).followed AS f
            SET tries = CASE WHEN f.tried_after = f.number THEN least(f.tries + $2, 1000) ELSE 1 END,
                tried_after = f.number
            FROM (
                SELECT source, lane
                FROM \(schema).followed
                WHERE source = '\(source)'
                    AND lane = $1
                FOR UPDATE SKIP LOCKED
            ) AS free
            WHERE f.source = free.source
                AND f.lane = free.lane
            RETURNING f.tries
            """
        ) { row in try row.int16(0) }
        survived = Statement(
            """
            UPDATE \(schema).followed
            SET tries = greatest(tries - 1, 0)
            WHERE source = '\(source)'
                AND lane = $1
                AND tried_after = number
            """)
    }
}

/// Decides how one lane is followed: how many entries per transaction, and when to retry after a failure. Pure.
///
/// The first entries of a process are tried alone, since the process before may have died of one of them. After a
/// failure the number of entries is halved until the failing entry is alone; those before it are done by then.
struct FollowedLane {
    /// After this many failures of a single entry, the log reports it as critical.
    static let failuresMax = 10
    /// An entry of which so many processes died is left out.
    static let deathsMax = 3

    private let waitMax: Duration
    private let batchMax: Int
    /// The maximum number of entries in the next transaction after those that are tried alone.
    private var share: Int
    /// How many entries are tried alone at most, which covers a batch of the process before.
    private var aloneMax: Int
    /// Consecutive failures of the entry that fails alone.
    private(set) var failures = 0
    /// The number of the entry that fails alone.
    private(set) var stuckAt: Int64?
    private var tried: (count: Int, first: Int64)?
    private var waits = 0
    private var notBefore: ContinuousClock.Instant?
    /// Whether a try of this process is written down for the entry that is tried alone.
    var isNoted = false

    /// - Parameters:
    ///   - batchMax: the maximum number of entries per transaction.
    ///   - waitMax: the longest wait before a retry.
    init(batchMax: Int = 200, waitMax: Duration = .seconds(5)) {
        (self.batchMax, self.waitMax) = (batchMax, waitMax)
        (share, aloneMax) = (batchMax, batchMax)
    }

    /// Whether the next entry is tried alone, and the try written down.
    var isAlone: Bool { aloneMax > 0 }
    /// The maximum number of entries in the next transaction.
    var limit: Int { isAlone ? 1 : share }

    func isDue(at now: ContinuousClock.Instant) -> Bool { notBefore.map { now >= $0 } ?? true }

    mutating func begins() { tried = nil }

    mutating func tries(_ entries: [JournalEntry]) { tried = entries.first.map { (entries.count, $0.number) } }

    /// - Parameter count: how many entries were done.
    mutating func succeeded(_ count: Int) {
        if isAlone { aloneMax -= count } else { share = min(batchMax, share * 2) }
        (failures, waits, stuckAt, notBefore, isNoted) = (0, 0, nil, nil, false)
    }

    /// No entry is left of those that waited at the start.
    mutating func caughtUp() { aloneMax = 0 }

    /// - Parameter isTransient: whether the failure has nothing to do with the entries.
    /// - Returns: whether one entry has failed alone too often.
    mutating func failed(isTransient: Bool, at now: ContinuousClock.Instant) -> Bool {
        if let tried, !isTransient {
            if tried.count > 1 {
                share = tried.count / 2
                notBefore = now + .milliseconds(20)
                return false
            }
            failures = stuckAt == tried.first ? failures + 1 : 1
            stuckAt = tried.first
        }
        notBefore = now + min(.milliseconds(50 << min(waits, 10)), waitMax)
        waits += 1
        return !isTransient && failures >= Self.failuresMax
    }
}
