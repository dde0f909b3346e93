import Logging
import Reactor

/// Finds the replicas of services: each address that a configured name has is one. Names are looked up again and again, so
/// replicas may come and go (`--scale messaging=3`, a headless service of Kubernetes).
@ReactorActor
public final class ReplicaDiscovery {
    private struct Followed {
        var configured: [String]
        /// By configured endpoint, what it last stood for.
        var found: [String: [String]] = [:]
        var use: @ReactorActor ([String]) -> Void

        /// A name that has never been found stands for itself.
        var endpoints: [String] { configured.flatMap { found[$0] ?? [$0] } }
    }

    private let interval: Duration
    private let log: Logger
    private let addresses: @Sendable (String) async throws -> [String]
    private var followed: [Followed] = []
    private var work: Task<Void, Never>?
    private var failureLine = Occasionally(every: .seconds(60))

    /// - Parameter addresses: looks a name up.
    public init(
        every interval: Duration = .seconds(2), log: Logger,
        addresses: @escaping @Sendable (String) async throws -> [String] = { try await HostNames.addresses(of: $0) }
    ) {
        (self.interval, self.log, self.addresses) = (interval, log, addresses)
    }

    /// Tells `use` the endpoints of all addresses that these have, every time they are looked up.
    /// - Parameter configured: `tcp://messaging:7001`; numeric ones and those of sockets stay as they are.
    public func follow(_ configured: [String], _ use: @escaping @ReactorActor ([String]) -> Void) {
        guard configured.contains(where: { Self.name(in: $0) != nil }) else { return }
        followed.append(Followed(configured: configured, use: use))
    }

    /// Begins to look names up, until ``close()``.
    public func start() {
        guard !followed.isEmpty else { return }
        work = Task { [weak self, interval] in
            while !Task.isCancelled {
                await self?.lookUp()
                try? await Reactor.shared.sleep(for: interval)
            }
        }
    }

    public func close() {
        work?.cancel()
        followed = []
    }

    private func lookUp() async {
        var looked: [String: [String]] = [:]
        for endpoint in Set(followed.flatMap(\.configured)) {
            guard let (name, port) = Self.name(in: endpoint) else { continue }
            do {
                // Links speak IPv4.
                let found = try await addresses(name).filter { !$0.contains(":") }.sorted()
                looked[endpoint] = found.map { "tcp://\($0):\(port)" }
            } catch {
                // What was found before stays: names that cannot be looked up say nothing about who is there.
                guard failureLine.pass(at: .now) != nil else { continue }
                log.warning("a name of replicas cannot be looked up", metadata: ["error": "\(error)"])
            }
        }
        guard !Task.isCancelled else { return }
        for index in followed.indices {
            for endpoint in followed[index].configured {
                if let found = looked[endpoint], !found.isEmpty { followed[index].found[endpoint] = found }
            }
            followed[index].use(followed[index].endpoints)
        }
    }

    /// The name that is to be looked up, and the port.
    private static func name(in endpoint: String) -> (String, Substring)? {
        guard endpoint.hasPrefix("tcp://"), let colon = endpoint.lastIndex(of: ":") else { return nil }
        let host = String(endpoint[endpoint.index(endpoint.startIndex, offsetBy: 6)..<colon])
        guard !host.isEmpty, !host.hasPrefix("["), !HostNames.isNumeric(host) else { return nil }
        return (host, endpoint[endpoint.index(after: colon)...])
    }
}
