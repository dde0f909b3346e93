import Logging
import Metrics
import Postgres
import Reactor
import Wire

/// Follows another service's journal: what this service must do because of that one's changes, it does once for each.
///
/// The effects of entries and the place up to which they are done are committed together, so however processes and
/// connections die, each entry takes effect exactly once. Entries of a lane come in order of number; across lanes no
/// order is promised. Of several replicas one at a time works on a lane; the others pass it by.
///
/// It writes on a lane of its own, and reads the views `SOURCE.journal` and `SOURCE.lanes`. Its place it keeps in its
/// service's schema:
///
/// ```sql
/// CREATE TABLE messaging.followed (
///     source text NOT NULL,
///     lane integer NOT NULL,
///     number bigint NOT NULL,
///     PRIMARY KEY (source, lane)
/// ) WITH (fillfactor = 50);
/// ```
///
/// A new lane is followed from its beginning, as far as the journal goes back. Views that are not there yet, or may not
/// be read yet, are waited for.
@ReactorActor
public final class JournalFollower {
    /// Applies entries of one lane, in order of number. Called again with the same entries when the transaction fails,
    /// so it may only touch the database, through the change. Entries it has no use for it leaves alone.
    public typealias Handler = @ReactorActor (_ entries: [JournalEntry], _ change: Change) async throws -> Void

    private let source: String
    private let interval: Duration
    private let journal: Journal
    private let database: any Queryable
    private let log: Logger
    private let handle: Handler
    private let reader: JournalReader
    private let statements: FollowedStatements
    private let behind: Gauge

    private let waitMax: Duration
    private let most: Int
    private var lanes: [Int: FollowedLane] = [:]
    private var timer: Reactor.Timer?
    private var isStopping = false
    private var isWorking = false
    private var onIdle: [CheckedContinuation<Void, Never>] = []
    private var failureLine = LogThrottle(every: .seconds(10))
    private var poisonLine = LogThrottle(every: .seconds(60))

    /// - Parameters:
    ///   - source: the service that is followed: "conversations".
    ///   - kinds: only entries of these are handed on. Of the others nothing but their kinds is read; nil: all.
    ///   - most: how many entries a transaction takes at most.
    ///   - interval: how often it looks for what is new.
    public convenience init(
        _ context: ServiceContext, follows source: String, kinds: Set<Int16>? = nil, most: Int = 200,
        interval: Duration = .milliseconds(200), _ handle: @escaping Handler
    ) {
        self.init(
            source: source, kinds: kinds, most: most, interval: interval, journal: context.newJournal(1),
            database: context.database,
            log: context.log, handle)
    }

    init(
        source: String, kinds: Set<Int16>? = nil, most: Int = 200, interval: Duration,
        waitMax: Duration = .seconds(5),
        journal: Journal, database: any Queryable, log: Logger, _ handle: @escaping Handler
    ) {
        self.waitMax = waitMax
        self.most = most
        self.source = source
        self.interval = interval
        self.journal = journal
        self.database = database
        self.log = log
        self.handle = handle
        reader = JournalReader(schema: source, kinds: kinds)
        statements = FollowedStatements(schema: journal.schema, source: source)
        behind = Gauge(label: "parley_followed_entries_behind", dimensions: [("source", source)])
    }

    /// Claims its lane and begins to follow.
    /// - Throws: ``DatabaseError`` when there is no lane to be had.
    public func start() async throws {
        try await journal.start()
        tick()
    }

    /// Ends what is under way and follows no more.
    public func stop() async {
        isStopping = true
        if let timer { Reactor.shared.cancel(timer) }
        if isWorking { await withCheckedContinuation { onIdle.append($0) } }
        journal.close()
    }

    // MARK: Rounds

    private func tick() {
        guard !isStopping, !isWorking else { return }
        isWorking = true
        Task.immediate { @ReactorActor [self] in
            await round()
            isWorking = false
            for waiting in onIdle { waiting.resume() }
            onIdle = []
            guard !isStopping else { return }
            timer = Reactor.shared.after(interval) { [weak self] in self?.tick() }
        }
    }

    /// Until nothing is left, lanes in turn.
    private func round() async {
        while !isStopping {
            do {
                let found = try await database.query(statements.behind)
                behind.record(found.reduce(0) { $0 + $1.committed - ($1.done ?? 0) })
                var didSomething = false
                for lane in found where !isStopping && lanes[lane.number]?.isDue(at: .now) ?? true {
                    if lane.done == nil { try await database.execute(statements.begin, .int32(Int32(lane.number))) }
                    if await follow(lane.number) { didSomething = true }
                }
                guard didSomething else { return }
            } catch DatabaseError.failed(let state, let message, _, _) where Self.isMissingView(state) {
                return noteMissing(message)
            } catch {
                return note(error)
            }
        }
    }

    /// - Returns: whether anything was done.
    private func follow(_ lane: Int) async -> Bool {
        lanes[lane, default: FollowedLane(most: most, waitMax: waitMax)].begins()
        do {
            guard let (done, page) = try await advance(lane) else { return false }
            lanes[lane]?.succeeded()
            if page.missing > 0 { noteHole(lane, after: done, page) }
            return true
        } catch {
            let isPoisoned = lanes[lane]?.failed(isPassing: Self.isPassing(error), at: .now) ?? false
            if isPoisoned { notePoison(lane, error) } else { note(error) }
            return false
        }
    }

    /// One transaction: the next entries of a lane, their effects, and the place after them.
    /// - Returns: the place before and what was done; nil when another replica is at it, or there is nothing.
    private func advance(_ lane: Int) async throws -> (done: Int64, page: JournalPage)? {
        let limit = lanes[lane]?.limit ?? 1
        return try await journal.change { [self] change in
            guard let done = try await change.first(statements.lock, .int32(Int32(lane))) else { return nil }
            let page = try await reader.page(of: lane, from: done + 1, to: .max, limit: limit, in: change)
            guard page.through > done else { return nil }
            lanes[lane]?.tries(page.entries)
            if !page.entries.isEmpty { try await handle(page.entries, change) }
            try await change.execute(statements.advance, .int32(Int32(lane)), .int64(page.through))
            return (done, page)
        }
    }

    // MARK: What goes wrong

    /// Whether it is about the database or this process rather than about the entries.
    private static func isPassing(_ error: any Error) -> Bool {
        switch error {
        case DatabaseError.unavailable, DatabaseError.busy: true
        case DatabaseError.failed(let state, _, _, _): state.hasPrefix("53") || state.hasPrefix("57P")
        case let refusal as Refusal: refusal.code == .unavailable
        default: false
        }
    }

    /// The source has not made its views yet, or not granted them yet: no such table, no such schema, no privilege.
    private static func isMissingView(_ sqlstate: String) -> Bool { ["42P01", "3F000", "42501"].contains(sqlstate) }

    private func note(_ error: any Error) {
        guard let more = failureLine.pass(at: .now) else { return }
        log.warning(
            "a journal is not followed for now",
            metadata: ["source": "\(source)", "error": "\(error)", "more": "\(more)"])
    }

    private func noteMissing(_ why: String) {
        guard let more = failureLine.pass(at: .now) else { return }
        log.notice(
            "waiting for the journal of another service",
            metadata: ["source": "\(source)", "why": "\(why)", "more": "\(more)"])
    }

    private func notePoison(_ lane: Int, _ error: any Error) {
        guard let more = poisonLine.pass(at: .now), let state = lanes[lane] else { return }
        log.critical(
            "an entry of a journal cannot be followed; those behind it in its lane wait",
            metadata: [
                "source": "\(source)", "lane": "\(lane)", "number": "\(state.stuckAt ?? 0)",
                "failures": "\(state.failures)", "error": "\(error)", "more": "\(more)",
            ])
    }

    /// Entries are gone that were to be followed: this service was away for longer than the journal goes back.
    private func noteHole(_ lane: Int, after done: Int64, _ page: JournalPage) {
        log.log(
            // Where nothing was followed before, nothing is missed either.
            level: done == 0 ? .notice : .critical,
            "entries of a journal were gone before they were followed",
            metadata: [
                "source": "\(source)", "lane": "\(lane)", "missing": "\(page.missing)", "after": "\(done)",
                "through": "\(page.through)",
            ])
    }
}

/// Where a follower keeps its place.
private struct FollowedStatements: Sendable {
    let behind: Statement<(number: Int, committed: Int64, done: Int64?)>
    /// $1 lane.
    let begin: Statement<Void>
    /// $1 lane. No row: another replica is at it.
    let lock: Statement<Int64>
    /// $1 lane, $2 number.
    let advance: Statement<Void>

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
    }
}

/// How one lane is followed: how many entries at once, and when again after a failure. Pure.
///
/// A failure of many is tried again by halves until the entry that fails stands alone; those before it are done then.
struct FollowedLane {
    /// After so many failures of one entry alone people are told.
    static let failuresMax = 10

    private let waitMax: Duration
    private let most: Int
    /// How many entries the next transaction takes at most.
    private(set) var limit: Int
    /// Of the entry that fails alone, in a row.
    private(set) var failures = 0
    /// The number of the entry that fails alone.
    private(set) var stuckAt: Int64?
    private var tried: (count: Int, first: Int64)?
    private var waits = 0
    private var notBefore: ContinuousClock.Instant?

    /// - Parameters:
    ///   - most: how many entries at once.
    ///   - waitMax: until a failure is tried again.
    init(most: Int = 200, waitMax: Duration = .seconds(5)) {
        (self.most, self.waitMax) = (most, waitMax)
        limit = most
    }

    func isDue(at now: ContinuousClock.Instant) -> Bool { notBefore.map { now >= $0 } ?? true }

    mutating func begins() { tried = nil }

    mutating func tries(_ entries: [JournalEntry]) { tried = entries.first.map { (entries.count, $0.number) } }

    mutating func succeeded() {
        limit = min(most, limit * 2)
        (failures, waits, stuckAt, notBefore) = (0, 0, nil, nil)
    }

    /// - Parameter isPassing: it says nothing about the entries.
    /// - Returns: whether one entry has failed alone too often.
    mutating func failed(isPassing: Bool, at now: ContinuousClock.Instant) -> Bool {
        if let tried, !isPassing {
            if tried.count > 1 {
                limit = tried.count / 2
                notBefore = now + .milliseconds(20)
                return false
            }
            failures = stuckAt == tried.first ? failures + 1 : 1
            stuckAt = tried.first
        }
        notBefore = now + min(.milliseconds(50 << min(waits, 10)), waitMax)
        waits += 1
        return !isPassing && failures >= Self.failuresMax
    }
}
