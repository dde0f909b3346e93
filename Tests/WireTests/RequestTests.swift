import Reactor
import Schema
import Testing

@testable import Wire

@Suite(.timeLimit(.minutes(4)))
struct RequestTests {
    private let folder = Folder()

    @Test("a request and its reply keep every byte, over ipc and over tcp", arguments: [true, false])
    @ReactorActor
    func echo(overTCP: Bool) async throws {
        let (server, endpoint) = try RequestServer.echo(overTCP ? "tcp://127.0.0.1:*" : folder.endpoint("a"))
        let client = try await RequestClient.started(endpoint)
        for size in [0, 1, 33, 1000, WireLimits.messageBytesMax] {
            let body = [UInt8](repeating: UInt8(size & 0xff), count: size)
            #expect(await client.ask(body) == .success(body))
        }
        #expect(server.inFlight == 0)
        #expect(client.inFlight == 0)
        client.close()
        server.close()
    }

    @Test(
        "a long body in two places arrives as one, after what was asked before, over ipc and over tcp",
        arguments: [true, false])
    @ReactorActor
    func followed(overTCP: Bool) async throws {
        let (server, endpoint) = try RequestServer.echo(overTCP ? "tcp://127.0.0.1:*" : folder.endpoint("a"))
        let client = try await RequestClient.started(endpoint)
        let answered = Inbox<Result<[UInt8], Refusal>>()
        for size in [1, 262_144, WireLimits.messageBytesMax - 3] {
            let rest = [UInt8](repeating: UInt8(size & 0xff), count: size)
            client.send(Envelope(method: "test.Ask"), key: "", body: [7], deadline: .seconds(10)) { answered.put($0) }
            client.send(
                Envelope(method: "test.Ask"), key: "", body: [1, 2, 3], followedBy: rest, deadline: .seconds(10)
            ) { answered.put($0) }
            #expect(try await answered.next() == .success([7]))
            #expect(try await answered.next() == .success([1, 2, 3] + rest))
        }
        client.send(
            Envelope(method: "test.Ask"), key: "", body: [1],
            followedBy: [UInt8](repeating: 1, count: WireLimits.messageBytesMax), deadline: .seconds(10)
        ) { answered.put($0) }
        #expect(try await answered.next() == .failure(.tooLarge))
        client.close()
        client.send(
            Envelope(method: "test.Ask"), key: "", body: [1], followedBy: [1], deadline: .seconds(10)
        ) { answered.put($0) }
        guard case .failure(let refusal) = try await answered.next() else { return #expect(Bool(false)) }
        #expect(refusal.code == .unavailable)
        server.close()
    }

    @Test("the server sees the caller, the method and the remaining time")
    @ReactorActor
    func envelope() async throws {
        let server = RequestServer(endpoint: folder.endpoint("a"), log: quiet)
        let seen = Inbox<Envelope>()
        let endpoint = try server.start { envelope, _, responder in
            seen.put(envelope)
            responder.reply([])
        }
        let client = try await RequestClient.started(endpoint)
        let sent = Envelope(
            id: 99, method: "test.Ask", account: 7, user: "usr_1", device: "dev_1", session: "ses_1", address: "::1",
            trace: "t")
        client.send(sent, key: "k", body: [], deadline: .milliseconds(1500)) { _ in }
        var expected = sent
        expected.id = 1
        expected.deadlineMs = 1500
        #expect(try await seen.next() == expected)
        client.close()
        server.close()
    }

    @Test("answers may come in any order; each reaches its own caller")
    @ReactorActor
    func outOfOrder() async throws {
        let server = RequestServer(endpoint: folder.endpoint("a"), log: quiet)
        let held = Inbox<([UInt8], Responder)>()
        let endpoint = try server.start { _, body, responder in held.put((body, responder)) }
        let client = try await RequestClient.started(endpoint)
        let answered = Inbox<Result<[UInt8], Refusal>>()
        for number in 0..<20 {
            client.send(Envelope(), key: "", body: [UInt8(number)], deadline: .seconds(10)) { answered.put($0) }
        }
        var waiting: [([UInt8], Responder)] = []
        for _ in 0..<20 { waiting.append(try await held.next()) }
        #expect(server.inFlight == 20)
        for (body, responder) in waiting.reversed() { responder.reply(body + [0]) }
        for number in (0..<20).reversed() { #expect(try await answered.next() == .success([UInt8(number), 0])) }
        #expect(server.inFlight == 0)
        client.close()
        server.close()
    }

    @Test("a refusal arrives with its code, message, field and time to retry")
    @ReactorActor
    func refusal() async throws {
        let refusal = Refusal("not_member", "You are not in this conversation.", field: "key", retryAfter: .seconds(2))
        let server = RequestServer(endpoint: folder.endpoint("a"), log: quiet)
        let endpoint = try server.start { _, _, responder in responder.refuse(refusal) }
        let client = try await RequestClient.started(endpoint)
        #expect(await client.ask() == .failure(refusal))
        client.close()
        server.close()
    }

    @Test("a responder released without an answer replies internal; the second of two answers is dropped")
    @ReactorActor
    func forgotten() async throws {
        let server = RequestServer(endpoint: folder.endpoint("a"), log: quiet)
        let endpoint = try server.start { envelope, _, responder in
            guard envelope.method == "test.Twice" else { return }
            responder.reply([1])
            responder.reply([2])
            responder.refuse(.internal)
        }
        let client = try await RequestClient.started(endpoint)
        #expect(await client.ask() == .failure(.internal))
        #expect(server.forgotten == 1)
        #expect(await client.ask(method: "test.Twice") == .success([1]))
        #expect(server.inFlight == 0)
        #expect(client.ignored == 0)
        client.close()
        server.close()
    }

    @Test("a responder released on another thread answers as well")
    @ReactorActor
    func forgottenElsewhere() async throws {
        let server = RequestServer(endpoint: folder.endpoint("a"), log: quiet)
        let endpoint = try server.start { _, _, responder in
            Task.detached { _ = responder }
        }
        let client = try await RequestClient.started(endpoint)
        #expect(await client.ask() == .failure(.internal))
        client.close()
        server.close()
    }

    @Test("a body over 2 MiB is refused on both sides, and the link stays")
    @ReactorActor
    func tooLarge() async throws {
        let large = [UInt8](repeating: 1, count: WireLimits.messageBytesMax + 1)
        let server = RequestServer(endpoint: folder.endpoint("a"), log: quiet)
        let endpoint = try server.start { _, body, responder in responder.reply(body.isEmpty ? large : body) }
        let client = try await RequestClient.started(endpoint)
        #expect(await client.ask(large) == .failure(.tooLarge))
        #expect(await client.ask([]) == .failure(.internal))
        #expect(await client.ask([1]) == .success([1]))
        client.close()
        server.close()
    }

    @Test("a typed call brings a typed reply, and the refusal of an unreadable one")
    @ReactorActor
    func call() async throws {
        let server = RequestServer(endpoint: folder.endpoint("a"), log: quiet)
        let endpoint = try server.start { envelope, _, responder in
            responder.reply(
                envelope.method == "health.Check" ? HealthReply(service: "test", ready: true).encode() : [0xff])
        }
        let client = try await RequestClient.started(endpoint)
        let reply = try await client.call(HealthMethods.check, HealthRequest())
        #expect(reply == HealthReply(service: "test", ready: true))
        await #expect(throws: Refusal.internal) { try await client.call(AuthorityMethods.keys, AuthorityRequest()) }
        client.close()
        server.close()
    }

    @Test("a request that is not answered in time ends with deadline; the late answer is ignored")
    @ReactorActor
    func deadline() async throws {
        let server = RequestServer(endpoint: folder.endpoint("a"), log: quiet)
        let held = Inbox<Responder>()
        let endpoint = try server.start { _, _, responder in held.put(responder) }
        let client = try await RequestClient.started(endpoint)
        let start = ContinuousClock.now
        #expect(await client.ask(deadline: .milliseconds(60)) == .failure(.deadline))
        #expect(ContinuousClock.now - start >= .milliseconds(60))
        #expect(client.inFlight == 0)
        try await held.next().reply([])
        try await until { client.ignored == 1 }
        client.close()
        server.close()
    }

    @Test("the caller of a slow handler gets unavailable before the deadline, and the late answer is dropped")
    @ReactorActor
    func tooLong() async throws {
        let server = RequestServer(endpoint: folder.endpoint("a"), inFlightMax: 1, log: quiet)
        let held = Inbox<Responder>()
        let endpoint = try server.start { _, _, responder in held.put(responder) }
        // A bare socket, since a client has its own deadline, which on a busy machine may be checked first.
        let socket = try Socket.link(.dealer)
        let answers = Inbox<[[UInt8]]>()
        let ready = Inbox<Bool>()
        socket.onMessage { answers.put($0) }
        try socket.monitor { _ in ready.put(true) }
        try socket.connect(endpoint)
        _ = try await ready.next()
        func ask(_ id: UInt64, within milliseconds: UInt32 = 60_000) throws {
            var builder = RecordFrame.Builder()
            builder.append(header: Envelope(id: id, method: "a", deadlineMs: milliseconds).encode(), body: [])
            #expect(try socket.send(builder.bytes))
        }
        func answer() async throws -> ReplyHeader {
            try ReplyHeader.decode(try RecordFrame.decode(try await answers.next()[0])[0].header)
        }
        let start = ContinuousClock.now
        try ask(1, within: 1000)
        let first = try await answer()
        #expect(first.id == 1 && first.error?.code == "unavailable" && (first.error?.retryAfterMs ?? 0) > 0)
        #expect(ContinuousClock.now - start >= .milliseconds(700))
        // Its handler keeps running, and keeps its slot until it ends.
        #expect(server.inFlight == 1)
        try ask(2)
        let refused = try await answer()
        #expect(refused.id == 2 && refused.error?.code == "rate_limited")
        try await held.next().reply([1])
        #expect(server.inFlight == 0)
        #expect(server.late == 1)
        try ask(3)
        try await held.next().reply([1])
        let served = try await answer()
        #expect(served.id == 3 && served.error == nil, "the late answer was not sent")
        socket.close()
        server.close()
    }

    @Test("requests to a replica in one turn go out as one frame, and so do the answers")
    @ReactorActor
    func oneFrame() async throws {
        let router = try Socket.link(.router)
        let frames = Inbox<[[UInt8]]>()
        router.onMessage { frames.put($0) }
        let client = try await RequestClient.started(try router.bind(folder.endpoint("a")))
        for number in 0..<100 {
            client.send(Envelope(method: "a"), key: "k", body: [UInt8(number)], deadline: .seconds(10)) { _ in }
        }
        let records = try RecordFrame.decode(try await frames.next()[1])
        #expect(records.map(\.body) == (0..<100).map { [UInt8($0)] })
        client.close()
        router.close()

        let (server, endpoint) = try RequestServer.echo(folder.endpoint("b"))
        let socket = try Socket.link(.dealer)
        socket.onMessage { frames.put($0) }
        let ready = Inbox<Bool>()
        try socket.monitor { _ in ready.put(true) }
        try socket.connect(endpoint)
        _ = try await ready.next()
        var builder = RecordFrame.Builder()
        for id in 1...100 { builder.append(header: Envelope(id: UInt64(id), method: "a").encode(), body: [7]) }
        #expect(try socket.send(builder.bytes))
        #expect(try RecordFrame.decode(try await frames.next()[0]).count == 100)
        socket.close()
        server.close()
    }

    @Test("a frame larger than allowed ends only its own connection")
    @ReactorActor
    func oversize() async throws {
        let (server, endpoint) = try RequestServer.echo("tcp://127.0.0.1:*")
        let client = try await RequestClient.started(endpoint)
        let socket = try Socket(.dealer)
        let events = Inbox<Socket.ConnectionEvent>()
        try socket.monitor { events.put($0) }
        try socket.connect(endpoint)
        #expect(try await events.next() == .ready(endpoint: endpoint))
        #expect(try socket.send([UInt8](repeating: 1, count: WireLimits.frameBytesMax + 1)))
        #expect(try await events.next() == .disconnected(endpoint: endpoint))
        #expect(await client.ask([1]) == .success([1]))
        #expect(server.malformed == 0)
        socket.close()
        client.close()
        server.close()
    }

    @Test("a server that finishes refuses new requests as unavailable and waits for those in flight")
    @ReactorActor
    func drain() async throws {
        let server = RequestServer(endpoint: folder.endpoint("a"), log: quiet)
        let held = Inbox<Responder>()
        let endpoint = try server.start { _, _, responder in held.put(responder) }
        let client = try await RequestClient.started(endpoint)
        async let first = client.ask()
        let responder = try await held.next()
        let finished = Task.immediate { @ReactorActor in await server.finish(atMost: .seconds(60)) }
        let second = await client.ask()
        #expect(second.code == .unavailable)
        if case .failure(let refusal) = second { #expect(refusal.retryAfter != nil) }
        #expect(server.inFlight == 1)
        responder.reply([5])
        await finished.value
        #expect(server.inFlight == 0)
        #expect(await first == .success([5]))
        client.close()
        server.close()
    }

    @Test("the server limits the requests in flight and refuses the next as rate_limited; so does the client")
    @ReactorActor
    func limits() async throws {
        let server = RequestServer(endpoint: folder.endpoint("a"), inFlightMax: 3, log: quiet)
        let held = Inbox<Responder>()
        let endpoint = try server.start { _, _, responder in held.put(responder) }
        let client = try await RequestClient.started(endpoint, inFlightMax: 4)
        let answered = Inbox<Result<[UInt8], Refusal>>()
        for _ in 0..<5 { client.send(Envelope(), key: "", body: [], deadline: .seconds(10)) { answered.put($0) } }
        #expect(try await answered.next().code == .rateLimited)  // By the client, immediately.
        #expect(client.inFlight == 4)
        #expect(try await answered.next().code == .rateLimited)  // By the server.
        #expect(server.inFlight == 3)
        for _ in 0..<3 { try await held.next().reply([]) }
        for _ in 0..<3 { #expect(try await answered.next() == .success([])) }
        client.close()
        server.close()
    }

    @Test("10,000 requests sent in one turn are all answered, and the next is refused as rate_limited")
    @ReactorActor
    func tenThousand() async throws {
        let (server, endpoint) = try RequestServer.echo(folder.endpoint("a"))
        let client = try await RequestClient.started(endpoint)
        let answered = Inbox<Result<[UInt8], Refusal>>()
        for _ in 0...WireLimits.inFlightMax {
            client.send(Envelope(method: "a"), key: "k", body: [7], deadline: .seconds(30)) { answered.put($0) }
        }
        try await until { answered.elements.count == WireLimits.inFlightMax + 1 }
        #expect(answered.elements.first?.code == .rateLimited)
        #expect(answered.elements.dropFirst().allSatisfy { $0 == .success([7]) })
        client.close()
        server.close()
    }

    @Test("malformed requests are counted, and answered with invalid if they have an id; the server continues")
    @ReactorActor
    func malformed() async throws {
        let (server, endpoint) = try RequestServer.echo(folder.endpoint("a"))
        let socket = try Socket.link(.dealer)
        let answers = Inbox<[[UInt8]]>()
        socket.onMessage { answers.put($0) }
        let ready = Inbox<Bool>()
        try socket.monitor { _ in ready.put(true) }
        try socket.connect(endpoint)
        _ = try await ready.next()

        #expect(try socket.send(frame(([0xff, 0xff], [1]))))  // No envelope.
        #expect(try socket.send(frame(([], [1]))))  // No id.
        #expect(try socket.send(frame((Envelope(id: 3, method: "a").encode(), [1])), []))  // Two parts.
        #expect(try socket.send([]))  // No record.
        #expect(try socket.send(frame((Envelope(id: 4, method: "a").encode(), [1])) + [0]))  // Trailing bytes.
        // In one frame, the records that can be decoded are served.
        #expect(
            try socket.send(
                frame(
                    (Envelope(id: 5, method: String(repeating: "x", count: 65)).encode(), [1]),
                    (Envelope(id: 6, method: "a").encode(), [1]))))
        let records = try RecordFrame.decode(try await answers.next()[0])
        #expect(records.count == 2)
        let refusal = try ReplyHeader.decode(records[0].header)
        #expect(refusal.id == 5)
        #expect(refusal.error?.code == "invalid")
        #expect(records[1] == (ReplyHeader(id: 6).encode(), [1]))
        #expect(server.malformed == 6)
        #expect(server.inFlight == 0)
        socket.close()
        server.close()
    }

    @Test("a reply to a peer that is gone is dropped and counted")
    @ReactorActor
    func gone() async throws {
        let server = RequestServer(endpoint: folder.endpoint("a"), log: quiet)
        let held = Inbox<Responder>()
        let endpoint = try server.start { _, _, responder in held.put(responder) }
        let client = try await RequestClient.started(endpoint)
        let answered = Inbox<Result<[UInt8], Refusal>>()
        let count = 2000
        for _ in 0..<count {
            client.send(Envelope(), key: "", body: [], deadline: .seconds(10)) { answered.put($0) }
        }
        try await until { held.elements.count == count }
        client.close()
        #expect(answered.elements.count == count)
        #expect(answered.elements.allSatisfy { $0.code == .unavailable })
        // The server notices a little later than the client.
        var left = held.elements[...]
        try await until {
            if server.undeliverable > 0 { return true }
            left.popFirst()?.reply([])
            return false
        }
        for responder in left { responder.reply([]) }
        try await until { server.undeliverable >= left.count + 1 }
        #expect(server.undeliverable == left.count + 1)
        #expect(server.inFlight == 0)
        server.close()
    }

    @Test("a server or client that is released, even by its own handler, closes; no caller waits for ever")
    @ReactorActor
    func released() async throws {
        @ReactorActor
        final class Owner {
            var server: RequestServer?
            var client: RequestClient?
        }
        let owner = Owner()
        owner.server = RequestServer(endpoint: folder.endpoint("a"), log: quiet)
        let endpoint = try owner.server?.start { _, _, responder in
            owner.server = nil
            responder.reply([])
        }
        owner.client = try await RequestClient.started(try #require(endpoint))
        let answered = Inbox<Result<[UInt8], Refusal>>()
        for _ in 0..<100 {
            owner.client?.send(Envelope(), key: "", body: [], deadline: .seconds(60)) {
                answered.put($0)
                owner.client = nil
            }
        }
        try await until { answered.elements.count == 100 }
    }
}
