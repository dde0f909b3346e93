import Logging
import Postgres
import Reactor
import Schema
import Wire

/// A change to journal and publish: its journal entry, and the Update that goes out after commit.
public struct PendingUpdate: Sendable {
    /// The service's own number for the kind of change, kept in the journal.
    public var kindNumber: Int16
    /// The number of the conversation or account whose stream this is.
    public var subject: Int64
    /// The number of the conversation or message that changed in it; zero if the subject is enough.
    public var object: Int64
    public var stream: String
    public var position: Position
    /// The message type of `body`.
    public var kind: String
    public var body: [UInt8]
    public var audience: Audience
    public var control: Control?

    /// - Parameter owner: the id of the user or conversation that the stream belongs to.
    public init<Body: StreamState>(
        _ body: Body, as kind: some JournalKind, subject: some TypedNumber, object: some TypedNumber = Seq(0),
        owner: String, position: Position, audience: Audience
    ) {
        self.kindNumber = kind.number
        self.subject = subject.rawValue
        self.object = object.rawValue
        self.stream = Body.stream(of: owner)
        self.position = position
        self.kind = Body.messageName
        self.body = body.encode()
        self.audience = audience
    }

    /// Makes a control message to the gateways; no client sees it.
    public init(control: Control, as kind: some JournalKind, subject: AccountNumber) {
        self.kindNumber = kind.number
        self.subject = subject.rawValue
        self.object = 0
        self.stream = Self.controlStream
        self.position = 0
        self.kind = ""
        self.body = []
        self.audience = []
        self.control = control
    }

    /// Makes an Update for accounts that only count this position, since they may not see the change itself.
    public init(
        superseded kind: some JournalKind, subject: ConversationNumber, object: Seq, stream: String,
        position: Position, audience: Audience
    ) {
        self.kindNumber = kind.number
        self.subject = subject.rawValue
        self.object = object.rawValue
        self.stream = stream
        self.position = position
        self.kind = Self.superseded
        self.body = []
        self.audience = audience
    }

    /// Makes a note: a change that only services follow. It takes a number, but clients receive nothing.
    /// - Parameter actor: the account that made the change; it is the entry's audience.
    public init(
        note kind: some JournalKind, subject: ConversationNumber, object: AccountNumber = 0, actor: AccountNumber
    ) {
        self.init(note: kind, subject: subject, named: object, actor: actor)
    }

    /// Makes a note about another object than an account.
    public init(
        note kind: some JournalKind, subject: ConversationNumber, named object: some TypedNumber, actor: AccountNumber
    ) {
        self.kindNumber = kind.number
        self.subject = subject.rawValue
        self.object = object.rawValue
        self.stream = Self.noteStream
        self.position = 0
        self.kind = ""
        self.body = []
        self.audience = [actor]
    }

    /// The kind of an Update that contains nothing but its position.
    public static let superseded = "Superseded"
    static let controlStream = "control"
    static let noteStream = "note"

    func header(lane: Int, number: Int64) -> UpdateHeader {
        // A note has no recipients. Its actor stays in the journal.
        UpdateHeader(
            lane: UInt32(lane), number: number, stream: stream, position: position.rawValue, kind: kind,
            class: .durable, audience: kind.isEmpty ? [] : audience.rawValues, control: control)
    }
}

/// Runs a service's write transactions. Changes are journaled within the transaction and published after it.
///
/// Each of its lanes is one connection with its own number. A lane's transactions are serial, so numbers, commits and
/// publishing have the same order.
@ReactorActor
public final class Journal {
    public let schema: String
    public let lanes: [LaneHolder]
    private let database: DatabaseConfiguration
    private let log: Logger
    private let publisher: UpdatePublisher
    private let statement: Statement<Int64>
    private let claiming: @ReactorActor () -> Void
    private var nextLane = 0

    /// - Parameters:
    ///   - laneCount: how many transactions run concurrently.
    ///   - claimed: called when a lane has been claimed. By then the database shows what the lost lane committed
    ///     without
    ///     publishing it, so a heartbeat can announce it.
    ///   - claiming: called before ``start()`` claims a lane.
    public init(
        schema: String, database: DatabaseConfiguration, laneCount: Int, publisher: UpdatePublisher, log: Logger,
        claimed: @escaping @ReactorActor () -> Void = {}, claiming: @escaping @ReactorActor () -> Void = {}
    ) {
        self.schema = schema
        self.publisher = publisher
        (self.database, self.log, self.claiming) = (database, log, claiming)
        let unclaimed = FailureLine("no lane could be claimed", log)
        lanes = (0..<laneCount).map { _ in
            LaneHolder(schema: schema, database: database, log: log, unclaimed: unclaimed, claimed: claimed)
        }
        statement = Statement(
            """
            WITH advanced AS (
                UPDATE \(schema).lanes
                SET number = number + cardinality($3)
                WHERE lane = $1
                RETURNING number
            )
            INSERT INTO \(schema).journal (lane, number, at, kinds, subjects, objects, positions, audience_counts, audience)
            SELECT $1, number - cardinality($3) + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
                $2, $3, $4, $5, $6, $7
            FROM advanced
            RETURNING number
            """
        ) { row in try row.int64(0) }
    }

    public func start() async throws {
        for lane in lanes where !lane.isUsable {
            claiming()
            try await lane.start()
        }
    }

    public func close() {
        for lane in lanes { lane.close() }
    }

    /// Makes a listener to a channel of the same database.
    func newListener(to channel: String, heard: @escaping @ReactorActor () -> Void) -> Listener {
        var configuration = database
        configuration.applicationName += "-listener"
        return Listener(channel, configuration, log: log, heard: heard)
    }

    /// Runs a transaction and publishes its changes. Everything `body` publishes goes out after commit.
    ///
    /// After a serialisation failure or deadlock the whole transaction runs again, so `body` may only touch the
    /// database.
    /// - Parameter key: changes with the same key take the same lane of this process, so that followers of the journal
    ///   get them in order; nil takes any lane.
    /// - Throws: errors of `body`, after which nothing is changed; ``DatabaseError``.
    public func change<T: Sendable>(
        inOrderOf key: String? = nil, _ body: @escaping @ReactorActor (Change) async throws -> T
    ) async throws -> T {
        guard let span = RequestTracer.current?.part("transaction") else { return try await changed(key, body) }
        do {
            let value = try await changed(key, body)
            span.end("ok")
            return value
        } catch {
            span.end((error as? Refusal)?.code.rawValue ?? "failed")
            throw error
        }
    }

    private func changed<T: Sendable>(
        _ key: String?, _ body: @escaping @ReactorActor (Change) async throws -> T
    ) async throws -> T {
        let holder = takeLane(key)
        let lane = try holder.current
        var attempt = 0
        while true {
            do {
                return try await lane.connection.transaction { transaction in
                    let change = Change(transaction, lane: lane.number)
                    let value = try await body(change)
                    let first = try await record(change.updates, lane: lane, in: transaction)
                    return (value, change, first)
                } committed: { [publisher] _, change, first in
                    for (offset, update) in change.updates.enumerated() {
                        publisher.publish(update.header(lane: lane.number, number: first + Int64(offset)), update.body)
                    }
                    for action in change.actions { action() }
                }.0
            } catch let error as DatabaseError where error.isTransient {
                attempt += 1
                if attempt > 5 {
                    throw Refusal.unavailable(
                        "The database is busy with the same rows. Try again in a moment.",
                        retryAfter: .milliseconds(200))
                }
                // The transaction in the way is given time to end.
                try await Reactor.shared.sleep(for: .milliseconds(Int64.random(in: 1...(10 << attempt))))
            }
        }
    }

    /// Returns the lane of the key if it is usable. Otherwise takes lanes in turn, busy ones last.
    private func takeLane(_ key: String?) -> LaneHolder {
        if let key {
            let own = lanes[Int(UInt(bitPattern: key.hashValue) % UInt(lanes.count))]
            if own.isUsable { return own }
        }
        nextLane = (nextLane + 1) % lanes.count
        let inTurn = lanes[nextLane...] + lanes[..<nextLane]
        return inTurn.first { $0.isUsable && !$0.isBusy } ?? inTurn.first { $0.isUsable } ?? lanes[nextLane]
    }

    private func record(_ updates: [PendingUpdate], lane: Lane, in transaction: Transaction) async throws -> Int64 {
        guard !updates.isEmpty else { return 0 }
        let first = try await transaction.first(
            statement, .int32(Int32(lane.number)), .int16s(updates.map(\.kindNumber)),
            .int64s(updates.map(\.subject)), .int64s(updates.map(\.object)),
            .int64s(updates.map(\.position.rawValue)), .int16s(updates.map { Int16($0.audience.count) }),
            .int64s(updates.flatMap(\.audience.rawValues)))
        guard let first else { throw DatabaseError.unexpected("lane \(lane.number) has no row") }
        return first
    }
}

/// A transaction that collects the Updates to publish after it.
@ReactorActor
public final class Change: Queryable {
    /// The number of the lane that commits it.
    public let lane: Int
    private let transaction: Transaction
    fileprivate var updates: [PendingUpdate] = []
    private var bytesOfOthers = 0
    fileprivate var actions: [@ReactorActor () -> Void] = []

    fileprivate init(_ transaction: Transaction, lane: Int) {
        self.transaction = transaction
        self.lane = lane
    }

    public func run(_ text: StatementText, _ parameters: [Parameter]) async throws(DatabaseError) -> ResultSet {
        try await transaction.run(text, parameters)
    }

    /// Publishes `update` after commit, in the order of these calls.
    public func publish(_ update: PendingUpdate) { updates.append(update) }

    /// The bytes that go out to clients for what is published so far: the size of each Update times its recipients, and
    /// what another service sends because of it.
    public var deliveredBytes: Int {
        updates.reduce(bytesOfOthers) { $0 + $1.body.count * $1.audience.count }
    }

    /// Counts what another service sends to clients because of this change.
    public func causes(bytes: Int) { bytesOfOthers += bytes }

    /// Runs `action` after the transaction has committed and its Updates are published, in the order of these calls.
    /// Does not run it after a rollback, or when the outcome of the commit is unknown.
    public func afterCommit(_ action: @escaping @ReactorActor () -> Void) { actions.append(action) }
}

/// Keeps one lane claimed, and claims another when its connection is lost.
@ReactorActor
public final class LaneHolder {
    private let schema: String
    private let database: DatabaseConfiguration
    private let log: Logger
    private let claimed: @ReactorActor () -> Void
    private var lane: Lane?
    private var isClosed = false
    private let unclaimed: FailureLine
    private var isReclaiming = false

    /// - Parameters:
    ///   - unclaimed: the log line of the lanes of one journal: they fail for the same reason.
    ///   - claimed: called after each claim, before anything is written on the lane.
    init(
        schema: String, database: DatabaseConfiguration, log: Logger, unclaimed: FailureLine,
        claimed: @escaping @ReactorActor () -> Void = {}
    ) {
        self.schema = schema
        self.unclaimed = unclaimed
        self.database = database
        self.log = log
        self.claimed = claimed
    }

    /// Whether a lane is claimed and its connection is open.
    public var isUsable: Bool { lane?.isOpen ?? false }

    /// Whether the lane has work under way.
    public var isBusy: Bool { (lane?.connection.load ?? 0) > 0 }

    /// The current lane.
    /// - Throws: ``DatabaseError/unavailable(_:)`` while there is none.
    public var current: Lane {
        get throws(DatabaseError) {
            guard let lane, lane.isOpen else { throw .unavailable("the connection for writing is being reopened") }
            return lane
        }
    }

    func start() async throws {
        let lane = try await Lane.claim(schema: schema, database, log: log)
        if isClosed { return lane.close() }
        guard lane.isOpen else { throw DatabaseError.unavailable("the connection was lost immediately") }
        lane.onLost = { [weak self] _ in self?.reclaim() }
        self.lane = lane
        claimed()
    }

    func close() {
        isClosed = true
        lane?.close()
    }

    private func reclaim() {
        guard !isClosed, !isReclaiming else { return }
        isReclaiming = true
        lane = nil
        Task.onLoop {
            var wait = Duration.milliseconds(50)
            while !self.isClosed {
                do {
                    try await self.start()
                    break
                } catch {
                    self.unclaimed.write(error)
                    // Retries with growing waits.
                    try? await Reactor.shared.sleep(for: wait)
                    wait = min(wait * 2, .seconds(2))
                }
            }
            self.isReclaiming = false
        }
    }
}

extension DatabaseError: ConvertibleToRefusal {
    public var refusal: Refusal? {
        switch code {
        case .unavailable:
            .unavailable("The database cannot be reached. Try again in a moment.", retryAfter: .milliseconds(500))
        case .busy: .rateLimited(.milliseconds(500))
        case _ where isTransient:
            .unavailable(
                "The database is busy with the same rows. Try again in a moment.", retryAfter: .milliseconds(200))
        case .queryCanceled, .lockNotAvailable, .idleInTransactionSessionTimeout:
            .unavailable("The database took too long. Try again in a moment.", retryAfter: .milliseconds(500))
        case _ where isAboutServer:
            .unavailable(
                "The database has no room left or is stopping. Try again in a moment.", retryAfter: .seconds(1))
        // A constraint FIELD_is_short: the text became too long when normalised to NFC.
        case .checkViolation where constraint.hasSuffix("_is_short"):
            .invalid(String(constraint.dropLast("_is_short".utf8.count)), "is too long")
        default: nil
        }
    }
}
