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

/// Who may call a route. It is said when the route is registered, so that none exists without it; what can be told
/// from the envelope is enforced here, the rest by the handler's rules.
public enum Access: String, Sendable {
    /// No sign-in needed.
    case anyone
    /// Anyone signed in, for what is theirs or public among those signed in.
    case signedIn
    /// Members of the conversation that the request names; checked in the service's statement.
    case member
    /// Parley's own gateways.
    case gateway
}

/// A handler's view of one request.
public struct RequestContext: Sendable {
    public let caller: Caller
    /// After this nobody waits for the answer any more.
    public let deadline: ContinuousClock.Instant
    public let trace: String
    public let log: Logger
}

/// The requests a service answers.
@ReactorActor
public struct Routes {
    typealias Handler = @ReactorActor (Envelope, [UInt8], Responder) -> Void

    private(set) var handlers: [String: Handler] = [:]
    private(set) var access: [String: Access] = [:]
    private let log: Logger

    init(log: Logger) { self.log = log }

    /// Registers the handler of `method`.
    ///
    /// The handler runs on the loop and starts without a hop. A thrown ``Refusal`` is the answer; any other error is
    /// logged and answered as `internal`, or `unavailable` where ``UnavailableError`` says so, without its details.
    public mutating func on<Request, Reply>(
        _ method: Method<Request, Reply>, allow: Access,
        _ handler: @escaping @ReactorActor (Request, RequestContext) async throws -> Reply
    ) {
        precondition(handlers[method.name] == nil, "\(method.name) is registered twice")
        let outcomes = Outcomes(method: method.name)
        let log = log
        access[method.name] = allow
        handlers[method.name] = { envelope, body, responder in
            if (allow == .signedIn || allow == .member), envelope.account == 0 {
                outcomes.count("unauthenticated")
                responder.refuse(.unauthenticated)
                return
            }
            let request: Request
            do throws(DecodeFailure) {
                request = try Request.decode(body)
            } catch {
                outcomes.count("invalid")
                responder.refuse(.invalid(error.field, error.description))
                return
            }
            let caller = Caller(
                account: envelope.account, user: envelope.user, device: envelope.device, session: envelope.session,
                address: envelope.address)
            let context = RequestContext(
                caller: caller, deadline: .now + .milliseconds(Int64(envelope.deadlineMs)), trace: envelope.trace, log: log)
            Task.immediate { @ReactorActor in
                let began = ContinuousClock.now
                do {
                    let reply = try await handler(request, context)
                    responder.reply(reply.encode())
                    outcomes.succeeded(after: ContinuousClock.now - began)
                } catch {
                    let refusal = Self.refusal(for: error, method: method.name, trace: envelope.trace, log: log)
                    outcomes.count(refusal.code.rawValue)
                    responder.refuse(refusal)
                }
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

    private static func refusal(for error: any Error, method: String, trace: String, log: Logger) -> Refusal {
        if let refusal = error as? Refusal { return refusal }
        if let error = error as? any ConvertibleToRefusal, let refusal = error.refusal { return refusal }
        log.error("request failed", metadata: ["method": "\(method)", "trace": "\(trace)", "error": "\(error)"])
        return .internal
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
    private let duration: Timer
    private let ok: Counter
    private var refused: [String: Counter] = [:]

    init(method: String) {
        self.method = method
        duration = Timer(label: "parley_request_seconds", dimensions: [("method", method)])
        ok = Counter(label: "parley_requests_total", dimensions: [("method", method), ("code", "ok")])
    }

    func succeeded(after time: Duration) {
        ok.increment()
        duration.recordNanoseconds(time.components.seconds * 1_000_000_000 + time.components.attoseconds / 1_000_000_000)
    }

    func count(_ code: String) {
        if let counter = refused[code] { return counter.increment() }
        let counter = Counter(label: "parley_requests_total", dimensions: [("method", method), ("code", code)])
        refused[code] = counter
        counter.increment()
    }
}
