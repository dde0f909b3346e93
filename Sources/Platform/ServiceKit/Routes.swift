import Logging
import Metrics
import Reactor
import Schema
import Wire

/// Who sends a request. Filled in by a gateway from a checked token; clients cannot set it.
public struct Caller: Sendable, Equatable {
    /// The account number; zero: nobody signed in.
    public var account: Int64
    public var user: String
    public var device: String
    public var session: String
    /// Where the client connects from.
    public var address: String

    public var isSignedIn: Bool { account != 0 }
}

/// A handler's view of one request.
public struct RequestContext: Sendable {
    public let caller: Caller
    /// After this nobody waits for the answer any more.
    public let deadline: ContinuousClock.Instant
    /// The request's id in all logs of all processes.
    public let trace: String
    private let base: Logger

    init(caller: Caller, deadline: ContinuousClock.Instant, trace: String, log: Logger) {
        (self.caller, self.deadline, self.trace, base) = (caller, deadline, trace, log)
    }

    /// Names the request with each line.
    public var log: Logger {
        var log = base
        log[metadataKey: "request"] = "\(trace)"
        return log
    }
}

/// The requests a service answers.
@ReactorActor
public struct Routes {
    typealias Handler = @ReactorActor (Envelope, [UInt8], Responder) -> Void

    private(set) var handlers: [String: Handler] = [:]
    private let log: Logger
    private let tracer: RequestTracer?

    init(log: Logger, tracer: RequestTracer? = .current) { (self.log, self.tracer) = (log, tracer) }

    /// Registers the handler of `method`.
    ///
    /// The handler runs on the loop, in the turn in which the request came. A thrown ``Refusal`` is the answer; any
    /// other error is answered as ``Answer/fail(_:)`` says.
    public mutating func on<Request, Reply>(
        _ method: Method<Request, Reply>,
        _ handler: @escaping @ReactorActor (Request, RequestContext) async throws -> Reply
    ) {
        on(
            method,
            answering: { request, context, answer in
                Task { @ReactorActor in
                    do {
                        answer.reply(try await handler(request, context))
                    } catch {
                        answer.fail(error)
                    }
                }
            })
    }

    /// Registers a handler that answers by a call, at once or later: for what is asked thousands of times a second, of
    /// which a task for each would be half the cost.
    public mutating func on<Request, Reply>(
        _ method: Method<Request, Reply>,
        answering handler: @escaping @ReactorActor (Request, RequestContext, Answer<Reply>) -> Void
    ) {
        precondition(handlers[method.name] == nil, "\(method.name) is registered twice")
        let outcomes = Outcomes(method: method.name, log: log)
        let log = log
        let tracer = tracer
        let needsSignIn = method.access != .anyone && method.access != .gateway
        handlers[method.name] = { envelope, body, responder in
            let span = tracer?.go(onWith: envelope.traceparent, method.name, id: envelope.trace)
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
                account: envelope.account, user: envelope.user, device: envelope.device, session: envelope.session,
                address: envelope.address)
            let context = RequestContext(
                caller: caller, deadline: now + .milliseconds(Int64(envelope.deadlineMs)), trace: envelope.trace,
                log: log)
            let answer = Answer<Reply>(
                responder: responder, outcomes: outcomes, trace: envelope.trace, began: now, span: span)
            if let span {
                span.whileCurrent { handler(request, context, answer) }
            } else {
                handler(request, context, answer)
            }
        }
    }

    /// Answers one request.
    func dispatch(_ envelope: Envelope, _ body: [UInt8], _ responder: Responder) {
        guard let handler = handlers[envelope.method] else {
            responder.refuse(.unknownMethod)
            return
        }
        handler(envelope, body, responder)
    }
}

/// The way back from a handler to whoever asked. To be used once.
@ReactorActor
public struct Answer<Reply: WireMessage>: Sendable {
    fileprivate let responder: Responder
    fileprivate let outcomes: Outcomes
    fileprivate let trace: String
    fileprivate let began: ContinuousClock.Instant
    fileprivate let span: RequestSpan?

    /// It was done.
    public func reply(_ reply: Reply) {
        responder.reply(reply.encode())
        let time = ContinuousClock.now - began
        outcomes.count("ok", after: time)
        outcomes.note("ok", trace: trace, after: time)
        span?.end("ok")
    }

    /// It was not done. A ``Refusal`` is told as it is; any other error is logged and told as `internal`, or as
    /// ``ConvertibleToRefusal`` says, without its details.
    public func fail(_ error: any Error) {
        let refusal = outcomes.refusal(for: error, trace: trace)
        let time = ContinuousClock.now - began
        outcomes.count(refusal.code.rawValue, after: time)
        outcomes.note(refusal.code.rawValue, trace: trace, after: time)
        span?.end(refusal.code.rawValue)
        responder.refuse(refusal)
    }

    /// What came of it.
    public func finish(_ result: Result<Reply, any Error>) {
        switch result {
        case .success(let reply): self.reply(reply)
        case .failure(let error): fail(error)
        }
    }
}

/// An error that knows what to tell the caller.
public protocol ConvertibleToRefusal: Error {
    /// nil: the caller learns nothing but `internal`.
    var refusal: Refusal? { get }
}

/// Counters of one route: requests by code, and how long answers took.
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

    /// A line for each request, for who asked for that much.
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
