import Logging
import Reactor

/// Finds the replicas of services. Each address of a configured name is a replica. Names are looked up again and again,
/// so replicas may come and go (`--scale messaging=3`, a headless service of Kubernetes).
@ReactorActor
public final class ReplicaDiscovery {
    private struct Followed {
        var configured: [String]
        /// The endpoints last found, by configured endpoint.
        var found: [String: [String]] = [:]
        var use: @ReactorActor ([String]) -> Void

        /// The endpoints to use. A name that has never been found has none, since a link to the name itself would be a
        /// second one to a replica.
        var endpoints: [String] {
            configured.flatMap { found[$0] ?? (ReplicaDiscovery.name(in: $0) == nil ? [$0] : []) }
        }
    }

    private let interval: Duration
    private let log: Logger
    private let addresses: @Sendable (String) async throws -> [String]
    private var followed: [Followed] = []
    /// One task per name, so that a name whose server does not answer holds up no other.
    private var work: [Task<Void, Never>] = []
    private var failureLine = LogThrottle(every: .seconds(60))

    /// - Parameter addresses: looks up the addresses of a name.
    public init(
        every interval: Duration = .seconds(2), log: Logger,
        addresses: @escaping @Sendable (String) async throws -> [String] = { try await HostNames.addresses(of: $0) }
    ) {
        (self.interval, self.log, self.addresses) = (interval, log, addresses)
    }

    /// Returns the endpoints that need no lookup. Links begin with these.
    public static func known(_ configured: [String]) -> [String] { configured.filter { name(in: $0) == nil } }

    /// Calls `use` with the endpoints of all addresses found, after every lookup.
    /// - Parameter configured: `tcp://messaging:7001`; numeric addresses and ipc sockets stay as they are.
    public func follow(_ configured: [String], _ use: @escaping @ReactorActor ([String]) -> Void) {
        guard configured.contains(where: { Self.name(in: $0) != nil }) else { return }
        followed.append(Followed(configured: configured, use: use))
    }

    /// Looks names up until ``close()``.
    public func start() {
        for name in Set(followed.flatMap(\.configured).compactMap({ Self.name(in: $0)?.host })) {
            work.append(
                Task.onLoop { [weak self, interval] in
                    while !Task.isCancelled {
                        await self?.lookUp(name)
                        // Nothing tells when a name has other addresses.
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
            // Links use IPv4.
            found = try await addresses(name).filter { !$0.contains(":") }.sorted()
        } catch {
            // Earlier results stay, since a failed lookup says nothing about the replicas.
            if failureLine.pass(at: .now) != nil {
                log.warning("the name of a service's replicas cannot be looked up", metadata: ["error": "\(error)"])
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

    /// Returns the name to look up and the port, or nil if there is nothing to look up.
    private nonisolated static func name(in endpoint: String) -> (host: String, port: Substring)? {
        guard endpoint.hasPrefix("tcp://"), let colon = endpoint.lastIndex(of: ":") else { return nil }
        let host = String(endpoint[endpoint.index(endpoint.startIndex, offsetBy: 6)..<colon])
        guard !host.isEmpty, !host.hasPrefix("["), !HostNames.isNumeric(host) else { return nil }
        return (host, endpoint[endpoint.index(after: colon)...])
    }
}
