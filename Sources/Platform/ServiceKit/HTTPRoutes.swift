import Monitor
import Reactor
import Schema
import Wire

/// The HTTP paths that somebody answers, each with its owner. Pure.
public struct HTTPRouteTable<Owner: Equatable & Sendable>: Sendable {
    public struct Entry: Sendable {
        public let route: HttpRoute
        public let owner: Owner
    }

    /// Longest path first.
    private var entries: [Entry] = []

    public init() {}

    public var routes: [HttpRoute] { entries.map(\.route) }

    /// Adds a route unless another owner already answers some of its paths. A route of the same path and owner is
    /// replaced.
    /// - Returns: the entry that is in the way; nil if the route was added.
    @discardableResult
    public mutating func add(_ route: HttpRoute, of owner: Owner) -> Entry? {
        if let other = entries.first(where: { $0.owner != owner && $0.route.overlaps(route) }) { return other }
        entries.removeAll { $0.route.path == route.path && $0.route.below == route.below }
        let place = entries.firstIndex { $0.route.path.utf8.count < route.path.utf8.count } ?? entries.count
        entries.insert(Entry(route: route, owner: owner), at: place)
        return nil
    }

    /// Returns the entry of a request's path, which may have a query.
    public func entry(at path: String) -> Entry? {
        let path = path.prefix { $0 != "?" }
        return entries.first { $0.route.covers(path) }
    }
}

extension HttpRoute {
    fileprivate func covers(_ other: some StringProtocol) -> Bool { below ? other.hasPrefix(path) : other == path }

    fileprivate func overlaps(_ other: HttpRoute) -> Bool {
        covers(other.path) || other.covers(path)
    }

    /// What is wrong with a route; nil if nothing is.
    public var problem: String? {
        let isToken = { (byte: UInt8) in byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: ":") }
        if !path.hasPrefix("/") || path.utf8.contains(where: { !isToken($0) || $0 == UInt8(ascii: "?") }) {
            return "its path is not one"
        }
        if methods.isEmpty || !methods.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isToken) }) {
            return "it has no method, or an invalid one"
        }
        if headers.contains(where: { $0.isEmpty || $0 != $0.lowercased() || !$0.utf8.allSatisfy(isToken) }) {
            return "a header's name is not in lower case"
        }
        return bodyBytesMax < 0 ? "its body has a negative size" : nil
    }
}

/// The HTTP paths of a service, with their handlers.
@ReactorActor
public struct HTTPHandlers {
    typealias Handler = @ReactorActor (HttpPiece, RequestContext) async throws -> HttpReply

    private var table = HTTPRouteTable<Int>()
    private var handlers: [Handler] = []
    /// What gateways tell clients of a message's text; zero: nothing.
    var textBytes: UInt32 = 0

    var reply: HttpRoutesReply { HttpRoutesReply(routes: table.routes, textBytes: textBytes) }

    mutating func add(_ route: HttpRoute, _ handler: @escaping Handler) {
        if let problem = route.problem { preconditionFailure("the route \(route.path) is invalid: \(problem)") }
        let other = table.add(route, of: handlers.count)
        precondition(other == nil, "the paths \(route.path) and \(other?.route.path ?? "") overlap")
        handlers.append(handler)
    }

    func answer(_ piece: HttpPiece, _ context: RequestContext) async throws -> HttpReply {
        guard let entry = table.entry(at: piece.request.path) else { return HTTPProblem.noPath.reply() }
        return try await handlers[entry.owner](piece, context)
    }
}

/// A refusal over HTTP: a status, and the code and message of a ``Refusal`` as JSON.
public struct HTTPProblem: Error, Equatable, Sendable {
    public var status: UInt32
    public var code: String
    public var message: String
    public var headers: [HttpHeader]

    public init(_ status: UInt32, _ code: Refusal.Code, _ message: String, headers: [HttpHeader] = []) {
        (self.status, self.code, self.message, self.headers) = (status, code.rawValue, message, headers)
    }

    public init(_ refusal: Refusal) {
        let status: UInt32 =
            switch refusal.code {
            case .invalid: 400
            case .unauthenticated: 401
            case .notFound, .unknownMethod: 404
            case .tooLarge: 413
            case .rateLimited: 429
            case .internal: 500
            case .unavailable: 503
            case .deadline: 504
            default: 403
            }
        self.init(status, refusal.code, refusal.message)
        if [429, 503, 504].contains(status) {
            let seconds = max(1, ((refusal.retryAfter ?? .zero).microseconds + 999_999) / 1_000_000)
            headers = [HttpHeader(name: "Retry-After", value: "\(seconds)")]
        }
    }

    public static let noPath = HTTPProblem(404, .notFound, "There is nothing at this path.")

    public var body: String { "{\"code\":\(JSON.quote(code)),\"message\":\(JSON.quote(message))}" }

    /// Allows pages of any origin to read a reply.
    public static let open = [
        HttpHeader(name: "Access-Control-Allow-Origin", value: "*"),
        HttpHeader(name: "Access-Control-Expose-Headers", value: "X-Request-Id"),
    ]

    public func reply(with others: [HttpHeader] = HTTPProblem.open) -> HttpReply {
        HttpReply(
            status: status,
            headers: others + headers + [HttpHeader(name: "Content-Type", value: "application/json; charset=utf-8")],
            body: Array(body.utf8))
    }
}
