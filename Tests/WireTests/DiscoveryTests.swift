import Reactor
import Schema
import Synchronization
import Testing

@testable import Wire

@Suite(.timeLimit(.minutes(4)))
struct DiscoveryTests {
    /// A fake name server.
    private final class Names: Sendable {
        private struct Unknown: Error {}
        private let state = Mutex<[String: [String]]>([:])

        subscript(name: String) -> [String]? {
            get { state.withLock { $0[name] } }
            set { state.withLock { $0[name] = newValue } }
        }

        func addresses(of name: String) throws -> [String] {
            guard let found = self[name] else { throw Unknown() }
            return found
        }
    }

    private let names = Names()

    @ReactorActor
    private func discovery() -> ReplicaDiscovery {
        ReplicaDiscovery(every: .milliseconds(20), log: quiet) { [names] in try names.addresses(of: $0) }
    }

    /// Starts a replica on another address of this machine, with the same port.
    @ReactorActor
    private func replica(_ host: Int, port: Substring) throws -> RequestServer {
        try RequestServer.echo("tcp://127.0.0.\(host):\(port)", prefix: [UInt8(host)]).server
    }

    @Test("D2 each address of a name is a replica; they come and go, and a connected one stays even if not listed")
    @ReactorActor
    func requests() async throws {
        let (first, endpoint) = try RequestServer.echo("tcp://127.0.0.1:*", prefix: [1])
        let port = try #require(endpoint.split(separator: ":").last)
        let second = try replica(2, port: port)
        let discovery = discovery()
        let configured = ["tcp://replicas.test:\(port)"]
        let client = RequestClient(
            service: "test", endpoints: ReplicaDiscovery.known(configured), instance: "here", log: quiet)
        #expect(client.endpoints == [], "a link to the name would be a second one to a replica")
        names["replicas.test"] = ["127.0.0.2", "127.0.0.1", "fd00::1"]
        discovery.follow(configured) { client.setEndpoints($0) }
        try client.start()
        discovery.start()
        try await until { client.liveEndpoints.count == 2 && client.endpoints.count == 2 }
        #expect(Set(client.endpoints) == ["tcp://127.0.0.1:\(port)", "tcp://127.0.0.2:\(port)"])
        let homes = Set(await [client.ask(), client.ask()].map { try? $0.get() })
        #expect(homes == [[1], [2]])

        // A third appears.
        let third = try replica(3, port: port)
        names["replicas.test"] = ["127.0.0.1", "127.0.0.2", "127.0.0.3"]
        try await until { client.liveEndpoints.count == 3 }

        // If lookups fail or leave out a connected replica, all replicas are kept.
        names["replicas.test"] = nil
        try await Reactor.shared.sleep(for: .milliseconds(100))
        #expect(client.liveEndpoints.count == 3)
        names["replicas.test"] = ["127.0.0.3"]
        try await Reactor.shared.sleep(for: .milliseconds(100))
        #expect(client.liveEndpoints.count == 3)

        // Replicas that are lost and no longer listed are removed.
        first.close()
        second.close()
        try await until { client.endpoints == ["tcp://127.0.0.3:\(port)"] }
        #expect(await client.ask([7]) == .success([3, 7]))
        discovery.close()
        client.close()
        third.close()
    }

    @Test("D2 Updates of a discovered replica arrive, and those of its replacement")
    @ReactorActor
    func updates() async throws {
        let publisher = UpdatePublisher(endpoint: "tcp://127.0.0.1:*", log: quiet)
        let port = try #require(try publisher.start().split(separator: ":").last)
        let discovery = discovery()
        let subscriber = UpdateSubscriber(endpoints: [], log: quiet)
        let numbers = Inbox<Int64>()
        let connected = Inbox<String>()
        subscriber.onConnected = { connected.put($0) }
        names["replicas.test"] = ["127.0.0.1"]
        discovery.follow(["tcp://replicas.test:\(port)"]) { subscriber.setEndpoints($0) }
        try subscriber.start { header, _ in numbers.put(header.number) }
        #expect(!subscriber.hasPublisher)
        discovery.start()
        #expect(try await connected.next() == "tcp://127.0.0.1:\(port)")
        try await until { subscriber.isConnected && subscriber.hasPublisher }
        publisher.publish(UpdateHeader(lane: 1, number: 1, stream: "s"), [])
        #expect(try await numbers.next() == 1)

        let other = UpdatePublisher(endpoint: "tcp://127.0.0.2:\(port)", log: quiet)
        _ = try other.start()
        publisher.close()
        names["replicas.test"] = ["127.0.0.2"]
        #expect(try await connected.next() == "tcp://127.0.0.2:\(port)")
        try await until { subscriber.missing == [] }
        other.publish(UpdateHeader(lane: 2, number: 5, stream: "s"), [])
        #expect(try await numbers.next() == 5)
        discovery.close()
        subscriber.close()
        other.close()
    }

    @Test("D2 addresses and sockets stay as they are; a name that has never been found has no endpoints")
    @ReactorActor
    func configured() async throws {
        let discovery = discovery()
        var used: [[String]] = []
        discovery.follow(["ipc:///run/a", "tcp://10.0.0.1:7001", "tcp://[::1]:7001"]) { _ in
            Issue.record("nothing to look up")
        }
        discovery.follow(["ipc:///run/a", "tcp://no.test:1", "tcp://10.0.0.1:2"]) { used.append($0) }
        discovery.start()
        try await until { used.count >= 2 }
        #expect(Set(used) == [["ipc:///run/a", "tcp://10.0.0.1:2"]])
        #expect(ReplicaDiscovery.known(["ipc:///run/a", "tcp://no.test:1"]) == ["ipc:///run/a"])
        names["no.test"] = []
        let before = used.count
        try await until { used.count >= before + 2 }
        #expect(Set(used).count == 1)
        names["no.test"] = ["10.9.9.9"]
        try await until { used.last == ["ipc:///run/a", "tcp://10.9.9.9:1", "tcp://10.0.0.1:2"] }
        discovery.close()
        let after = used.count
        try await Reactor.shared.sleep(for: .milliseconds(60))
        #expect(used.count == after)
    }
}
