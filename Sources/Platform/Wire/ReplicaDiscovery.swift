import Logging
import Reactor

/// Finds the replicas of services: each address that a configured name has is one. Names are looked up again and again,
/// so replicas may come and go (`--scale messaging=3`, a headless service of Kubernetes).
@ReactorActor
public final class ReplicaDiscovery {
    private struct Followed {
        var configured: [String]
        /// By configured endpoint, what it last stood for.
        var found: [String: [String]] = [:]
        var use: @ReactorActor ([String]) -> Void

        /// A name that has never been found stands for nobody: a link to the name itself would be one more to a
        /// replica.
        var endpoints: [String] {
            configured.flatMap { found[$0] ?? (ReplicaDiscovery.name(in: $0) == nil ? [$0] : []) }
        }
    }

    private let interval: Duration
    private let log: Logger
    private let addresses: @Sendable (String) async throws -> [String]
    private var followed: [Followed] = []
    /// One a name: one whose server does not answer holds up no other.
    private var work: [Task<Void, Never>] = []
    private var failureLine = LogThrottle(every: .seconds(60))

    /// - Parameter addresses: looks a name up.
    public init(
        every interval: Duration = .seconds(2), log: Logger,
        addresses: @escaping @Sendable (String) async throws -> [String] = { try await HostNames.addresses(of: $0) }
    ) {
        (self.interval, self.log, self.addresses) = (interval, log, addresses)
    }

    /// Those that need no looking up: what links begin with.
    public static func known(_ configured: [String]) -> [String] { configured.filter { name(in: $0) == nil } }

    /// Tells `use` the endpoints of all addresses that these have, every time they are looked up.
    /// - Parameter configured: `tcp://messaging:7001`; numeric ones and those of sockets stay as they are.
    public func follow(_ configured: [String], _ use: @escaping @ReactorActor ([String]) -> Void) {
        guard configured.contains(where: { Self.name(in: $0) != nil }) else { return }
        followed.append(Followed(configured: configured, use: use))
    }

    /// Begins to look names up, until ``close()``.
    public func start() {
        for name in Set(followed.flatMap(\.configured).compactMap({ Self.name(in: $0)?.host })) {
            work.append(
                Task { [weak self, interval] in
                    while !Task.isCancelled {
                        await self?.lookUp(name)
                        try? await Reactor.shared.sleep(for: interval)
                    }
                })
        }
    }

    public func close() {
        for task in work { task.cancel() }
        followed = []
    }

    private func lookUp(_ name: String) async {
        var found: [String] = []
        do {
            // Links speak IPv4.
            found = try await addresses(name).filter { !$0.contains(":") }.sorted()
        } catch {
            // What was found before stays: names that cannot be looked up say nothing about who is there.
            if failureLine.pass(at: .now) != nil {
                log.warning("a name of replicas cannot be looked up", metadata: ["error": "\(error)"])
            }
        }
        guard !Task.isCancelled else { return }
        for index in followed.indices {
            var isOfName = false
            for endpoint in followed[index].configured {
                guard let (host, port) = Self.name(in: endpoint), host == name else { continue }
                isOfName = true
                if !found.isEmpty { followed[index].found[endpoint] = found.map { "tcp://\($0):\(port)" } }
            }
            if isOfName { followed[index].use(followed[index].endpoints) }
        }
    }

    /// The name that is to be looked up, and the port.
    private nonisolated static func name(in endpoint: String) -> (host: String, port: Substring)? {
        guard endpoint.hasPrefix("tcp://"), let colon = endpoint.lastIndex(of: ":") else { return nil }
        let host = String(endpoint[endpoint.index(endpoint.startIndex, offsetBy: 6)..<colon])
        guard !host.isEmpty, !host.hasPrefix("["), !HostNames.isNumeric(host) else { return nil }
        return (host, endpoint[endpoint.index(after: colon)...])
    }
}
