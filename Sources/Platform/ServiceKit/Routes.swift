import Logging
import Metrics
import Reactor
import Schema
import Wire

/// The sender of a request. A gateway fills it in from a verified token; clients cannot set it.
public struct Caller: Sendable, Equatable {
    /// Zero if nobody is signed in.
    public var account: AccountNumber
    public var user: String
    public var device: String
    public var session: String
    /// The address the client connects from.
    public var address: String
    /// The IANA name of the time zone that the session named; empty: none. A service may not know it.
    public var timeZone = ""

    public var isSignedIn: Bool { account != 0 }
}

/// A handler's view of one request.
public struct RequestContext: Sendable {
    public let caller: Caller
    /// When the caller stops waiting for the answer.
    public private(set) var deadline: ContinuousClock.Instant
    /// When the server answers for a handler that is too slow.
    private let answeredAt: ContinuousClock.Instant
    /// The request's id in the logs of all processes.
    public let trace: String
    private let base: Logger

    /// - Parameter time: how long the caller waits, from now.
    init(caller: Caller, within time: Duration, trace: String, log: Logger) {
        (self.caller, self.trace, base) = (caller, trace, log)
        let now = ContinuousClock.now
        (deadline, answeredAt) = (now + time, now + time.untilAnswered)
    }

    /// Returns the same request, with at most `time` from now on.
    func within(_ time: Duration) -> RequestContext {
        var context = self
        context.deadline = min(deadline, .now + time)
        return context
    }

    /// Call it before an effect that a repetition of this request has once more, such as another device. What the
    /// effect waits for, such as a lock, comes before.
    /// - Throws: ``Refusal`` `unavailable`, if the caller was told so already and has perhaps repeated the request.
    public func requireUnanswered() throws(Refusal) {
        if .now >= answeredAt { throw .unavailable("This took too long. Try again.", retryAfter: .seconds(1)) }
    }

    /// A logger that adds the request's id to each line.
    public var log: Logger {
        var log = base
        log[metadataKey: "request"] = "\(trace)"
        return log
    }
}

/// The methods a service answers.
@ReactorActor
public struct Routes {
    typealias Handler = @ReactorActor (Envelope, [UInt8], Responder) -> Void

    private(set) var handlers: [String: Handler] = [:]
    private(set) var http = HTTPHandlers()
    private let log: Logger
    private let sealer: Sealer
    private let tracer: RequestTracer?
    private let turns: RequestTurns
    private let expensive: ExpensiveRequests?

    /// - Parameters:
    ///   - expensive: limits the requests that the contract calls expensive; nil for a service that answers none.
    ///   - connections: how many connections for reading the service has, of which a person gets half; nil: no limit.
    ///   - isConnected: whether any of them is open.
    init(
        log: Logger, sealer: Sealer, expensive: ExpensiveRequests? = nil, connections: Int? = nil,
        isConnected: @escaping @ReactorActor () -> Bool = { true }, tracer: RequestTracer? = .current
    ) {
        (self.log, self.sealer, self.expensive, self.tracer) = (log, sealer, expensive, tracer)
        turns = RequestTurns(connections: connections, isConnected: isConnected)
    }

    /// Registers the handler of `method`.
    ///
    /// The handler runs on the loop, in the turn in which the request arrives, unless the person has others under way
    /// (``RequestTurns``). A thrown ``Refusal`` becomes the answer. Any other error is answered as ``Answer/fail(_:)``
    /// describes.
    /// Expensive ones have limits of their own (``ExpensiveRequests``).
    public mutating func on<Request, Reply>(
        _ method: Method<Request, Reply>,
        _ handler: @escaping @ReactorActor (Request, RequestContext) async throws -> Reply
    ) {
        answer(method, by: handler)
    }

    private mutating func answer<Request, Reply>(
        _ method: Method<Request, Reply>,
        by handler: @escaping @ReactorActor (Request, RequestContext) async throws -> Reply
    ) {
        precondition(!method.isExpensive || expensive != nil, "\(method.name) needs the limits of expensive requests")
        let turns = method.isExpensive ? nil : turns
        let handler = method.isExpensive ? expensive?.limited(handler) ?? handler : handler
        on(
            method,
            answering: { request, context, answer in
                Task.onLoop {
                    do {
                        let account = context.caller.account
                        guard let turns, account != 0 else {
                            return answer.reply(try await handler(request, context))
                        }
                        try await turns.take(account, until: context.deadline)
                        defer { turns.pass(account) }
                        answer.reply(try await handler(request, context))
                    } catch {
                        answer.fail(error)
                    }
                }
            })
    }

    /// Registers the handler of a method that returns pages. Clients see its cursors sealed, for this method and this
    /// person: they can neither read nor make them, and no other request takes them.
    public mutating func on<Request: Paged, Reply: Paged>(
        _ method: Method<Request, Reply>,
        _ handler: @escaping @ReactorActor (Request, RequestContext) async throws -> Reply
    ) {
        let sealer = sealer
        let sealing: @ReactorActor (Request, RequestContext) async throws -> Reply = { request, context in
            let purpose = "\(method.name) \(context.caller.account)"
            var request = request
            if !request.cursor.isEmpty {
                guard let bytes = try await sealer.open(request.cursor, for: purpose) else {
                    throw Refusal.invalidCursor
                }
                request.cursor = String(decoding: bytes, as: UTF8.self)
            }
            var reply = try await handler(request, context)
            if !reply.cursor.isEmpty { reply.cursor = try sealer.seal(Array(reply.cursor.utf8), for: purpose) }
            return reply
        }
        answer(method, by: sealing)
    }

    /// Registers a handler that answers through an ``Answer``, immediately or later. Meant for methods called thousands
    /// of times per second, where a task per request would be half the cost.
    public mutating func on<Request, Reply>(
        _ method: Method<Request, Reply>,
        answering handler: @escaping @ReactorActor (Request, RequestContext, Answer<Reply>) -> Void
    ) {
        precondition(handlers[method.name] == nil, "\(method.name) is registered twice")
        let outcomes = Outcomes(method: method.name, log: log)
        let log = log
        let tracer = tracer
        let needsSignIn = ![.anyone, .gateway, .follower].contains(method.access)
        handlers[method.name] = { envelope, body, responder in
            let span = tracer?.resume(envelope.traceparent, method.name, id: envelope.trace)
            if needsSignIn, envelope.account == 0 {
                outcomes.count("unauthenticated", after: .zero)
                outcomes.note("unauthenticated", trace: envelope.trace, after: .zero)
                span?.end("unauthenticated")
                responder.refuse(.unauthenticated)
                return
            }
            let request: Request
            do throws(DecodeFailure) {
                request = try Request.decode(body)
            } catch {
                outcomes.count("invalid", after: .zero)
                outcomes.note("invalid", trace: envelope.trace, after: .zero)
                span?.end("invalid")
                responder.refuse(.invalid(error.field, error.description))
                return
            }
            let now = ContinuousClock.now
            let caller = Caller(
                account: AccountNumber(envelope.account), user: envelope.user, device: envelope.device,
                session: envelope.session,
                address: envelope.address, timeZone: envelope.timeZone)
            let context = RequestContext(
                caller: caller, within: .milliseconds(Int64(envelope.deadlineMs)), trace: envelope.trace, log: log)
            let answer = Answer<Reply>(
                responder: responder, outcomes: outcomes, trace: envelope.trace, began: now, span: span)
            if let span {
                span.whileCurrent { handler(request, context, answer) }
            } else {
                handler(request, context, answer)
            }
        }
    }

    /// Registers the handler of HTTP requests to a path.
    ///
    /// It is called for each piece of an exchange, as `link.proto` describes. It may throw what handlers of methods may
    /// throw.
    public mutating func on(
        _ route: HttpRoute, _ handler: @escaping @ReactorActor (HttpPiece, RequestContext) async throws -> HttpReply
    ) {
        http.add(route, handler)
    }

    /// The same for a path whose requests have no body.
    public mutating func on(
        _ route: HttpRoute, _ handler: @escaping @ReactorActor (HttpRequest, RequestContext) async throws -> HttpReply
    ) {
        precondition(route.bodyBytesMax == 0, "\(route.path) takes bodies: its handler needs the HttpPiece")
        http.add(route) { piece, context in try await handler(piece.request, context) }
    }

    /// Lets gateways tell clients how many bytes a message's text may have.
    public mutating func tellClients(textBytes: Int) { http.textBytes = UInt32(clamping: textBytes) }

    /// Answers one request.
    func dispatch(_ envelope: Envelope, _ body: [UInt8], _ responder: Responder) {
        guard let handler = handlers[envelope.method] else {
            responder.refuse(.unknownMethod)
            return
        }
        handler(envelope, body, responder)
    }
}

/// Sends a handler's answer to the caller. Use it exactly once.
@ReactorActor
public struct Answer<Reply: WireMessage>: Sendable {
    fileprivate let responder: Responder
    fileprivate let outcomes: Outcomes
    fileprivate let trace: String
    fileprivate let began: ContinuousClock.Instant
    fileprivate let span: RequestSpan?

    /// Answers with `reply`.
    public func reply(_ reply: Reply) {
        responder.reply(reply.encode())
        let time = ContinuousClock.now - began
        outcomes.count("ok", after: time)
        outcomes.note("ok", trace: trace, after: time)
        span?.end("ok")
    }

    /// Answers that the request failed. Sends a ``Refusal`` as it is, and the refusal of a ``ConvertibleToRefusal``.
    /// Logs any other error and sends `internal`, without its details.
    public func fail(_ error: any Error) {
        let refusal = outcomes.refusal(for: error, trace: trace)
        let time = ContinuousClock.now - began
        outcomes.count(refusal.code.rawValue, after: time)
        outcomes.note(refusal.code.rawValue, trace: trace, after: time)
        span?.end(refusal.code.rawValue)
        responder.refuse(refusal)
    }

    /// Answers with `result`: ``reply(_:)`` on success, ``fail(_:)`` on failure.
    public func finish(_ result: Result<Reply, any Error>) {
        switch result {
        case .success(let reply): self.reply(reply)
        case .failure(let error): fail(error)
        }
    }
}

/// An error that can be turned into a refusal for the caller.
public protocol ConvertibleToRefusal: Error {
    /// The refusal to send; nil if the caller should only get `internal`.
    var refusal: Refusal? { get }
}

/// Metrics of one route: requests by code, and the time taken to answer.
@ReactorActor
private final class Outcomes {
    private let method: String
    private let log: Logger
    private let duration: Timer
    private let ok: Counter
    private var refused: [String: Counter] = [:]

    init(method: String, log: Logger) {
        self.method = method
        self.log = log
        duration = Timer(label: "parley_request_seconds", dimensions: [("method", method)])
        ok = Counter(label: "parley_requests_total", dimensions: [("method", method), ("code", "ok")])
    }

    func refusal(for error: any Error, trace: String) -> Refusal {
        if let refusal = error as? Refusal { return refusal }
        if let error = error as? any ConvertibleToRefusal, let refusal = error.refusal { return refusal }
        log.error("request failed", metadata: ["method": "\(method)", "request": "\(trace)", "error": "\(error)"])
        return .internal
    }

    /// Logs one line per request at level `debug`.
    func note(_ code: String, trace: String, after time: Duration) {
        log.debug(
            "answered",
            metadata: [
                "request": "\(trace)", "method": "\(method)", "code": "\(code)", "us": "\(time.microseconds)",
            ])
    }

    func count(_ code: String, after time: Duration) {
        duration.recordNanoseconds(
            time.components.seconds * 1_000_000_000 + time.components.attoseconds / 1_000_000_000)
        if code == "ok" { return ok.increment() }
        if let counter = refused[code] { return counter.increment() }
        let counter = Counter(label: "parley_requests_total", dimensions: [("method", method), ("code", code)])
        refused[code] = counter
        counter.increment()
    }
}
