import Glibc
import Logging
import Reactor
import Schema
import TestSupport
import Testing

@testable import Wire

/// Keys of an installation whose only service is "test".
private struct Keys {
    private let own: [String: CurveKeyPair]
    let peers: LinkPeers

    init() throws {
        own = Dictionary(
            uniqueKeysWithValues: ["gateway", "monitor", "follower", "test", "other"].map { ($0, CurveKeyPair.make()) })
        peers = try LinkPeers(own.map { "\($0)-1 \($0) \($1.publicKey)" }.joined(separator: "\n"))
    }

    subscript(role: String) -> LinkSecurity {
        .curve(own: own[role] ?? .make(), peers: peers)
    }

    /// A process that knows the others' keys, but none of them knows its key.
    var stranger: LinkSecurity { .curve(own: .make(), peers: peers) }
}

@Suite(.timeLimit(.minutes(4)))
struct SecurityTests {
    private let folder = Folder()
    private let keys: Keys

    init() throws { keys = try Keys() }

    @ReactorActor
    private func client(_ security: LinkSecurity, _ endpoint: String) throws -> RequestClient {
        let client = RequestClient(
            service: "test", endpoints: [endpoint], instance: "here", security: security, log: quiet)
        try client.start()
        return client
    }

    @ReactorActor
    private func server(
        _ security: LinkSecurity, _ endpoint: String, log: Logger = quiet
    ) throws -> (RequestServer, String) {
        let server = RequestServer(endpoint: endpoint, security: security, log: log)
        let bound = try server.start { _, body, responder in responder.reply(body) }
        return (server, bound)
    }

    @Test("a client with the right keys is served, over ipc and over tcp", arguments: [true, false])
    @ReactorActor
    func right(overTCP: Bool) async throws {
        let (server, endpoint) = try server(
            keys["test"], overTCP ? "tcp://127.0.0.1:*" : folder.endpoint("a"))
        let client = try client(keys["gateway"], endpoint)
        try await until { client.isAvailable }
        for size in [0, 1, 1000, WireLimits.messageBytesMax] {
            let body = [UInt8](repeating: 7, count: size)
            #expect(await client.ask(body) == .success(body))
        }
        #expect(server.forbidden == 0)
        client.close()
        server.close()
    }

    @Test("no key, an unknown key or the wrong key of the other side prevents the connection, whichever side lacks it")
    @ReactorActor
    func wrong() async throws {
        let lines = KeptLog()
        let (server, endpoint) = try server(keys["test"], "tcp://127.0.0.1:*", log: lines.logger)
        let (plainServer, plainEndpoint) = try self.server(.plain, "tcp://127.0.0.1:*")
        let foreign = try Keys()
        let attempts = [
            try client(.plain, endpoint), try client(keys.stranger, endpoint), try client(foreign["gateway"], endpoint),
            try client(keys["gateway"], plainEndpoint),
        ]
        var events: [Inbox<Socket.ConnectionEvent>] = []
        var sockets: [Socket] = []
        for (security, endpoint) in [
            (LinkSecurity.plain, endpoint), (keys.stranger, endpoint), (foreign["gateway"], endpoint),
            (keys["gateway"], plainEndpoint),
        ] {
            let (socket, inbox) = (try Socket.link(.dealer), Inbox<Socket.ConnectionEvent>())
            try security.secure(asClient: socket, of: "test")
            try socket.monitor { inbox.put($0) }
            try socket.connect(endpoint)
            sockets.append(socket)
            events.append(inbox)
        }
        // A client whose key is refused knows it, so that its log can report it.
        try await until { attempts[1].refusingEndpoints == [endpoint] }
        // So does the server, once in a while.
        let refused = lines.texts(from: .info).filter {
            $0.contains("refused a link whose key is not in the peers file")
        }
        #expect(refused.count == 1 && refused[0].contains("endpoint=") && refused[0].contains("key="), "\(refused)")
        for attempt in attempts {
            #expect(!attempt.isAvailable)
            #expect(await attempt.ask().code == .unavailable)
        }
        #expect(server.malformed == 0)
        let right = try client(keys["gateway"], endpoint)
        try await until { right.isAvailable }
        #expect(await right.ask([1]) == .success([1]))
        // Long enough for each of them to try, and try again.
        try await Reactor.shared.sleep(for: .seconds(3))
        for inbox in events {
            #expect(!inbox.elements.isEmpty)
            for event in inbox.elements { if case .ready = event { Issue.record("it was admitted") } }
        }
        #expect(attempts.allSatisfy { !$0.isAvailable })
        for client in attempts + [right] { client.close() }
        for socket in sockets { socket.close() }
        server.close()
        plainServer.close()
    }

    @Test("a monitor may call health.Check and nothing else, a follower foreground.List; a service may not call at all")
    @ReactorActor
    func roles() async throws {
        let (server, endpoint) = try server(keys["test"], folder.endpoint("a"))
        let monitor = try client(keys["monitor"], endpoint)
        try await until { monitor.isAvailable }
        #expect(await monitor.ask([1], method: "health.Check") == .success([1]))
        for method in ["messaging.SendMessage", "journal.Replay", "health.Check2", ""] {
            #expect(await monitor.ask(method: method).code == .forbidden)
        }
        #expect(server.forbidden == 4)
        let follower = try client(keys["follower"], endpoint)
        try await until { follower.isAvailable }
        #expect(await follower.ask([1], method: "foreground.List") == .success([1]))
        for method in ["health.Check", "presence.GetPresence", "sessions.Report", "foreground.List2"] {
            #expect(await follower.ask(method: method).code == .forbidden)
        }
        #expect(server.forbidden == 8)
        #expect(server.inFlight == 0)
        let service = try client(keys["other"], endpoint)
        try await until { service.refusingEndpoints == [endpoint] }
        #expect(!service.isAvailable)
        #expect(!PeerRole.service("other").mayCall("health.Check"))
        for client in [monitor, follower, service] { client.close() }
        server.close()
    }

    @Test("Updates go to gateways only")
    @ReactorActor
    func updates() async throws {
        let publisher = UpdatePublisher(endpoint: folder.endpoint("a"), security: keys["test"], log: quiet)
        let endpoint = try publisher.start()
        let received = Inbox<String>()
        func subscriber(_ name: String, _ security: LinkSecurity) throws -> UpdateSubscriber {
            let subscriber = UpdateSubscriber(endpoints: [endpoint], of: "test", security: security, log: quiet)
            try subscriber.start { _, _ in received.put(name) }
            return subscriber
        }
        let others = [
            try subscriber("plain", .plain), try subscriber("stranger", keys.stranger),
            try subscriber("monitor", keys["monitor"]), try subscriber("service", keys["other"]),
            try subscriber("itself", keys["test"]), try subscriber("follower", keys["follower"]),
        ]
        let gateway = try subscriber("gateway", keys["gateway"])
        try await until { gateway.isConnected }
        for _ in 0..<50 {
            publisher.publish(UpdateHeader(stream: "s", kind: "Message"), [1])
            #expect(try await received.next() == "gateway")
            try await Reactor.shared.sleep(for: .milliseconds(10))
        }
        #expect(received.elements.isEmpty)
        #expect(others.allSatisfy { !$0.isConnected })
        for subscriber in others + [gateway] { subscriber.close() }
        publisher.close()
    }

    @Test("a publisher for followers admits nobody else, and knows whether anybody subscribes")
    @ReactorActor
    func followers() async throws {
        let publisher = UpdatePublisher(
            endpoint: folder.endpoint("a"), security: keys["test"], admitting: [.follower], log: quiet)
        let endpoint = try publisher.start()
        func subscriber(_ security: LinkSecurity) throws -> UpdateSubscriber {
            let subscriber = UpdateSubscriber(endpoints: [endpoint], of: "test", security: security, log: quiet)
            try subscriber.start { _, _ in }
            return subscriber
        }
        let others = try [keys["gateway"], keys["monitor"], keys["other"], keys.stranger].map(subscriber)
        #expect(!publisher.hasSubscribers)
        let followers = [try subscriber(keys["follower"]), try subscriber(keys["follower"])]
        try await until { followers.allSatisfy(\.isConnected) }
        #expect(publisher.hasSubscribers && others.allSatisfy { !$0.isConnected })
        followers[0].close()
        try await Reactor.shared.sleep(for: .milliseconds(200))
        #expect(publisher.hasSubscribers)
        followers[1].close()
        try await until { !publisher.hasSubscribers }
        for subscriber in others { subscriber.close() }
        publisher.close()
    }

    @Test("a role may have several keys, so old and new gateways are both served")
    @ReactorActor
    func rotation() async throws {
        let pairs = (0..<3).map { _ in CurveKeyPair.make() }
        let peers = try LinkPeers(
            "a gateway \(pairs[0].publicKey)\nb gateway \(pairs[1].publicKey)\nt test \(pairs[2].publicKey)")
        let (server, endpoint) = try server(.curve(own: pairs[2], peers: peers), folder.endpoint("a"))
        for pair in pairs.prefix(2) {
            let client = try client(.curve(own: pair, peers: peers), endpoint)
            try await until { client.isAvailable }
            #expect(await client.ask([1], method: "messaging.SendMessage") == .success([1]))
            client.close()
        }
        server.close()
    }

    @Test("a refused client is served once the server knows its key, without a restart of its own")
    @ReactorActor
    func laterKnown() async throws {
        let (own, new) = (CurveKeyPair.make(), CurveKeyPair.make())
        let before = try LinkPeers("t test \(own.publicKey)")
        let after = try LinkPeers("t test \(own.publicKey)\ng gateway \(new.publicKey)")
        let (old, endpoint) = try server(.curve(own: own, peers: before), folder.endpoint("a"))
        let publisher = UpdatePublisher(
            endpoint: folder.endpoint("b"), security: .curve(own: own, peers: before), log: quiet)
        let updates = try publisher.start()
        let client = try client(.curve(own: new, peers: after), endpoint)
        let subscriber = UpdateSubscriber(
            endpoints: [updates], of: "test", security: .curve(own: new, peers: after), log: quiet)
        try subscriber.start { _, _ in }
        try await until { client.refusingEndpoints == [endpoint] }
        old.close()
        publisher.close()
        let (server, _) = try server(.curve(own: own, peers: after), endpoint)
        let publisherAfter = UpdatePublisher(
            endpoint: updates, security: .curve(own: own, peers: after), log: quiet)
        try publisherAfter.start()
        try await until { client.isAvailable && subscriber.isConnected }
        #expect(await client.ask([1]) == .success([1]))
        #expect(client.refusingEndpoints.isEmpty)
        client.close()
        subscriber.close()
        server.close()
        publisherAfter.close()
    }

    @Test("a peer that takes the routing id of another gets nothing, and the other keeps getting its replies")
    @ReactorActor
    func stolenRoutingID() async throws {
        let router = try Socket.link(.router)
        let asked = Inbox<[[UInt8]]>()
        router.onMessage { asked.put($0) }
        let endpoint = try router.bind("tcp://127.0.0.1:*")
        let (victim, replies) = (try Socket.link(.dealer), Inbox<[[UInt8]]>())
        let ready = Inbox<Socket.ConnectionEvent>()
        victim.onMessage { replies.put($0) }
        try victim.monitor { ready.put($0) }
        try victim.connect(endpoint)
        _ = try await ready.next()
        #expect(try victim.send([1]))
        let id = try await asked.next()[0]
        #expect(id.count == 5 && id[0] == 0)

        let thief = try RawPeer(endpoint)
        thief.shakeHands(routingID: id)
        thief.send([2])
        for number in 0..<100 {
            #expect(try router.send(id, [3, UInt8(number)]))
            #expect(try await replies.next() == [[3, UInt8(number)]])
            try await Reactor.shared.sleep(for: .milliseconds(2))
        }
        #expect(asked.elements.isEmpty)
        #expect(!thief.received.contains(3))
        thief.close()
        victim.close()
        router.close()
    }

    @Test("a server does not serve a peer that sets its own routing id")
    @ReactorActor
    func ownRoutingID() async throws {
        let (server, endpoint) = try server(.plain, "tcp://127.0.0.1:*")
        let (named, answers) = (try Socket.link(.dealer), Inbox<[[UInt8]]>())
        named.onMessage { answers.put($0) }
        try named.setRoutingID(Array("gateway-1".utf8))
        let ready = Inbox<Socket.ConnectionEvent>()
        try named.monitor { ready.put($0) }
        try named.connect(endpoint)
        _ = try await ready.next()
        #expect(try named.send(frame((Envelope(id: 1, method: "a").encode(), [9]))))
        try await until { server.malformed == 1 }
        #expect(server.inFlight == 0)
        #expect(answers.elements.isEmpty)
        named.close()
        server.close()
    }

    @Test("a crowd of peers without a handshake or with wrong keys keeps no one out and is dropped")
    @ReactorActor
    func crowd() async throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let (server, endpoint) = try server(keys["test"], "tcp://127.0.0.1:*")
        let idle = try (0..<300).map { _ in try RawPeer(endpoint) }
        var wrong: [Socket] = []
        for number in 0..<200 {
            let socket = try Socket.link(.dealer)
            try (number.isMultiple(of: 2) ? keys.stranger : Keys()["gateway"]).secure(asClient: socket, of: "test")
            try socket.connect(endpoint)
            wrong.append(socket)
        }
        let began = ContinuousClock.now
        let right = try client(keys["gateway"], endpoint)
        try await until { right.isAvailable }
        while .now - began < .seconds(3) { #expect(await right.ask([1]) == .success([1])) }
        try await until { idle.allSatisfy(\.isClosedByPeer) }
        #expect(server.malformed == 0)
        for peer in idle { peer.close() }
        for socket in wrong { socket.close() }
        right.close()
        server.close()
    }
}

/// A TCP connection that speaks ZMTP 3 by hand, as far as the tests need it.
private final class RawPeer {
    private let descriptor: CInt
    private var bytes: [UInt8] = []

    init(_ endpoint: String) throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = try #require(endpoint.split(separator: ":").last.flatMap { UInt16($0) }).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(connected == 0)
    }

    /// Sends the greeting and READY with the NULL mechanism, as a DEALER with this routing id.
    func shakeHands(routingID: [UInt8]) {
        var greeting: [UInt8] = [0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0]
        greeting += Array("NULL".utf8)
        greeting += [UInt8](repeating: 0, count: 64 - greeting.count)
        var command: [UInt8] = [5] + Array("READY".utf8)
        for (name, value) in [("Socket-Type", Array("DEALER".utf8)), ("Identity", routingID)] {
            command += [UInt8(name.utf8.count)] + Array(name.utf8)
            command += [0, 0, 0, UInt8(value.count)] + value
        }
        put(greeting + [4, UInt8(command.count)] + command)
    }

    /// Sends a message of one short part.
    func send(_ part: [UInt8]) { put([0, UInt8(part.count)] + part) }

    private func put(_ bytes: [UInt8]) { _ = write(descriptor, bytes, bytes.count) }

    /// All bytes after the peer's greeting: READY, which contains no byte 3, and the messages.
    var received: [UInt8] {
        read()
        return Array(bytes.dropFirst(64))
    }

    var isClosedByPeer: Bool { read() == 0 }

    @discardableResult
    private func read() -> Int {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
            guard count > 0 else { return count < 0 && errno == ECONNRESET ? 0 : count }
            bytes += buffer[..<count]
        }
    }

    func close() { Glibc.close(descriptor) }
}
