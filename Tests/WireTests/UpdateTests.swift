import Reactor
import Schema
import Testing

@testable import Wire

@Suite(.timeLimit(.minutes(4)))
struct UpdateTests {
    private let folder = Folder()

    private struct Received: Sendable, Equatable {
        var header: UpdateHeader
        var body: [UInt8]
    }

    private func header(_ number: Int, stream: String = "messaging/c/1") -> UpdateHeader {
        UpdateHeader(lane: 1, number: Int64(number), stream: stream, kind: "Message", audience: [1, 2, 3])
    }

    @ReactorActor
    private func subscriber(_ endpoints: String..., into inbox: Inbox<Received>) async throws -> UpdateSubscriber {
        let subscriber = UpdateSubscriber(endpoints: endpoints, log: quiet)
        try subscriber.start { inbox.put(Received(header: $0, body: $1)) }
        try await until { subscriber.isConnected }
        return subscriber
    }

    @Test("Updates of all streams arrive in the order they were published, from the connection on")
    @ReactorActor
    func order() async throws {
        let publisher = UpdatePublisher(endpoint: folder.endpoint("a"), log: quiet)
        let endpoint = try publisher.start()
        let inbox = Inbox<Received>()
        let subscriber = try await subscriber(endpoint, into: inbox)
        for number in 0..<5000 { publisher.publish(header(number, stream: "s/\(number % 97)"), [UInt8(number % 251)]) }
        for number in 0..<5000 {
            let received = try await inbox.next()
            #expect(
                received == Received(header: header(number, stream: "s/\(number % 97)"), body: [UInt8(number % 251)]))
        }
        subscriber.close()
        publisher.close()
    }

    @Test("no Update published after the callback for the connection is missed, however often one connects")
    @ReactorActor
    func connected() async throws {
        let publisher = UpdatePublisher(endpoint: "tcp://127.0.0.1:*", log: quiet)
        let endpoint = try publisher.start()
        for number in 0..<50 {
            let inbox = Inbox<Received>()
            let subscriber = UpdateSubscriber(endpoints: [endpoint], log: quiet)
            subscriber.onConnected = { which in
                #expect(which == endpoint)
                publisher.publish(header(number), [])
            }
            #expect(!subscriber.isConnected)
            #expect(subscriber.missing == [endpoint])
            try subscriber.start { inbox.put(Received(header: $0, body: $1)) }
            #expect(try await inbox.next().header.number == Int64(number))
            #expect(subscriber.isConnected)
            subscriber.close()
        }
        publisher.close()
    }

    @Test("every subscriber gets every Update; another's greeting does not count as a second connection")
    @ReactorActor
    func several() async throws {
        let publisher = UpdatePublisher(endpoint: folder.endpoint("a"), log: quiet)
        let endpoint = try publisher.start()
        var inboxes: [Inbox<Received>] = []
        var subscribers: [UpdateSubscriber] = []
        let connections = Inbox<String>()
        for _ in 0..<4 {
            let inbox = Inbox<Received>()
            let subscriber = UpdateSubscriber(endpoints: [endpoint], log: quiet)
            subscriber.onConnected = { connections.put($0) }
            try subscriber.start { inbox.put(Received(header: $0, body: $1)) }
            try await until { subscriber.isConnected }
            inboxes.append(inbox)
            subscribers.append(subscriber)
        }
        publisher.publish(header(1), [1])
        for inbox in inboxes { #expect(try await inbox.next() == Received(header: header(1), body: [1])) }
        #expect(connections.elements.count == 4)
        for subscriber in subscribers { subscriber.close() }
        publisher.close()
    }

    @Test("a subscriber receives from all publishers, is notified which is lost, and receives again when it is back")
    @ReactorActor
    func restart() async throws {
        let first = UpdatePublisher(endpoint: folder.endpoint("a"), log: quiet)
        let second = UpdatePublisher(endpoint: folder.endpoint("b"), log: quiet)
        let (a, b) = (try first.start(), try second.start())
        let inbox = Inbox<Received>()
        let subscriber = try await subscriber(a, b, into: inbox)
        let lost = Inbox<String>()
        let found = Inbox<String>()
        subscriber.onDisconnected = { lost.put($0) }
        subscriber.onConnected = { found.put($0) }
        first.publish(header(1), [])
        #expect(try await inbox.next().header.number == 1)
        first.close()
        #expect(try await lost.next() == a)
        #expect(!subscriber.isConnected)
        #expect(subscriber.missing == [a])
        second.publish(header(2), [])
        #expect(try await inbox.next().header.number == 2)

        let back = UpdatePublisher(endpoint: a, log: quiet)
        try back.start()
        #expect(try await found.next() == a)
        back.publish(header(3), [])
        #expect(try await inbox.next().header.number == 3)
        #expect(subscriber.isConnected)
        subscriber.close()
        second.close()
        back.close()
    }

    @Test("messages that are not Updates are counted and dropped, and later Updates arrive")
    @ReactorActor
    func malformed() async throws {
        let socket = try Socket.link(.publisher)
        socket.onMessage { [weak socket] parts in
            if parts == [[1] + UpdateFrame.greeting] { _ = try? socket?.send(UpdateFrame.greeting) }
        }
        let endpoint = try socket.bind(folder.endpoint("a"))
        let inbox = Inbox<Received>()
        let subscriber = try await subscriber(endpoint, into: inbox)
        let right = frame((header(2).encode(), [7]))
        #expect(try socket.send(right, [1]))  // Two parts.
        #expect(try socket.send([0, 0]))  // Half a length.
        #expect(try socket.send([0xff, 0xff, 0xff, 0xff, 1]))  // A header beyond the end.
        #expect(try socket.send(right + [0, 0, 0, 1]))  // A whole Update, and one that is cut off.
        #expect(try socket.send(frame(([0xff], []))))  // No header.
        #expect(try socket.send(frame(([], []), (header(1).encode(), [6]))))  // One without a stream, and a right one.
        #expect(try socket.send(right))
        #expect(try await inbox.next() == Received(header: header(1), body: [6]))
        #expect(try await inbox.next() == Received(header: header(2), body: [7]))
        #expect(subscriber.malformed == 6)
        subscriber.close()
        socket.close()
    }

    @Test("what is published in one turn goes out as one frame, up to 16 KiB, and also when the publisher closes")
    @ReactorActor
    func together() async throws {
        let publisher = UpdatePublisher(endpoint: folder.endpoint("a"), log: quiet)
        let endpoint = try publisher.start()
        let socket = try Socket.link(.subscriber)
        let frames = Inbox<[(header: [UInt8], body: [UInt8])]>()
        let greetings = Inbox<[UInt8]>()
        socket.onMessage { parts in
            if let records = try? RecordFrame.decode(parts[0]) { frames.put(records) } else { greetings.put(parts[0]) }
        }
        try socket.subscribe()
        try socket.subscribe(UpdateFrame.greeting)
        try socket.connect(endpoint)
        #expect(try await greetings.next() == UpdateFrame.greeting)
        for number in 0..<300 { publisher.publish(header(number), [1]) }
        #expect(try await frames.next().map(\.header) == (0..<300).map { header($0).encode() })
        for number in 0..<3 { publisher.publish(header(number), [UInt8](repeating: 1, count: 7_000)) }
        #expect(try await frames.next().count == 2)
        #expect(try await frames.next().count == 1)
        publisher.publish(header(1), [2])
        publisher.close()
        #expect(try await frames.next().map(\.body) == [[2]])
        socket.close()
    }

    @Test("publishing without subscribers, or an Update that is too large, neither waits nor fails")
    @ReactorActor
    func nobody() async throws {
        let publisher = UpdatePublisher(endpoint: folder.endpoint("a"), log: quiet)
        try publisher.start()
        for number in 0..<1000 { publisher.publish(header(number), [1]) }
        #expect(publisher.dropped == 0)
        publisher.publish(header(1), [UInt8](repeating: 1, count: WireLimits.messageBytesMax + 1))
        #expect(publisher.dropped == 1)
        publisher.close()
    }
}
