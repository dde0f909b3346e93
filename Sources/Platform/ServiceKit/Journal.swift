import Logging
import Postgres
import Reactor
import Schema
import Wire

/// A committed change that clients are told of, as the journal names it and as it goes out.
public struct PendingUpdate: Sendable {
    /// The service's own number for the kind of change, kept in the journal.
    public var kindNumber: Int16
    /// The conversation or account whose stream this is.
    public var subject: Int64
    /// What changed in it: a conversation's or message's number; zero where the subject says it all.
    public var object: Int64
    public var stream: String
    public var position: Int64
    /// The message type of `body`.
    public var kind: String
    public var body: [UInt8]
    /// Account numbers of those who may see it.
    public var audience: [Int64]
    public var originSession: String
    public var control: Control?

    public init<Body: WireMessage>(
        _ body: Body, kindNumber: Int16, subject: Int64, object: Int64 = 0, stream: String, position: Int64,
        audience: [Int64], originSession: String = ""
    ) {
        self.kindNumber = kindNumber
        self.subject = subject
        self.object = object
        self.stream = stream
        self.position = position
        self.kind = Body.messageName
        self.body = body.encode()
        self.audience = audience
        self.originSession = originSession
    }

    /// An order to the gateways; no client sees it.
    public init(control: Control, kindNumber: Int16, subject: Int64) {
        self.kindNumber = kindNumber
        self.subject = subject
        self.object = 0
        self.stream = Self.controlStream
        self.position = 0
        self.kind = ""
        self.body = []
        self.audience = []
        self.originSession = ""
        self.control = control
    }

    /// A position of a stream that these accounts only count: what took it is not for them.
    public init(
        superseded kindNumber: Int16, subject: Int64, object: Int64, stream: String, position: Int64, audience: [Int64]
    ) {
        self.kindNumber = kindNumber
        self.subject = subject
        self.object = object
        self.stream = stream
        self.position = position
        self.kind = Self.superseded
        self.body = []
        self.audience = audience
        self.originSession = ""
    }

    /// A change that only services follow: it takes a number, and nobody is told.
    /// - Parameter actor: the account that did it; the audience of the entry.
    public init(note kindNumber: Int16, subject: Int64, object: Int64 = 0, actor: Int64) {
        self.kindNumber = kindNumber
        self.subject = subject
        self.object = object
        self.stream = Self.noteStream
        self.position = 0
        self.kind = ""
        self.body = []
        self.audience = [actor]
        self.originSession = ""
    }

    /// The kind of an Update that says nothing but its position.
    public static let superseded = "Superseded"
    static let controlStream = "control"
    static let noteStream = "note"

    func header(lane: Int, number: Int64) -> UpdateHeader {
        // Of a note nobody is told; who did it stays in the journal.
        UpdateHeader(
            lane: UInt32(lane), number: number, stream: stream, position: position, kind: kind, class: .durable,
            audience: kind.isEmpty ? [] : audience, originSession: originSession, control: control)
    }
}

/// The writing side of a service: transactions whose changes are journaled in them and published after them.
///
/// Each of its lanes is one connection with a number of its own; a lane's transactions are serial, so the order of
/// publishing is the order of commits is the order of numbers.
@ReactorActor
public final class Journal {
    public let schema: String
    public let lanes: [LaneHolder]
    private let publisher: UpdatePublisher
    private let statement: Statement<Int64>
    private var nextLane = 0

    /// - Parameters:
    ///   - laneCount: how many transactions run at once.
    ///   - claimed: called when a lane was claimed. What was committed on the lost one and not told is in the database
    ///     by then: the moment for a heartbeat.
    public init(
        schema: String, database: DatabaseConfiguration, laneCount: Int, publisher: UpdatePublisher, log: Logger,
        claimed: @escaping @ReactorActor () -> Void = {}
    ) {
        self.schema = schema
        self.publisher = publisher
        lanes = (0..<laneCount).map { _ in
            LaneHolder(schema: schema, database: database, log: log, claimed: claimed)
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
        for lane in lanes where !lane.isUsable { try await lane.start() }
    }

    public func close() {
        for lane in lanes { lane.close() }
    }

    /// Runs a transaction whose changes are told. What `body` publishes goes out once it is committed.
    ///
    /// The whole of it is run again on a serialisation failure or deadlock, so `body` may only touch the database.
    /// - Parameter key: changes of the same key take the same lane of this process, so that who follows the journal has
    ///   them in their order; nil: any lane.
    /// - Throws: what `body` throws (nothing is changed then); ``DatabaseError``.
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
                let (value, change, first) = try await lane.connection.transaction { transaction in
                    let change = Change(transaction, lane: lane.number)
                    let value = try await body(change)
                    let first = try await self.record(change.updates, lane: lane, in: transaction)
                    return (value, change, first)
                }
                for (offset, update) in change.updates.enumerated() {
                    publisher.publish(update.header(lane: lane.number, number: first + Int64(offset)), update.body)
                }
                for action in change.actions { action() }
                return value
            } catch DatabaseError.failed(let state, _, _, _) where state == "40001" || state == "40P01" {
                attempt += 1
                if attempt > 5 {
                    throw Refusal.unavailable(
                        "The database is busy with the same rows.", retryAfter: .milliseconds(200))
                }
                try await Reactor.shared.sleep(for: .milliseconds(Int64.random(in: 1...(10 << attempt))))
            }
        }
    }

    /// That of the key; otherwise lanes in turn, those that are busy last.
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
            .int64s(updates.map(\.subject)), .int64s(updates.map(\.object)), .int64s(updates.map(\.position)),
            .int16s(updates.map { Int16($0.audience.count) }), .int64s(updates.flatMap(\.audience)))
        guard let first else { throw DatabaseError.unexpected("lane \(lane.number) has no row") }
        return first
    }
}

/// A transaction that collects what is to be told after it.
@ReactorActor
public final class Change: Queryable {
    /// The number of the lane it is committed on.
    public let lane: Int
    private let transaction: Transaction
    fileprivate var updates: [PendingUpdate] = []
    fileprivate var actions: [@ReactorActor () -> Void] = []

    fileprivate init(_ transaction: Transaction, lane: Int) {
        self.transaction = transaction
        self.lane = lane
    }

    public func run(_ text: StatementText, _ parameters: [Parameter]) async throws(DatabaseError) -> ResultSet {
        try await transaction.run(text, parameters)
    }

    /// Goes out after commit, in the order of these calls.
    public func publish(_ update: PendingUpdate) { updates.append(update) }

    /// Runs `action` once the transaction is committed and what it published is out, in the order of these calls; not
    /// at all when it is rolled back, and not when it is unknown whether it was committed.
    public func afterCommit(_ action: @escaping @ReactorActor () -> Void) { actions.append(action) }
}

/// Keeps one lane claimed: claims another when its connection is lost.
@ReactorActor
public final class LaneHolder {
    private let schema: String
    private let database: DatabaseConfiguration
    private let log: Logger
    private let claimed: @ReactorActor () -> Void
    private var lane: Lane?
    private var isClosed = false
    private var isReclaiming = false

    /// - Parameter claimed: called with each claim, before anything is written on the lane.
    init(
        schema: String, database: DatabaseConfiguration, log: Logger,
        claimed: @escaping @ReactorActor () -> Void = {}
    ) {
        self.schema = schema
        self.database = database
        self.log = log
        self.claimed = claimed
    }

    /// Whether a lane is claimed and its connection stands.
    public var isUsable: Bool { lane?.isOpen ?? false }

    /// Whether something is under way on it.
    public var isBusy: Bool { (lane?.connection.load ?? 0) > 0 }

    /// The lane now.
    /// - Throws: ``DatabaseError/unavailable(_:)`` while there is none.
    public var current: Lane {
        get throws(DatabaseError) {
            guard let lane, lane.isOpen else { throw .unavailable("the connection for writing is being made anew") }
            return lane
        }
    }

    func start() async throws {
        let lane = try await Lane.claim(schema: schema, database, log: log)
        if isClosed { return lane.close() }
        guard lane.isOpen else { throw DatabaseError.unavailable("the connection was lost at once") }
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
        Task.immediate { @ReactorActor in
            var wait = Duration.milliseconds(50)
            while !isClosed {
                do {
                    try await start()
                    break
                } catch {
                    log.warning("no lane yet", metadata: ["error": "\(error)"])
                    try? await Reactor.shared.sleep(for: wait)
                    wait = min(wait * 2, .seconds(2))
                }
            }
            isReclaiming = false
        }
    }
}

extension DatabaseError: ConvertibleToRefusal {
    public var refusal: Refusal? {
        switch self {
        case .unavailable:
            .unavailable("The database cannot be reached; nothing is known to be lost.", retryAfter: .milliseconds(500))
        case .busy: .rateLimited(.milliseconds(500))
        case .failed(let state, _, _, _) where state == "40001" || state == "40P01":
            .unavailable("The database is busy with the same rows.", retryAfter: .milliseconds(200))
        case .failed(let state, _, _, _) where state == "57014" || state == "55P03" || state == "25P03":
            .unavailable("The database took too long.", retryAfter: .milliseconds(500))
        case .failed(let state, _, _, _) where state.hasPrefix("53") || state.hasPrefix("57P"):
            .unavailable("The database has no room or is stopping.", retryAfter: .seconds(1))
        // A constraint FIELD_is_short: text that is longer in NFC than it came.
        case .failed(let state, _, _, let constraint) where state == "23514" && constraint.hasSuffix("_is_short"):
            .invalid(String(constraint.dropLast("_is_short".utf8.count)), "is too long")
        case .failed, .unexpected: nil
        }
    }
}
