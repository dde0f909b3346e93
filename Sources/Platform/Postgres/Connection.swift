import CPostgres
import Glibc
import Logging
import Reactor

/// One connection. Requests made while others are outstanding are pipelined: sent at once, answered in order, each in
/// a transaction of its own, so one that fails does not touch the others.
///
/// What a turn of the loop asks for leaves together at its end.
@ReactorActor
public final class Connection: Queryable {
    /// One request on its way.
    final class Request {
        let text: StatementText
        let parameters: [Parameter]
        /// Nobody waits for the answer when there is none.
        var continuation: CheckedContinuation<Result<ResultSet, DatabaseError>, Never>?
        /// What came for it; it holds once the pipeline says so.
        var result: ResultSet?

        init(_ text: StatementText, _ parameters: [Parameter]) {
            self.text = text
            self.parameters = parameters
        }

        func finish(_ result: Result<ResultSet, DatabaseError>) {
            continuation?.resume(returning: result)
            continuation = nil
        }
    }

    /// Who waits for the transaction that has the connection now.
    private enum Waiter {
        case request(Request)
        case transaction(CheckedContinuation<DatabaseError?, Never>)
    }

    /// Whether requests can be made.
    public private(set) var isOpen = true
    /// Called once when the connection is lost or closed, with the reason.
    public var onClose: ((String) -> Void)? {
        // Lost before anybody listened: told now, so that nobody waits for it for ever.
        didSet {
            if !isOpen, let onClose {
                self.onClose = nil
                onClose("lost")
            }
        }
    }

    /// What it means when nothing comes although something is outstanding.
    enum Patience: Equatable {
        /// After so long the server counts as lost.
        case limit(Duration)
        /// It may take its time, as long as it answers when somebody else knocks.
        case whileServerAnswers
    }

    var patience: Patience
    /// Called when results came in and there may be room for more requests.
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
    private var isKnocking = false
    /// How many times in a row the server did not answer a knock.
    private var unansweredKnocks = 0

    /// The host that last took a connection, by connection string.
    private static var takers: [String: String] = [:]

    /// Connects, trying each address the configuration leads to; first where it last went well, since a host that is
    /// gone takes the whole timeout not to answer.
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
                        takers[configuration.url] = host.description
                        return Connection(handle, configuration, log)
                    } catch {
                        failure = failure ?? error
                    }
                }
            } catch {
                failure = failure ?? error
            }
        }
        // Of the host that should have taken it.
        throw failure ?? .unavailable("the connection string names no host")
    }

    /// The hosts to try, the one that last took a connection first.
    static func hosts(of configuration: DatabaseConfiguration) throws(DatabaseError) -> [ConnectionTarget] {
        let hosts = try configuration.hosts()
        let taker = takers[configuration.url]
        return hosts.filter { $0.description == taker } + hosts.filter { $0.description != taker }
    }

    private init(_ handle: OpaquePointer, _ configuration: DatabaseConfiguration, _ log: Logger) {
        self.handle = handle
        self.configuration = configuration
        self.log = log
        patience =
            configuration.statementTimeout > .zero
            ? .limit(configuration.statementTimeout + configuration.silenceMargin) : .whileServerAnswers
        // Unretained: the handle is finished before this object goes.
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

    /// Ends the connection at once. What is outstanding gets ``DatabaseError/unavailable(_:)``.
    public func close() { lose("closed") }

    /// The server's process number for this connection, as in `pg_stat_activity`.
    public var backend: Int32 { isOpen ? PQbackendPID(handle) : 0 }

    /// How many requests are outstanding or wait for a transaction to end.
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

    /// Puts a request into the pipeline.
    /// - Parameter endsGroup: whether what follows shall run even if this fails.
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

    /// Ends a group: a failure before this point does not touch what comes after.
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
            // The reason may still be among what the server has sent.
            receive()
            if isOpen { lose(lastErrorText) }
        }
    }

    // MARK: Results

    private func socketIsReady(_ ready: Reactor.Interest) {
        guard isOpen else { return }
        if ready.contains(.writable) { flush() }
        guard ready != .writable else { return }
        // Part of an answer is a sign of life too.
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
        // libpq has closed the descriptor then, and its number may soon be somebody else's.
        guard PQstatus(handle) == CONNECTION_OK else { return lose(lastErrorText) }
        onProgress?()
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
            case let other: lose("a result of a kind that is not used here: \(String(cString: PQresStatus(other)))")
            }
        }
    }

    private func act(on action: Pipeline<Request>.Action, _ result: ResultSet?) {
        switch action {
        case .none: break
        case .keep(let request): request.result = result
        case .deliver(let requests):
            for request in requests {
                request.finish(request.result.map { .success($0) } ?? .failure(.unexpected("a result without content")))
            }
        case .fail(let request, let error, let forget):
            if let forget { statements.forget(forget) }
            request.finish(.failure(error))
        case .forget(let number): statements.forget(number)
        case .violation(let what): lose("protocol: \(what)")
        }
    }

    // MARK: Loss

    /// The handle is freed when the connection is lost.
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

    /// A server that is stopped, or a network that swallows everything, says nothing; statement_timeout does not help
    /// then. So silence over a limit is loss.
    private func noteSending() {
        if !isWaiting { (lastProgress, unansweredKnocks) = (.now, 0) }
        guard silenceTimer == nil, !isKnocking else { return }
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
            // When it was this process that stood still, the answer has been waiting for us.
            receive()
            guard isOpen, isWaiting else { return }
            let left = patienceLength - (ContinuousClock.now - lastProgress)
            if left > .zero, unansweredKnocks == 0 { return watchSilence(for: left) }
            switch patience {
            case .limit(let limit) where script == nil: lose("no answer for \(limit)")
            default: knock()
            }
        }
    }

    /// What runs may take an hour, and a server that has stopped looks the same: so see whether it answers at all.
    private func knock() {
        isKnocking = true
        let began = ContinuousClock.now
        Task.immediate { @ReactorActor [weak self, configuration] in
            let isAnswered = await Opening.knock(configuration)
            guard let self else { return }
            isKnocking = false
            guard isOpen, isWaiting else { return }
            if isAnswered || lastProgress > began {
                unansweredKnocks = 0
                lastProgress = .now
                return watchSilence(for: patienceLength)
            }
            unansweredKnocks += 1
            if unansweredKnocks == Self.knocksMax { return lose("the server has fallen silent") }
            watchSilence(for: min(patienceLength, .seconds(1)))
        }
    }

    private static let knocksMax = 2

    // MARK: Transactions

    /// Runs `body` in a transaction of its own. Requests others make on this connection wait until it has ended; a
    /// request of `body` on the connection itself instead of on the ``Transaction`` would wait for ever.
    ///
    /// BEGIN goes out with the first statement. Commits when `body` returns, rolls back when it throws or the task is
    /// cancelled.
    /// - Throws: what `body` throws; ``DatabaseError/unavailable(_:)`` when the connection is lost, and during COMMIT
    ///   that means the outcome is unknown.
    public func transaction<T>(_ body: @ReactorActor (Transaction) async throws -> T) async throws -> T {
        try await hold()
        let transaction = Transaction(self)
        do {
            let value = try await body(transaction)
            try Task.checkCancellation()
            try await transaction.commit()
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

    /// Lets the next ones have the connection; they come after what was sent so far.
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

    /// Whether a request made now would be sent now.
    var isFree: Bool { isOpen && !isHeld && waiters.isEmpty }

    // MARK: Scripts

    /// Runs several statements separated by `;` as one transaction, without parameters. Nothing else may be
    /// outstanding. For migrations: it may take as long as it takes, while the server answers others.
    /// - Returns: the error and the line of the script it points to.
    func run(script sql: String) async throws(DatabaseError) -> (error: DatabaseError, line: Int?)? {
        try await hold()
        defer { release() }
        // A statement of a script cannot stand in a pipeline: libpq has the simple protocol outside of it only.
        guard isOpen, pipeline.isEmpty, PQexitPipelineMode(handle) == 1, PQsendQuery(handle, sql) == 1 else {
            throw .unavailable("the connection is not free for a script: \(lastErrorText)")
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
