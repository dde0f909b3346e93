import Schema
import ServiceKit
import Wire

/// What becomes of a request.
struct HTTPDecision: Equatable {
    /// A path of the gateway's own.
    enum Own: Equatable {
        case socket, health
        /// A number in ``WebFile/all``.
        case file(Int)
    }

    /// A path that a service answers.
    struct Relay: Equatable {
        let route: HttpRoute
        let service: Int
        let kind: ExchangeBook.Kind
    }

    enum Outcome: Equatable {
        case refuse(HTTPProblem)
        case answer(Own)
        case relay(Relay)
    }

    let outcome: Outcome
    /// How long nothing more is read after the response, if that is longer than the request alone costs.
    var pause: Duration?
}

/// Decides what becomes of the requests of one connection, by what the edge knows: paths, limits and counts.
struct HTTPDoor {
    private let edge: Edge
    /// The place of the connection's other end; nil: a trusted proxy.
    private let peer: String?
    private var bucket: TokenBucket

    init(edge: Edge, peer: String?) {
        (self.edge, self.peer) = (edge, peer)
        bucket = TokenBucket(edge.rules.requests, at: Moment.now.steady)
    }

    /// Decides, and counts the request where it costs a service something.
    mutating func decide(_ request: HTTPDemand) -> HTTPDecision {
        // First, so that a page that may not ask learns nothing.
        guard edge.origins.allow(request.head.headers) else {
            edge.refusedPage(request.head.headers)
            return HTTPDecision(outcome: .refuse(.otherPage))
        }
        let entry = edge.paths.table.entry(at: request.target)
        if let problem = request.problem(at: entry?.route, pathsAreKnown: edge.paths.isComplete) {
            return HTTPDecision(outcome: .refuse(problem))
        }
        guard let entry else { return HTTPDecision(outcome: .refuse(.noPath)) }
        switch entry.owner {
        case .socket:
            let problem = HTTPDemand.problem(withHandshake: request.head) ?? closed
            return HTTPDecision(outcome: problem.map { .refuse($0) } ?? .answer(.socket))
        case .health:
            if let problem = spend(on: request) { return refuseMany(problem, to: request) }
            return HTTPDecision(outcome: .answer(.health))
        case .file(let number): return HTTPDecision(outcome: .answer(.file(number)))
        case .service(let service): return relay(request, at: entry.route, to: service)
        }
    }

    private mutating func relay(_ request: HTTPDemand, at route: HttpRoute, to service: Int) -> HTTPDecision {
        if let closed { return HTTPDecision(outcome: .refuse(closed)) }
        if let problem = spend(on: request) { return refuseMany(problem, to: request) }
        let kind = request.hasBody ? ExchangeBook.Kind.upload : .download
        guard edge.exchangeBegins(kind, from: request.address) else {
            return refuseMany(
                HTTPProblem(
                    .unavailable("Too many requests are being answered. Try again later.", retryAfter: .seconds(2))),
                to: request)
        }
        return HTTPDecision(outcome: .relay(.init(route: route, service: service, kind: kind)))
    }

    /// Why no sessions and exchanges begin now; nil if they do.
    private var closed: HTTPProblem? {
        edge.reasonToRefuse.map { HTTPProblem(.unavailable($0, retryAfter: .seconds(1))) }
    }

    /// Counts a request that services answer, for its connection and its address.
    /// - Returns: the refusal of one too many.
    private mutating func spend(on request: HTTPDemand) -> HTTPProblem? {
        // A proxy's connection is of many people, whose addresses count.
        if peer != nil, let wait = bucket.take(edge.rules.requests, at: Moment.now.steady) {
            return HTTPProblem(.rateLimited(.microseconds(wait)))
        }
        do throws(Refusal) {
            try edge.countBeginning(from: request.address)
            return nil
        } catch {
            return HTTPProblem(error)
        }
    }

    /// Refuses one request too many, which costs the gateway more than it costs the client.
    private func refuseMany(_ problem: HTTPProblem, to request: HTTPDemand) -> HTTPDecision {
        let place = ClientAddress.place(of: request.address)
        let wait = edge.countRequest(from: place, asMany: edge.rules.limits.framesOfRefused - 1)
        return HTTPDecision(outcome: .refuse(problem), pause: peer == nil ? nil : wait)
    }
}

extension HTTPProblem {
    static let otherPage = HTTPProblem(
        403, .originNotAllowed,
        "Pages of this origin may not use this gateway. Its setting listen.origins says which may.")
}
