import Glibc
import TestSupport
import Testing

@testable import Reactor

@Suite(.timeLimit(.minutes(4)))
struct SocketTests {
    /// Returns the added elements in order, one for each call of `next()`.
    @ReactorActor
    private final class Inbox<Element: Sendable> {
        private var elements: [Element] = []

        func put(_ element: Element) { elements.append(element) }

        func next(line: Int = #line) async throws -> Element {
            try await eventually("the element that line \(line) waits for") { !elements.isEmpty }
            return elements.removeFirst()
        }
    }

    @ReactorActor
    private func dealer(_ name: String) throws -> Socket {
        let socket = try Socket(.dealer)
        try socket.set(.immediate, 1)
        try socket.setRoutingID(Array(name.utf8))
        return socket
    }

    @ReactorActor
    private func router() throws -> Socket {
        let socket = try Socket(.router)
        try socket.set(.routerMandatory, 1)
        return socket
    }

    @Test("a dealer's message reaches the router with its name, and the answer comes back")
    @ReactorActor
    func ping() async throws {
        let router = try router()
        let requests = Inbox<[[UInt8]]>()
        router.onMessage { requests.put($0) }
        let endpoint = try router.bind("tcp://127.0.0.1:*")
        #expect(!endpoint.hasSuffix("*"))

        let dealer = try dealer("me")
        let ready = Inbox<Socket.ConnectionEvent>()
        try dealer.monitor { ready.put($0) }
        let replies = Inbox<[[UInt8]]>()
        dealer.onMessage { replies.put($0) }
        try dealer.connect(endpoint)
        #expect(try await ready.next() == .ready(endpoint: endpoint))

        #expect(try dealer.send([1, 2], []))
        #expect(try await requests.next() == [Array("me".utf8), [1, 2], []])
        let large = [UInt8](repeating: 7, count: 1_000_000)
        #expect(try router.send(Array("me".utf8), [3], large))
        #expect(try await replies.next() == [[3], large])
    }

    @Test("a send right after a connection became ready finds its peer")
    @ReactorActor
    func sendWhenReady() async throws {
        for _ in 0..<50 {
            let router = try router()
            let endpoint = try router.bind("tcp://127.0.0.1:*")
            let dealer = try dealer("me")
            let sent = Inbox<Bool>()
            try dealer.monitor { [weak dealer] _ in
                if let dealer { sent.put((try? dealer.send([1], [2])) ?? false) }
            }
            try dealer.connect(endpoint)
            #expect(try await sent.next())
            dealer.close()
            router.close()
        }
    }

    @Test("a send without a peer returns false and queues nothing")
    @ReactorActor
    func nobody() async throws {
        let dealer = try dealer("me")
        #expect(try !dealer.send([1], [2]))
        let router = try router()
        let received = Inbox<[[UInt8]]>()
        router.onMessage { received.put($0) }
        let endpoint = try router.bind("tcp://127.0.0.1:*")
        #expect(try !router.send(Array("nobody".utf8), [1], [2]))
        let ready = Inbox<Socket.ConnectionEvent>()
        try dealer.monitor { ready.put($0) }
        try dealer.connect(endpoint)
        _ = try await ready.next()
        #expect(try dealer.send([3], [4]))
        #expect(try await received.next() == [Array("me".utf8), [3], [4]])
    }

    @Test("a peer that closes is reported as disconnected")
    @ReactorActor
    func disconnected() async throws {
        let router = try router()
        let endpoint = try router.bind("tcp://127.0.0.1:*")
        let dealer = try dealer("me")
        let events = Inbox<Socket.ConnectionEvent>()
        try dealer.monitor { events.put($0) }
        try dealer.connect(endpoint)
        #expect(try await events.next() == .ready(endpoint: endpoint))
        router.close()
        #expect(try await events.next() == .disconnected(endpoint: endpoint))
        // ZeroMQ's own thread reports it, perhaps before the socket knows.
        var isRefused = try !dealer.send([1], [2])
        for _ in 0..<5000 where !isRefused {
            try await Task.sleep(for: .milliseconds(1))
            isRefused = try !dealer.send([1], [2])
        }
        #expect(isRefused)
    }

    @Test("a handler may close and release the socket it is called from")
    @ReactorActor
    func closeInHandler() async throws {
        let router = try router()
        let endpoint = try router.bind("tcp://127.0.0.1:*")
        let dealer = try dealer("me")
        let ready = Inbox<Socket.ConnectionEvent>()
        try dealer.monitor { ready.put($0) }
        try dealer.connect(endpoint)
        _ = try await ready.next()

        @ReactorActor
        final class Owner {
            var socket: Socket?
            var count = 0
        }
        let owner = Owner()
        owner.socket = router
        let closed = Inbox<Int>()
        for number in 0..<10 { #expect(try dealer.send([UInt8(number)], [])) }
        owner.socket?.onMessage { _ in
            owner.count += 1
            owner.socket?.close()
            owner.socket = nil
            closed.put(owner.count)
        }
        #expect(try await closed.next() == 1)
        try await Reactor.shared.sleep(for: .milliseconds(3))
        #expect(owner.count == 1)
    }

    @Test("the error for an invalid endpoint names it")
    @ReactorActor
    func wrongEndpoint() throws {
        let socket = try Socket(.dealer)
        let failure = #expect(throws: ZeroMQError.self) { try socket.connect("nonsense") }
        #expect(failure?.description.contains("nonsense") == true)
    }
}
