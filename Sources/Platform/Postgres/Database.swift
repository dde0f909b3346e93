import Glibc
import Logging
import Reactor

/// A pool of connections that reconnects automatically.
///
/// Statements share connections. Each goes to the least loaded one and is pipelined behind its outstanding requests. A
/// transaction has its connection to itself. When all connections are lost, requests wait up to
/// ``DatabaseConfiguration/waitTimeout`` and then fail, but the pool never stops trying.
@ReactorActor
public final class Database: Queryable {
    /// One slot of the pool.
    @ReactorActor
    private final class Slot {
        var connection: Connection?
        /// Whether a transaction has the connection.
        var isLeased = false
        /// Whether it is connecting or waiting for its next attempt.
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
    private var warnedAt: ContinuousClock.Instant?

    /// The reason why there is no connection, for health checks; nil when there is one.
    public private(set) var reason: String? = "not connected yet"

    /// Called when ``isReady`` changes.
    public var onReadyChange: ((Bool) -> Void)?

    /// Creates a pool, which connects after ``start()``.
    public init(_ configuration: DatabaseConfiguration, log: Logger) {
        self.configuration = configuration
        self.log = log
        slots = (0..<max(1, configuration.connections)).map { _ in Slot() }
    }

    /// Whether there is a connection.
    public var isReady: Bool { slots.contains { $0.connection?.isOpen == true } }

    /// Number of requests that wait for a connection.
    public var waitingCount: Int { waiters.count }

    /// Number of requests in flight or waiting for the transaction that has their connection.
    public var outstandingCount: Int { slots.reduce(0) { $0 + ($1.connection?.load ?? 0) } }

    /// Begins to connect and returns immediately. If the server is down, the pool waits for it.
    public func start() {
        guard !isStarted, !isClosing else { return }
        isStarted = true
        for slot in slots { connect(slot) }
    }

    /// Waits until there is a connection.
    /// - Throws: ``DatabaseError/unavailable(_:)`` when the pool is closed meanwhile.
    public func waitUntilReady() async throws(DatabaseError) {
        if isReady { return }
        guard !isClosing else { throw Self.closed }
        guard await withCheckedContinuation({ readyWaiters.append($0) }) else { throw Self.closed }
    }

    /// Refuses new requests, waits up to 5 s for outstanding ones, and disconnects.
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
            // The connection may have been lost since the slot was assigned.
            if let connection = slot.connection, connection.isOpen {
                return try await connection.run(text, parameters)
            }
        }
    }

    /// Runs `body` in a transaction. After a serialization failure or a deadlock it runs `body` again, up to five times
    /// in all, so the side effects of `body` outside the database must be repeatable.
    /// - Throws: the error of `body`; ``DatabaseError/unavailable(_:)`` when the connection is lost. If that happens
    ///   during COMMIT, the outcome is unknown.
    public func transaction<T>(_ body: @ReactorActor (Transaction) async throws -> T) async throws -> T {
        var attempt = 1
        while true {
            do {
                return try await transactionOnce(body)
            } catch let error as DatabaseError where error.isTransient && attempt < Self.attemptsMax {
                log.debug("repeating a transaction after attempt \(attempt): \(error)")
                // Transactions that were in each other's way do not meet again.
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

    // MARK: Assigning connections

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

    /// Returns the slot of the least loaded connection that can take the demand now.
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

    /// Ends the wait when there is no connection, or when all have been busy for longer than a statement may run.
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
                        isReady ? "all connections were busy for \(waited)" : reason ?? "no connection")))
        }
    }

    // MARK: Connecting

    private func connect(_ slot: Slot) {
        slot.isTrying = true
        Task.onLoop { [weak self, configuration, log] in
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
            // A connection that is lost soon keeps its backoff, to prevent a storm of attempts.
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
        noteReadiness(error.code == .unavailable ? error.message : "\(error)")
        // Without any connection only one slot tries, to spare a server that is starting, full or stalled.
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
        if let failure { logFailure(failure) }
        guard isReady != wasReady else { return }
        wasReady = isReady
        if isReady { log.info("connected to the database") }
        onReadyChange?(isReady)
    }

    /// Logs a failure as a warning if it lost the last connection, otherwise at most every 10 s. Logs the rest at debug
    /// level.
    private func logFailure(_ failure: String) {
        let isWarning = (wasReady && !isReady) || warnedAt.map { ContinuousClock.now - $0 > .seconds(10) } ?? true
        if isWarning { warnedAt = .now }
        let open = slots.count { $0.connection?.isOpen == true }
        log.log(
            level: isWarning ? .warning : .debug,
            open == 0
                ? "no database connection: \(failure)"
                : "only \(open) of \(slots.count) database connections are open: \(failure)")
    }
}
