import CPostgres
import Glibc
import Reactor

/// One attempt to connect, driven by the loop.
@ReactorActor
final class Opening {
    private let handle: OpaquePointer
    private let target: ConnectionTarget
    private var watch: Reactor.Watch?
    private var timer: Reactor.Timer?
    private var continuation: CheckedContinuation<DatabaseError?, Never>?
    /// Whether the server has answered, even with a refusal.
    private var hasAnswered = false
    private var isListening = false

    private init(_ handle: OpaquePointer, _ target: ConnectionTarget) {
        self.handle = handle
        self.target = target
    }

    /// - Returns: a connected handle, non-blocking and in pipeline mode; the caller owns it.
    static func open(_ target: ConnectionTarget, timeout: Duration) async throws(DatabaseError) -> OpaquePointer {
        let (handle, failure, _) = try await attempt(target, timeout: timeout)
        if let failure {
            PQfinish(handle)
            throw failure
        }
        return handle
    }

    /// Whether a server answers at all. A refusal such as "too many clients" counts as an answer.
    static func probe(_ configuration: DatabaseConfiguration) async -> Bool {
        for host in (try? Connection.hosts(of: configuration)) ?? [] {
            for target in (try? await host.addresses()) ?? [] {
                guard let (handle, _, hasAnswered) = try? await attempt(target, timeout: configuration.connectTimeout)
                else { continue }
                PQfinish(handle)
                if hasAnswered { return true }
            }
        }
        return false
    }

    private static func attempt(
        _ target: ConnectionTarget, timeout: Duration
    ) async throws(DatabaseError) -> (OpaquePointer, failure: DatabaseError?, hasAnswered: Bool) {
        guard let handle = start(target.parameters) else { throw .unavailable("libpq: out of memory") }
        // By default libpq writes notices to standard error.
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        let opening = Opening(handle, target)
        let failure = await withCheckedContinuation { continuation in
            opening.continuation = continuation
            opening.timer = Reactor.shared.after(timeout) {
                opening.finish(.unavailable("no answer from \(target.description) within \(timeout)"))
            }
            opening.begin()
        }
        return (handle, failure, opening.hasAnswered)
    }

    /// Begins to connect. The arrays of C strings live only during the call.
    private static func start(_ parameters: [String: String]) -> OpaquePointer? {
        let keywords = parameters.keys.map { strdup($0) }
        let values = parameters.values.map { strdup($0) }
        defer {
            for pointer in keywords + values { free(pointer) }
        }
        let keywordList = keywords.map { UnsafePointer($0) } + [nil]
        let valueList = values.map { UnsafePointer($0) } + [nil]
        return PQconnectStartParams(keywordList, valueList, 0)
    }

    private func begin() {
        guard PQstatus(handle) != CONNECTION_BAD else { return finish(lastError) }
        wait(for: .writable)  // As libpq's manual requires before the first poll.
    }

    private func step() {
        guard continuation != nil else { return }
        if let watch { Reactor.shared.unwatch(watch) }  // libpq may have moved on to another socket.
        watch = nil
        if isListening { hasAnswered = true }
        isListening = false
        switch PQconnectPoll(handle) {
        case PGRES_POLLING_READING:
            isListening = true
            wait(for: .readable)
        case PGRES_POLLING_WRITING: wait(for: .writable)
        case PGRES_POLLING_OK:
            guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { return finish(lastError) }
            finish(nil)
        default: finish(lastError)
        }
    }

    private func wait(for interest: Reactor.Interest) {
        watch = Reactor.shared.watch(descriptor: PQsocket(handle), for: interest) { [weak self] _ in self?.step() }
    }

    private var lastError: DatabaseError {
        .unavailable(String(cString: PQerrorMessage(handle)).trimmed.replacing("\n\t", with: " "))
    }

    private func finish(_ failure: DatabaseError?) {
        if let watch { Reactor.shared.unwatch(watch) }
        watch = nil
        if let timer { Reactor.shared.cancel(timer) }
        continuation?.resume(returning: failure)
        continuation = nil
    }
}
