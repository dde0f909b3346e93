import Cluster
import Logging
import NIOCore
import NIOPosix
import Reactor
import Synchronization

/// All links of a cluster's gateways, with their proxies.
final class Links: Sendable {
    private struct State {
        var proxies: [LinkName: LinkProxy] = [:]
        var endpoints: [LinkName: String] = [:]
        var isListening: [EventLoopFuture<Void>] = []
    }

    private let state = Mutex(State())
    private let folder: String
    private let group: any EventLoopGroup
    private let loop: any EventLoop

    /// - Parameter folder: the folder for the proxies' sockets; a short path.
    init(folder: String, group: any EventLoopGroup) {
        (self.folder, self.group, loop) = (folder, group, group.next())
    }

    /// Puts a proxy on the link and returns its endpoint. For ``ClusterConfiguration/via``.
    func via(_ gateway: String, _ replica: String, _ kind: String, _ endpoint: String) -> String {
        guard let kind = LinkName.Kind(rawValue: kind), endpoint.hasPrefix("ipc://") else { return endpoint }
        let name = LinkName(gateway: gateway, replica: replica, kind: kind)
        // If the link gets an Update forwarder, that replaces the upstream later.
        let proxy = LinkProxy(
            on: loop, upstream: try? SocketAddress(unixDomainSocketPath: String(endpoint.dropFirst("ipc://".count))))
        let path = "\(folder)/\(gateway).\(replica).\(kind)"
        state.withLock { state in
            state.proxies[name] = proxy
            state.endpoints[name] = endpoint
            state.isListening.append(proxy.listen(at: path))
        }
        return "ipc://\(path)"
    }

    var names: [LinkName] { state.withLock { $0.proxies.keys.sorted { "\($0)" < "\($1)" } } }
    subscript(name: LinkName) -> LinkProxy? { state.withLock { $0.proxies[name] } }

    /// The replica's real endpoint of a link.
    func endpoint(of name: LinkName) -> String? { state.withLock { $0.endpoints[name] } }

    /// Returns the path of a numbered socket of the link's forwarder.
    func socketPath(of name: LinkName, _ number: Int) -> String {
        "\(folder)/\(name.gateway).\(name.replica).f\(number)"
    }

    /// Throws an error if a proxy could not listen.
    func check() async throws {
        for future in state.withLock({ $0.isListening }) { try await future.get() }
    }

    func close() {
        for proxy in state.withLock({ Array($0.proxies.values) }) { proxy.close() }
    }
}

/// Combines the faults that affect links at the same time.
struct LinkEffects {
    private var cuts: [LinkName: Int] = [:]
    private var stalls: [LinkName: Int] = [:]
    private var delays: [LinkName: [Int]] = [:]
    private var drops: [LinkName: [Int]] = [:]

    /// Adds or removes a fault, and returns the affected links.
    mutating func change(_ action: Fault.Action, begins: Bool) -> [LinkName] {
        switch action {
        case .cut(let links):
            for link in links { cuts[link, default: 0] += begins ? 1 : -1 }
            return links
        case .stall(let links):
            for link in links { stalls[link, default: 0] += begins ? 1 : -1 }
            return links
        case .delay(let links, let milliseconds):
            for link in links { Self.change(&delays[link, default: []], milliseconds, begins) }
            return links
        case .drop(let links, let perMille):
            for link in links { Self.change(&drops[link, default: []], perMille, begins) }
            return links
        case .kill, .freeze, .stop, .fillDisk, .clock: return []
        }
    }

    private static func change(_ values: inout [Int], _ value: Int, _ begins: Bool) {
        if begins {
            values.append(value)
        } else if let index = values.firstIndex(of: value) {
            values.remove(at: index)
        }
    }

    func isCut(_ link: LinkName) -> Bool { cuts[link, default: 0] > 0 }
    func isStalled(_ link: LinkName) -> Bool { stalls[link, default: 0] > 0 }
    func delay(_ link: LinkName) -> Int { delays[link]?.max() ?? 0 }
    func drop(_ link: LinkName) -> Int { drops[link]?.max() ?? 0 }
}
