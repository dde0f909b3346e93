import NIOCore
import SwiftProtobuf

// Sending requests of any method, with deadlines and replies.
extension ParleyClient {
    /// Sends a request and waits for its reply. While the client is connecting, it first waits for a session.
    /// - Parameters:
    ///   - key: the conversation or user that the request concerns.
    ///   - deadline: the time for the whole call. Without one, each attempt has ``Options/deadline``, and the request
    ///     is repeated for ``Options/retriesFor``.
    /// - Throws: the server's refusal, or `deadline`, `unavailable`, `connection_lost`, `cancelled`, `closed`.
    public func call<Request, Reply>(
        _ method: Method<Request, Reply>, key: String = "", _ request: Request, deadline: Duration? = nil
    ) async throws(ParleyError) -> Reply {
        try await call(method, key: key, request, deadline: deadline, noticed: nil)
    }

    /// - Parameters:
    ///   - link: the link to use, for one attempt; nil: that of the session.
    ///   - noticed: called on the loop with the outcome of each attempt, in order with the Updates, even after the
    ///     deadline.
    func call<Request, Reply>(
        _ method: Method<Request, Reply>, key: String, _ request: Request, deadline: Duration?,
        over link: Link? = nil, noticed: ((Result<Reply, ParleyError>) -> Void)?
    ) async throws(ParleyError) -> Reply {
        let body: ByteBuffer
        do { body = try request.frame() } catch {
            throw ParleyError(.invalid, "This request cannot be encoded: \(error)")
        }
        return try await call(method, key: key, encoded: body, deadline: deadline, over: link, noticed: noticed)
    }

    /// Sends a request whose body is encoded already.
    func call<Request, Reply>(
        _ method: Method<Request, Reply>, key: String, encoded body: ByteBuffer, deadline: Duration?,
        over link: Link? = nil, noticed: ((Result<Reply, ParleyError>) -> Void)?
    ) async throws(ParleyError) -> Reply {
        if let answering { return try await answer(method, body, by: answering) }
        guard deadline == nil, link == nil, Self.repeats, options.retriesFor > .zero else {
            return try await attempt(method, key: key, body, deadline: deadline, over: link, noticed: noticed)
        }
        return try await repeating(until: .now + options.retriesFor) { () async throws(ParleyError) in
            try await attempt(method, key: key, body, deadline: nil, over: nil, noticed: noticed)
        }
    }

    /// Whether requests of the current task are repeated for ``Options/retriesFor``. The feed retries its own requests,
    /// which may also be made before the welcome of a session that began early: at most
    /// ``SyncMachine/Options/askedMax``, since the gateway holds few.
    @TaskLocal static var repeats = true

    /// Whether there is no session and the client is not trying to get one.
    private var isIdleOrStopped: Bool {
        switch state {
        case .idle, .stopped: true
        case .connecting, .ready: false
        }
    }

    /// Repeats a request after growing random waits while its error allows it (``ParleyError/isRetriable``).
    /// - Parameter end: no attempt begins after it; nil: no limit.
    func repeating<T>(
        until end: ContinuousClock.Instant?, _ send: () async throws(ParleyError) -> T
    ) async throws(ParleyError) -> T {
        var attempt = 0
        while true {
            do throws(ParleyError) {
                return try await send()
            } catch {
                guard error.isRetriable, !isIdleOrStopped, !Task.isCancelled else { throw error }
                // A random wait is added so that clients refused together do not return together.
                let wait = Duration.milliseconds(error.retryAfterMs) + options.backoff.wait(attempt: attempt)
                if let end, .now + wait > end { throw error }
                attempt += 1
                do { try await Task.sleep(for: wait) } catch { throw .cancelled }
            }
        }
    }

    private func attempt<Request, Reply>(
        _ method: Method<Request, Reply>, key: String, _ body: ByteBuffer, deadline: Duration?, over link: Link?,
        noticed: ((Result<Reply, ParleyError>) -> Void)?
    ) async throws(ParleyError) -> Reply {
        let ends = NIODeadline.now() + TimeAmount(deadline ?? options.deadline)
        do {
            let link = if let link { link } else { try await readyLink(until: ends) }
            guard let number = session?.number, session?.isClosed == false else { throw ParleyError.notConnected }
            let promise = eventLoop.makePromise(of: Reply.self)
            lastRequest += 1
            let id = lastRequest
            let late = eventLoop.scheduleTask(deadline: ends) { [weak self] in
                self?.assumeIsolated { $0.giveUp(id) }
                promise.fail(ParleyError.deadline)
            }
            pending[id] = Pending(
                session: number,
                complete: { outcome in
                    let reply = outcome.flatMap { body in
                        Result { try Reply(frame: body) }.mapError { ParleyError.invalidFrame("\($0)") }
                    }
                    noticed?(reply)
                    switch reply {
                    case .success(let reply): promise.succeed(reply)
                    case .failure(let problem): promise.fail(problem)
                    }
                },
                late: late, isNoticed: noticed != nil)
            let left = max((ends - .now()).nanoseconds / 1_000_000, 1)
            link.send(
                OutgoingRequest.frame(
                    id: id, method: method.name, key: key, deadlineMs: UInt32(clamping: min(left, 60_000)), body: body))
            return try await withTaskCancellationHandler {
                try await promise.futureResult.get()
            } onCancel: {
                promise.fail(ParleyError.cancelled)
            }
        } catch {
            throw ParleyError(wrapping: error)
        }
    }

    /// Forgets a request whose deadline passed, unless its late reply is to be passed on.
    func giveUp(_ id: UInt64) {
        guard pending[id]?.isNoticed == false else { return }
        pending[id] = nil
    }

    func readyLink(until ends: NIODeadline) async throws -> Link {
        switch state {
        case .ready:
            if let session, !session.isClosed, let link = session.link { return link }
        case .stopped(let problem): throw problem
        case .idle: throw ParleyError.notConnected
        case .connecting:
            guard !Self.repeats, let session, session.beganEarly, !session.isClosed, let link = session.link else {
                break
            }
            return link
        }
        lastRequest += 1
        let id = lastRequest
        let promise = eventLoop.makePromise(of: Link.self)
        waiters[id] = promise
        let late = eventLoop.scheduleTask(deadline: ends) { promise.fail(ParleyError.notConnected) }
        defer {
            late.cancel()
            waiters[id] = nil
        }
        return try await withTaskCancellationHandler {
            try await promise.futureResult.get()
        } onCancel: {
            promise.fail(ParleyError.cancelled)
        }
    }

    func failWaiters(_ problem: ParleyError) {
        let waiting = waiters
        waiters = [:]
        for promise in waiting.values { promise.fail(problem) }
    }

    func failPending(_ problem: ParleyError, where isMeant: (Pending) -> Bool) {
        for (id, request) in pending where isMeant(request) {
            pending[id] = nil
            request.late.cancel()
            request.complete(.failure(problem))
        }
    }
}
