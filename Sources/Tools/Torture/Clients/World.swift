import NIOCore
import ParleyClient
import Synchronization

/// Where the clients of a run connect, and how.
struct Entrance: Sendable {
    /// `ws://…` of each gateway.
    var sockets: [String]
    var group: any EventLoopGroup
    /// One thread that is made to stand still now and then.
    var slowGroup: any EventLoopGroup

    /// `http://…` of each.
    var http: [String] {
        sockets.map { "http://\($0.dropFirst("ws://".count).prefix { $0 != "/" })" }
    }

    func client(_ gateway: Int, isSlow: Bool = false) -> ParleyClient {
        ParleyClient(
            url: sockets[gateway % sockets.count],
            options: .init(
                name: "torture", backoff: Backoff(first: .milliseconds(50), last: .seconds(1)),
                deadline: .seconds(5), pingEvery: .seconds(3), pongWithin: .seconds(4), updatesHeldMax: 1_000_000,
                link: .init(connectTimeout: .seconds(4))),
            group: isSlow ? slowGroup : group)
    }
}

/// What the people of a run know of each other.
final class World: Sendable {
    struct Group: Sendable {
        var id: String
        var owner: String
        /// As far as the owner knows.
        var members: Set<String>
    }

    private struct State {
        var people: [Person] = []
        var groups: [String: Group] = [:]
    }

    private let state = Mutex(State())

    var people: [Person] {
        get { state.withLock { $0.people } }
        set { state.withLock { $0.people = newValue } }
    }

    func add(_ group: Group) { state.withLock { $0.groups[group.id] = group } }
    func groups(of owner: String) -> [Group] {
        state.withLock { $0.groups.values.filter { $0.owner == owner } }.sorted { $0.id < $1.id }
    }

    func change(_ group: String, _ body: (inout Group) -> Void) {
        state.withLock { state in
            guard var found = state.groups[group] else { return }
            body(&found)
            state.groups[group] = found
        }
    }

    /// Somebody who was in none of the person's conversations is sure to be a stranger.
    func groupsWithout(_ user: String) -> [Group] {
        state.withLock { $0.groups.values.filter { !$0.members.contains(user) } }.sorted { $0.id < $1.id }
    }
}
