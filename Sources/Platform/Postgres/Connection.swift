import CPostgres
import Glibc
import Logging
import Reactor

/// A connection that pipelines requests. It sends each without waiting for earlier answers and receives the answers in
/// order. Each request is its own transaction, so a failed one does not affect the others.
///
/// All requests of one turn of the loop are sent together at its end.
@ReactorActor
public final class Connection: Queryable {
    /// A request in flight.
    final class Request {
        let text: StatementText
        let parameters: [Parameter]
        /// nil when no caller waits for the answer.
        var continuation: CheckedContinuation<Result<ResultSet, DatabaseError>, Never>?
        /// Called with the answer before the caller is resumed, on the loop and in the order of the answers. Tasks may
        /// go on in another order.
        private let arrived: ((Result<ResultSet, DatabaseError>) -> Void)?
        /// The received result; final once the pipeline delivers it.
        var result: ResultSet?

        init(
            _ text: StatementText, _ parameters: [Parameter],
            arrived: ((Result<ResultSet, DatabaseError>) -> Void)? = nil
        ) {
            self.text = text
            self.parameters = parameters
            self.arrived = arrived
        }

        func finish(_ result: Result<ResultSet, DatabaseError>) {
            arrived?(result)
            continuation?.resume(returning: result)
            continuation = nil
        }
    }

    /// A request or transaction that waits for the current transaction to end.
    private enum Waiter {
        case request(Request)
        case transaction(CheckedContinuation<DatabaseError?, Never>)
    }

    /// Whether requests can be made.
    public private(set) var isOpen = true
    /// Called once with the reason when the connection is lost or closed.
    public var onClose: ((String) -> Void)? {
        // If the connection is already lost, call the handler now, so that its owner does not wait forever.
        didSet {
            if !isOpen, let onClose {
                self.onClose = nil
                onClose("lost")
            }
        }
    }

    /// How long to wait when the server is silent although requests are outstanding.
    enum Patience: Equatable {
        /// The connection counts as lost after this time.
        case limit(Duration)
        /// Without limit, as long as the server answers another connection.
        case whileServerAnswers
    }

    /// Called when a notification of a channel has arrived that this connection listens to.
    var onNotification: (() -> Void)?

    var patience: Patience
    /// Called when results have arrived and there may be room for more requests.
    var onProgress: (() -> Void)?

    private(set) var handle: OpaquePointer
    private let configuration: DatabaseConfiguration
    private let log: Logger
    private var watch: Reactor.Watch?
    private var pipeline = Pipeline<Request>()
    private var statements = PreparedStatements()
    private let encoder = ParameterEncoder()
    private var flushIsScheduled = false
    private var isHeld = false
    private var waiters = Queue<Waiter>()
    private var script: Script?
    private var lastProgress = ContinuousClock.now
    private var silenceTimer: Reactor.Timer?
    private var isProbing = false
    /// Number of consecutive probes without an answer.
    private var unansweredProbes = 0

    /// The host that last accepted a connection, by connection string.
    private static var lastHosts: [String: String] = [:]

    /// Connects, trying each address of the configured hosts. The host that last accepted a connection comes first,
    /// because a host that is down costs the whole timeout.
    /// - Throws: ``DatabaseError/unavailable(_:)`` with the reason of the first attempt.
    public static func open(
        _ configuration: DatabaseConfiguration, log: Logger = Logger(label: "postgres")
    ) async throws(DatabaseError) -> Connection {
        var failure: DatabaseError?
        for host in try hosts(of: configuration) {
            do {
                for target in try await host.addresses() {
                    do {
                        let handle = try await Opening.open(target, timeout: configuration.connectTimeout)
                        lastHosts[configuration.url] = host.description
                        return Connection(handle, configuration, log)
                    } catch {
                        failure = failure ?? error
                    }
                }
            } catch {
                failure = failure ?? error
            }
        }
        // The first failure is that of the preferred host.
        throw failure ?? .unavailable("the connection string names no host")
    }

    /// Returns the hosts to try, beginning with the one that last accepted a connection.
    static func hosts(of configuration: DatabaseConfiguration) throws(DatabaseError) -> [ConnectionTarget] {
        let hosts = try configuration.hosts()
        let lastHost = lastHosts[configuration.url]
        return hosts.filter { $0.description == lastHost } + hosts.filter { $0.description != lastHost }
    }

    private init(_ handle: OpaquePointer, _ configuration: DatabaseConfiguration, _ log: Logger) {
        self.handle = handle
        self.configuration = configuration
        self.log = log
        patience =
            configuration.statementTimeout > .zero
            ? .limit(configuration.statementTimeout + configuration.silenceMargin) : .whileServerAnswers
        // Unretained, because the handle is freed before this object.
        PQsetNoticeReceiver(
            handle,
            { context, notice in
                guard let context, let notice else { return }
                let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
                let text = PQresultErrorMessage(notice).map { String(cString: $0).trimmed } ?? ""
                ReactorActor.assumeIsolated { connection.log.debug("notice from the database: \(text)") }
            }, Unmanaged.passUnretained(self).toOpaque())
        watch = Reactor.shared.watch(descriptor: PQsocket(handle), for: .readable) { [weak self] ready in
            self?.socketIsReady(ready)
        }
    }

    isolated deinit { lose("released") }

    /// Closes the connection immediately. Outstanding requests fail with ``DatabaseError/unavailable(_:)``.
    public func close() { lose("closed") }

    /// The server's process id for this connection, as in `pg_stat_activity`.
    public var backend: Int32 { isOpen ? PQbackendPID(handle) : 0 }

    /// Number of requests that are outstanding or wait for a transaction to end.
    public var load: Int { pipeline.requestCount + waiters.count }

    // MARK: Requests

    public func run(_ text: StatementText, _ parameters: [Parameter]) async throws(DatabaseError) -> ResultSet {
        try await start(Request(text, parameters)) { request in
            if isHeld || !waiters.isEmpty {
                waiters.append(.request(request))
            } else {
                send(request, endsGroup: true)
            }
        }
    }

    /// Waits for the answer to a request that `begin` sends or queues.
    func start(
        _ request: Request, _ begin: (Request) -> Void
    ) async throws(DatabaseError) -> ResultSet {
        guard isOpen else { throw .unavailable("the connection is closed") }
        return try await withCheckedContinuation { continuation in
            request.continuation = continuation
            begin(request)
        }.get()
    }

    /// Adds a request to the pipeline.
    /// - Parameter endsGroup: whether later requests run even if this one fails.
    func send(_ request: Request, endsGroup: Bool) {
        guard isOpen else { return request.finish(.failure(.unavailable("the connection is closed"))) }
        do {
            try encoder.encode(request.parameters)
        } catch {
            return request.finish(.failure(error))
        }
        noteSending()
        let (number, mustPrepare) = statements.find(request.text, encoder.types)
        let name = "s\(number)"
        if mustPrepare {
            let types = statements.types(of: number)
            guard PQsendPrepare(handle, name, request.text.sql, CInt(types.count), types) == 1 else {
                request.finish(.failure(lastError))
                return lose(lastErrorText)
            }
            pipeline.sent(.prepare(number))
        }
        let sent = encoder.withArguments { count, values, lengths, formats in
            PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1)
        }
        guard sent == 1 else {
            request.finish(.failure(lastError))
            return lose(lastErrorText)
        }
        pipeline.sent(.query(request, number))
        if endsGroup { sync() }
        scheduleFlush()
    }

    /// Ends a group. A failure before this point does not affect later requests.
    func sync() {
        guard isOpen else { return }
        guard PipelineSync.send(handle) == 1 else { return lose(lastErrorText) }
        pipeline.sent(.sync)
    }

    private func scheduleFlush() {
        guard !flushIsScheduled else { return }
        flushIsScheduled = true
        Reactor.shared.atEndOfTurn { [weak self] in
            guard let self else { return }
            flushIsScheduled = false
            if pipeline.isGroupOpen { sync() }
            flush()
        }
    }

    private func flush() {
        guard isOpen, let watch else { return }
        switch PQflush(handle) {
        case _ where PQstatus(handle) != CONNECTION_OK: lose(lastErrorText)
        case 0: Reactor.shared.change(watch, to: .readable)
        case 1: Reactor.shared.change(watch, to: [.readable, .writable])
        default:
            // The server may have sent the reason.
            receive()
            if isOpen { lose(lastErrorText) }
        }
    }

    // MARK: Results

    private func socketIsReady(_ ready: Reactor.Interest) {
        guard isOpen else { return }
        if ready.contains(.writable) { flush() }
        guard ready != .writable else { return }
        // A partial answer counts as progress, too.
        lastProgress = .now
        receive()
    }

    private func receive() {
        guard isOpen else { return }
        let isAlive = PQconsumeInput(handle) == 1
        let reason = isAlive ? "" : lastErrorText
        if script == nil { receiveResults() } else { receiveScriptResults() }
        guard isOpen else { return }
        if !isAlive { return lose(reason) }
        // On a bad status libpq has closed the descriptor, and its number may soon be reused.
        guard PQstatus(handle) == CONNECTION_OK else { return lose(lastErrorText) }
        receiveNotifications()
        onProgress?()
    }

    private func receiveNotifications() {
        var isNotified = false
        while let notification = PQnotifies(handle) {
            PQfreemem(notification)
            isNotified = true
        }
        if isNotified { onNotification?() }
    }

    private func receiveResults() {
        while isOpen, !pipeline.isEmpty, PQisBusy(handle) == 0 {
            lastProgress = .now
            guard let raw = PQgetResult(handle) else {
                act(on: pipeline.received(.endOfCommand), nil)
                continue
            }
            let result = ResultSet(raw)
            switch PQresultStatus(raw) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK: act(on: pipeline.received(.success), result)
            case PGRES_PIPELINE_SYNC: act(on: pipeline.received(.sync), nil)
            case PGRES_PIPELINE_ABORTED: act(on: pipeline.received(.aborted), nil)
            case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE:
                let (error, isFatal) = raw.failure()
                if isFatal { return lose("\(error)") }
                act(on: pipeline.received(.failure(error)), nil)
            case let other: lose("unexpected result status \(String(cString: PQresStatus(other)))")
            }
        }
    }

    private func act(on action: Pipeline<Request>.Action, _ result: ResultSet?) {
        switch action {
        case .none: break
        case .keep(let request): request.result = result
        case .deliver(let requests):
            for request in requests {
                request.finish(request.result.map { .success($0) } ?? .failure(.unexpected("a request has no result")))
            }
        case .fail(let request, let error, let forget):
            if let forget { statements.forget(forget) }
            request.finish(.failure(error))
        case .forget(let number): statements.forget(number)
        case .violation(let what): lose("protocol: \(what)")
        }
    }

    // MARK: Loss

    /// libpq's error text. Once the connection is lost, the handle is freed.
    private var lastErrorText: String { isOpen ? String(cString: PQerrorMessage(handle)).trimmed : "connection lost" }
    private var lastError: DatabaseError { .unavailable(lastErrorText) }

    private func lose(_ reason: String) {
        guard isOpen else { return }
        isOpen = false
        if let watch { Reactor.shared.unwatch(watch) }
        if let silenceTimer { Reactor.shared.cancel(silenceTimer) }
        PQfinish(handle)
        let error = DatabaseError.unavailable(reason.isEmpty ? "connection lost" : reason)
        for request in pipeline.lost() { request.finish(.failure(error)) }
        for waiter in waiters.popAll() {
            switch waiter {
            case .request(let request): request.finish(.failure(error))
            case .transaction(let continuation): continuation.resume(returning: error)
            }
        }
        script?.finish(error)
        script = nil
        onProgress = nil
        onClose?(reason)
        onClose = nil
    }

    // MARK: Silence

    /// Whether the server owes an answer.
    private var isWaiting: Bool { !pipeline.isEmpty || script != nil }

    /// Starts the silence timer. A stopped server, or a network that drops everything, sends no error, and
    /// statement_timeout does not help. Silence beyond a limit therefore counts as loss.
    private func noteSending() {
        if !isWaiting { (lastProgress, unansweredProbes) = (.now, 0) }
        guard silenceTimer == nil, !isProbing else { return }
        watchSilence(for: patienceLength)
    }

    private var patienceLength: Duration {
        switch patience {
        case .limit(let limit) where script == nil: limit
        default: configuration.connectTimeout
        }
    }

    private func watchSilence(for delay: Duration) {
        silenceTimer = Reactor.shared.after(delay) { [weak self] in
            guard let self, isOpen else { return }
            silenceTimer = nil
            // If this process itself was suspended, the answer may already be here.
            receive()
            guard isOpen, isWaiting else { return }
            let left = patienceLength - (ContinuousClock.now - lastProgress)
            if left > .zero, unansweredProbes == 0 { return watchSilence(for: left) }
            switch patience {
            case .limit(let limit) where script == nil: lose("no answer for \(limit)")
            default: probe()
            }
        }
    }

    /// Checks whether the server still answers, since a statement that runs for an hour looks like a stopped server.
    private func probe() {
        isProbing = true
        let began = ContinuousClock.now
        Task.onLoop { [weak self, configuration] in
            let isAnswered = await Opening.probe(configuration)
            guard let self else { return }
            isProbing = false
            guard isOpen, isWaiting else { return }
            if isAnswered || lastProgress > began {
                unansweredProbes = 0
                lastProgress = .now
                return watchSilence(for: patienceLength)
            }
            unansweredProbes += 1
            if unansweredProbes == Self.probesMax { return lose("the server no longer answers") }
            watchSilence(for: min(patienceLength, .seconds(1)))
        }
    }

    private static let probesMax = 2

    // MARK: Transactions

    /// Runs `body` in its own transaction. Other requests on this connection wait until the transaction has ended.
    /// `body` must use the ``Transaction``; a request on the connection itself would wait forever.
    ///
    /// BEGIN is sent with the first statement. The transaction commits when `body` returns, and rolls back when `body`
    /// throws or the task is cancelled.
    /// - Parameter committed: called with the result of `body` as soon as the server has confirmed the commit, before
    ///   the caller goes on: for several transactions of a connection always in the order of their commits.
    /// - Throws: the error of `body`; ``DatabaseError/unavailable(_:)`` when the connection is lost. If that happens
    ///   during COMMIT, the outcome is unknown.
    public func transaction<T>(
        _ body: @ReactorActor (Transaction) async throws -> T,
        committed: @escaping @ReactorActor (T) -> Void = { _ in }
    ) async throws -> T {
        try await hold()
        let transaction = Transaction(self)
        do {
            let value = try await body(transaction)
            try Task.checkCancellation()
            try await transaction.commit { committed(value) }
            return value
        } catch {
            await transaction.rollBack()
            throw error
        }
    }

    private func hold() async throws(DatabaseError) {
        guard isOpen else { throw .unavailable("the connection is closed") }
        if !isHeld, waiters.isEmpty {
            isHeld = true
            return
        }
        let failure = await withCheckedContinuation { waiters.append(.transaction($0)) }
        if let failure { throw failure }
    }

    /// Passes the connection to the waiting requests and transactions. They run after those already sent.
    func release() {
        isHeld = false
        while let waiter = waiters.popFirst() {
            switch waiter {
            case .request(let request): send(request, endsGroup: true)
            case .transaction(let continuation):
                isHeld = true
                return continuation.resume(returning: nil)
            }
        }
        onProgress?()
    }

    var isGroupOpen: Bool { pipeline.isGroupOpen }

    /// Whether a request would be sent immediately.
    var isFree: Bool { isOpen && !isHeld && waiters.isEmpty }

    // MARK: Scripts

    /// Runs several statements separated by `;` as one transaction, without parameters. Nothing else may be
    /// outstanding. Migrations use it. It may take any time, as long as the server answers other connections.
    /// - Returns: the error and the line of the script that it points to; nil on success.
    func run(script sql: String) async throws(DatabaseError) -> (error: DatabaseError, line: Int?)? {
        try await hold()
        defer { release() }
        // libpq offers the simple query protocol only outside pipeline mode.
        guard isOpen, pipeline.isEmpty, PQexitPipelineMode(handle) == 1, PQsendQuery(handle, sql) == 1 else {
            throw .unavailable("the connection cannot run a script now: \(lastErrorText)")
        }
        noteSending()
        let script = Script(sql)
        self.script = script
        return await withCheckedContinuation { continuation in
            script.continuation = continuation
            flush()
        }
    }

    private func receiveScriptResults() {
        while isOpen, let script, PQisBusy(handle) == 0 {
            lastProgress = .now
            guard let raw = PQgetResult(handle) else {
                self.script = nil
                guard PQenterPipelineMode(handle) == 1 else {
                    script.finish(lastError)
                    return lose(lastErrorText)
                }
                return script.finish(nil)
            }
            let result = ResultSet(raw)
            guard PQresultStatus(raw) == PGRES_FATAL_ERROR else { continue }
            let (error, isFatal) = raw.failure()
            script.note(error, at: result.errorPosition)
            if isFatal { return lose("\(error)") }
        }
    }
}
