import Glibc
import Logging
import Reactor

/// A pool of connections that keeps itself connected.
///
/// Statements share connections: each goes to the least loaded one, pipelined behind what is outstanding there. A
/// transaction has its connection to itself. When all are lost, requests wait up to
/// ``DatabaseConfiguration/waitTimeout`` and then fail; the pool never gives up trying.
@ReactorActor
public final class Database: Queryable {
    /// One place of the pool.
    @ReactorActor
    private final class Slot {
        var connection: Connection?
        /// Taken by a transaction.
        var isLeased = false
        /// Connects, or waits for its next attempt.
        var isTrying = false
        var backoff = Backoff()
        var connectedAt = ContinuousClock.now
    }

    private enum Demand { case shared, exclusive }

    @ReactorActor
    private final class Waiter {
        let demand: Demand
        let since = ContinuousClock.now
        var timer: Reactor.Timer?
        var continuation: CheckedContinuation<Result<Slot, DatabaseError>, Never>?

        init(_ demand: Demand) { self.demand = demand }

        func finish(_ result: Result<Slot, DatabaseError>) {
            if let timer { Reactor.shared.cancel(timer) }
            continuation?.resume(returning: result)
            continuation = nil
        }
    }

    private static let attemptsMax = 5

    private let configuration: DatabaseConfiguration
    private let log: Logger
    private let slots: [Slot]
    private var waiters = Queue<Waiter>()
    private var readyWaiters: [CheckedContinuation<Bool, Never>] = []
    private var isStarted = false
    private var isClosing = false
    private var wasReady = false
    private var saidAt: ContinuousClock.Instant?

    /// Why there is no connection, for health; nil when there is one.
    public private(set) var reason: String? = "not connected yet"

    /// Called when ``isReady`` changes.
    public var onReadyChange: ((Bool) -> Void)?

    /// ``start()`` begins to connect.
    public init(_ configuration: DatabaseConfiguration, log: Logger) {
        self.configuration = configuration
        self.log = log
        slots = (0..<max(1, configuration.connections)).map { _ in Slot() }
    }

    /// Whether there is a connection.
    public var isReady: Bool { slots.contains { $0.connection?.isOpen == true } }

    /// How many requests wait for a connection.
    public var waitingCount: Int { waiters.count }

    /// How many requests are on their way or wait for the transaction that has their connection.
    public var outstandingCount: Int { slots.reduce(0) { $0 + ($1.connection?.load ?? 0) } }

    /// Begins to connect, and returns at once. A server that is down is waited for.
    public func start() {
        guard !isStarted, !isClosing else { return }
        isStarted = true
        for slot in slots { connect(slot) }
    }

    /// Returns when there is a connection.
    /// - Throws: ``DatabaseError/unavailable(_:)`` when the pool is closed meanwhile.
    public func waitUntilReady() async throws(DatabaseError) {
        if isReady { return }
        guard !isClosing else { throw Self.closed }
        guard await withCheckedContinuation({ readyWaiters.append($0) }) else { throw Self.closed }
    }

    /// Refuses new requests, lets what is outstanding end (up to 5 s), and disconnects.
    public func close() async {
        isClosing = true
        for waiter in waiters.popAll() { waiter.finish(.failure(Self.closed)) }
        for waiter in readyWaiters { waiter.resume(returning: false) }
        readyWaiters = []
        let busy = slots.filter { $0.isLeased || ($0.connection?.load ?? 0) > 0 }
        if !busy.isEmpty {
            await withCheckedContinuation { continuation in
                drained.append(continuation)
                drainTimer = Reactor.shared.after(.seconds(5)) { [weak self] in self?.finishDraining() }
            }
        }
        for slot in slots { slot.connection?.close() }
    }

    private var drained: [CheckedContinuation<Void, Never>] = []
    private var drainTimer: Reactor.Timer?

    private func finishDraining() {
        if let drainTimer { Reactor.shared.cancel(drainTimer) }
        for continuation in drained { continuation.resume() }
        drained = []
    }

    private static let closed = DatabaseError.unavailable("the pool is closed")

    // MARK: Requests

    public func run(_ text: StatementText, _ parameters: [Parameter]) async throws(DatabaseError) -> ResultSet {
        while true {
            let slot = try await acquire(.shared)
            // It may have been lost between being handed out and now.
            if let connection = slot.connection, connection.isOpen {
                return try await connection.run(text, parameters)
            }
        }
    }

    /// Runs `body` in a transaction; the whole of it again, up to five times in all, when it fails by a serialization
    /// failure or a deadlock: what it does besides the database must bear that.
    /// - Throws: what `body` throws; ``DatabaseError/unavailable(_:)`` when the connection is lost, and during COMMIT
    ///   that means the outcome is unknown.
    public func transaction<T>(_ body: @ReactorActor (Transaction) async throws -> T) async throws -> T {
        var attempt = 1
        while true {
            do {
                return try await transactionOnce(body)
            } catch let error as DatabaseError where error.isTransient && attempt < Self.attemptsMax {
                log.debug("transaction is repeated after attempt \(attempt): \(error)")
                try await Reactor.shared.sleep(for: .milliseconds(10 * attempt) * Double.random(in: 0.5...1.5))
                attempt += 1
            }
        }
    }

    private func transactionOnce<T>(_ body: @ReactorActor (Transaction) async throws -> T) async throws -> T {
        while true {
            let slot = try await acquire(.exclusive)
            defer {
                slot.isLeased = false
                serveWaiters()
            }
            guard let connection = slot.connection, connection.isOpen else { continue }
            return try await connection.transaction(body)
        }
    }

    // MARK: Who gets which connection

    private func acquire(_ demand: Demand) async throws(DatabaseError) -> Slot {
        guard !isClosing else { throw Self.closed }
        if waiters.isEmpty, let slot = choose(demand) { return slot }
        guard waiters.count < configuration.waitingMax else {
            throw isReady ? .busy : .unavailable(reason ?? "no connection")
        }
        let waiter = Waiter(demand)
        return try await withCheckedContinuation { continuation in
            waiter.continuation = continuation
            waiters.append(waiter)
            watch(waiter, for: configuration.waitTimeout)
        }.get()
    }

    /// The least loaded connection that can take the demand now.
    private func choose(_ demand: Demand) -> Slot? {
        var best: Slot?
        var bestLoad = configuration.pipelineDepthMax
        for slot in slots where !slot.isLeased {
            guard let connection = slot.connection, connection.isFree, connection.load < bestLoad else { continue }
            best = slot
            bestLoad = connection.load
        }
        if demand == .exclusive { best?.isLeased = true }
        return best
    }

    private func serveWaiters() {
        if !drained.isEmpty, !slots.contains(where: { $0.isLeased || ($0.connection?.load ?? 0) > 0 }) {
            finishDraining()
        }
        while let waiter = waiters.first {
            guard let slot = choose(waiter.demand) else { return }
            _ = waiters.popFirst()
            waiter.finish(.success(slot))
        }
    }

    /// Ends the wait when there is no connection, or when connections are taken for longer than a statement may run.
    private func watch(_ waiter: Waiter, for delay: Duration) {
        waiter.timer = Reactor.shared.after(delay) { [weak self, weak waiter] in
            guard let self, let waiter else { return }
            let limit = max(configuration.statementTimeout, configuration.waitTimeout)
            let waited = ContinuousClock.now - waiter.since
            if isReady, waited < limit { return watch(waiter, for: min(configuration.waitTimeout, limit - waited)) }
            guard waiters.removeFirst(where: { $0 === waiter }) != nil else { return }
            waiter.finish(
                .failure(
                    .unavailable(
                        isReady ? "all connections were taken for \(waited)" : reason ?? "no connection")))
        }
    }

    // MARK: Connecting

    private func connect(_ slot: Slot) {
        slot.isTrying = true
        Task.immediate { @ReactorActor [weak self, configuration, log] in
            do throws(DatabaseError) {
                let connection = try await Connection.open(configuration, log: log)
                guard let self, !isClosing else { return connection.close() }
                connected(slot, connection)
            } catch {
                self?.disconnected(slot, error)
            }
        }
    }

    private func connected(_ slot: Slot, _ connection: Connection) {
        slot.connection = connection
        slot.isTrying = false
        slot.connectedAt = .now
        connection.onProgress = { [weak self] in self?.serveWaiters() }
        connection.onClose = { [weak self, weak slot] reason in
            guard let self, let slot else { return }
            slot.connection = nil
            // One that does not last must not lead to a storm of attempts.
            if ContinuousClock.now - slot.connectedAt > .seconds(2) { slot.backoff.reset() }
            disconnected(slot, .unavailable(reason))
        }
        noteReadiness(nil)
        serveWaiters()
        for slot in slots where slot.connection == nil && !slot.isTrying { connect(slot) }
    }

    private func disconnected(_ slot: Slot, _ error: DatabaseError) {
        slot.isTrying = false
        guard !isClosing else { return serveWaiters() }
        if case .unavailable(let why) = error { noteReadiness(why) } else { noteReadiness("\(error)") }
        // While there is none, one tries for all: a server that starts, is full or stands still has enough to do.
        if !isReady, slots.contains(where: \.isTrying) { return }
        slot.isTrying = true
        Reactor.shared.after(slot.backoff.next(random: .random(in: 0...1))) { [weak self] in
            guard let self, !isClosing else { return }
            connect(slot)
        }
    }

    private func noteReadiness(_ failure: String?) {
        let isReady = isReady
        reason = isReady ? nil : failure
        if isReady {
            for waiter in readyWaiters { waiter.resume(returning: true) }
            readyWaiters = []
        }
        if let failure { say(failure) }
        guard isReady != wasReady else { return }
        wasReady = isReady
        if isReady { log.info("connected to the database") }
        onReadyChange?(isReady)
    }

    /// Each failed attempt for the log's debug level; for people the loss, and every 10 s that it lasts.
    private func say(_ failure: String) {
        let isNews = (wasReady && !isReady) || saidAt.map { ContinuousClock.now - $0 > .seconds(10) } ?? true
        if isNews { saidAt = .now }
        let open = slots.count { $0.connection?.isOpen == true }
        log.log(
            level: isNews ? .warning : .debug,
            open == 0 ? "no database: \(failure)" : "only \(open) of \(slots.count) connections: \(failure)")
    }
}
