import Logging
import NIOHTTP1
import Reactor
import Schema
import ServiceKit
import Wire

/// The HTTP paths that this gateway serves, as the edge reads them.
struct HTTPPaths: Sendable {
    enum Owner: Equatable, Sendable {
        case socket, health
        /// A number in ``WebFile/all``.
        case file(Int)
        case service(Int)
    }

    var table = HTTPRouteTable<Owner>()
    /// Whether every service has declared its paths since the gateway started. Until then, an unknown path may be one.
    var isComplete = false
    /// How many bytes a message's text may have, as the services say; nil: none has said it yet.
    var textBytes: UInt32?

    /// The gateway's own paths. No service can take them.
    static let own: HTTPPaths = {
        var paths = HTTPPaths()
        paths.table.add(HttpRoute(path: "/v1/socket", methods: ["GET"]), of: .socket)
        paths.table.add(HttpRoute(path: "/health", methods: ["GET", "HEAD"]), of: .health)
        for (number, file) in WebFile.all.enumerated() {
            paths.table.add(HttpRoute(path: file.path, methods: ["GET", "HEAD"]), of: .file(number))
        }
        return paths
    }()

    /// Returns the path and query of a request. Its URI may be absolute (RFC 9112 §3.2.2).
    static func target(of head: HTTPRequestHead) -> String {
        if head.uri.utf8.first == UInt8(ascii: "/") { return head.uri }
        guard let authority = head.uri.wholeMatch(of: /(?i:https?):\/\/[^\/?]*(.*)/)?.1 else { return head.uri }
        return authority.hasPrefix("/") ? String(authority) : "/" + authority
    }
}

/// Asks every replica of every service for its HTTP paths, and for the limits that clients are told, when its link
/// comes up. Of replicas that differ while a setting is being changed, the smallest limit counts.
///
/// The paths of a service whose replicas are all lost stay, so that requests to them get 503 and not 404. If two
/// services declare one path, it stays with the service that did so first.
@ReactorActor
final class HTTPDeclarations {
    private static let deadline: Duration = .seconds(5)
    private static let pause: Duration = .seconds(1)

    private let services: [RequestClient]
    private let log: Logger
    private let publish: (HTTPPaths) -> Void
    /// What each replica declared last, by endpoint.
    private var declared: [[String: HttpRoutesReply]]
    /// The services in the order in which they declared routes.
    private var order: [Int] = []
    /// What was refused, so that each is logged once.
    private var refused: Set<String> = []

    init(services: [RequestClient], log: Logger, publish: @escaping (HTTPPaths) -> Void) {
        (self.services, self.log, self.publish) = (services, log, publish)
        declared = services.map { _ in [:] }
    }

    var isComplete: Bool { declared.allSatisfy { !$0.isEmpty } }

    private func ask(_ endpoint: String, of service: Int) {
        services[service].ask(HttpMethods.routes, HttpRoutesRequest(), to: endpoint, deadline: Self.deadline) {
            [weak self] result in
            self?.answered(endpoint, of: service, result)
        }
    }

    private func answered(_ endpoint: String, of service: Int, _ result: Result<HttpRoutesReply, Refusal>) {
        switch result {
        case .success(let reply): declare(reply, endpoint, of: service)
        // An older version of the service has no HTTP.
        case .failure(let refusal) where refusal.code == .unknownMethod:
            declare(HttpRoutesReply(), endpoint, of: service)
        case .failure:
            // A replica that was lost is asked again when it comes back.
            guard services[service].liveEndpoints.contains(endpoint) else { return }
            Reactor.shared.after(Self.pause) { [weak self] in
                guard let self, services[service].liveEndpoints.contains(endpoint) else { return }
                ask(endpoint, of: service)
            }
        }
    }

    /// Notes that a replica came, which is asked, or is lost: what it declared no longer counts, unless it was the last
    /// one of its service.
    func changed(_ endpoint: String, of service: Int, isLive: Bool) {
        if isLive { return ask(endpoint, of: service) }
        guard declared[service].count > 1, declared[service].removeValue(forKey: endpoint) != nil else { return }
        combine()
    }

    private func declare(_ declaration: HttpRoutesReply, _ endpoint: String, of service: Int) {
        let live = Set(services[service].liveEndpoints)
        declared[service] = declared[service].filter { live.contains($0.key) }
        declared[service][endpoint] = declaration
        if !order.contains(service) { order.append(service) }
        combine()
    }

    /// Publishes what all replicas together declare.
    private func combine() {
        var paths = HTTPPaths.own
        for service in order {
            for (_, declaration) in declared[service].sorted(by: { $0.key < $1.key }) {
                for route in declaration.routes { add(route, of: service, to: &paths) }
            }
        }
        paths.textBytes = declared.flatMap(\.values).map(\.textBytes).filter { $0 > 0 }.min()
        paths.isComplete = isComplete
        publish(paths)
    }

    private func add(_ route: HttpRoute, of service: Int, to paths: inout HTTPPaths) {
        var why = route.problem
        if why == nil, let other = paths.table.add(route, of: .service(service)) {
            why = "\(other.route.path) belongs to \(name(of: other.owner))"
        }
        let name = services[service].service
        guard let why, refused.insert("\(name) \(route.path)").inserted else { return }
        log.error(
            "a path is not served; correct the service that declares it",
            metadata: ["service": "\(name)", "path": "\(route.path)", "why": "\(why)"])
    }

    private func name(of owner: HTTPPaths.Owner) -> String {
        if case .service(let number) = owner { return "the service \(services[number].service)" }
        return "the gateway"
    }
}
