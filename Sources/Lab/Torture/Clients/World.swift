import NIOCore
import ParleyClient
import Synchronization

/// The gateways that clients connect to, and the event loops that they run on.
struct Entrance: Sendable {
    /// `ws://…` of each gateway.
    var sockets: [String]
    var group: any EventLoopGroup
    /// One thread, which is blocked now and then.
    var slowGroup: any EventLoopGroup

    /// `http://…` of each gateway.
    var http: [String] {
        sockets.map { "http://\($0.dropFirst("ws://".count).prefix { $0 != "/" })" }
    }

    /// - Parameter retries: how long the client repeats requests. By default each is one attempt, whose outcome counts.
    func client(_ gateway: Int, isSlow: Bool = false, retriesFor retries: Duration = .zero) -> ParleyClient {
        ParleyClient(
            url: sockets[gateway % sockets.count],
            options: .init(
                name: "torture", backoff: Backoff(first: .milliseconds(50), last: .seconds(1)),
                deadline: .seconds(5), retriesFor: retries, pingEvery: .seconds(3), pongWithin: .seconds(4),
                updatesHeldMax: 1_000_000,
                link: .init(connectTimeout: .seconds(4))),
            group: isSlow ? slowGroup : group)
    }
}

/// The people of a run and the groups they created.
final class World: Sendable {
    struct Group: Sendable {
        var id: String
        var owner: String
        /// The members, as far as the owner knows.
        var members: Set<String>
    }

    private struct State {
        var people: [Person] = []
        var absent: [Absent] = []
        var groups: [String: Group] = [:]
    }

    private let state = Mutex(State())

    var people: [Person] {
        get { state.withLock { $0.people } }
        set { state.withLock { $0.people = newValue } }
    }

    /// Those who are away during the whole run.
    var absent: [Absent] {
        get { state.withLock { $0.absent } }
        set { state.withLock { $0.absent = newValue } }
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

    /// The groups in which the person is not a member, as far as their owners know.
    func groupsWithout(_ user: String) -> [Group] {
        state.withLock { $0.groups.values.filter { !$0.members.contains(user) } }.sorted { $0.id < $1.id }
    }
}
