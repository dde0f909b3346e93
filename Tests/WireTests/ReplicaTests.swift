import Glibc
import Reactor
import Schema
import Testing

@testable import Wire

@Suite(.timeLimit(.minutes(4)))
struct ReplicaTests {
    private let folder = Folder()

    @Test("without a connected replica, a request gets unavailable immediately, with a time to retry")
    @ReactorActor
    func nobody() async throws {
        let client = RequestClient(service: "test", endpoints: [folder.endpoint("a")], instance: "here", log: quiet)
        try client.start()
        #expect(!client.isAvailable)
        let answered = Inbox<Result<[UInt8], Refusal>>()
        client.send(Envelope(), key: "k", body: [], deadline: .seconds(10)) { answered.put($0) }
        let result = try #require(answered.elements.first)
        #expect(result.code == .unavailable)
        if case .failure(let refusal) = result { #expect(refusal.retryAfter == .milliseconds(500)) }
        client.close()
    }

    @Test("a lost replica's requests end immediately with unavailable; the client reconnects automatically")
    @ReactorActor
    func restart() async throws {
        let server = RequestServer(endpoint: folder.endpoint("a"), log: quiet)
        let held = Inbox<Responder>()
        let endpoint = try server.start { _, _, responder in held.put(responder) }
        let client = try await RequestClient.started(endpoint)
        let changes = Inbox<Bool>()
        client.onAvailabilityChange = { changes.put($0) }
        let answered = Inbox<Result<[UInt8], Refusal>>()
        for _ in 0..<3 { client.send(Envelope(), key: "", body: [], deadline: .seconds(60)) { answered.put($0) } }
        let old = try await held.next()
        server.close()
        for _ in 0..<3 {
            guard case .failure(let refusal) = try await answered.next() else { throw Refusal.internal }
            #expect(refusal.code == .unavailable)
            #expect(refusal.message.contains("same id"))
            #expect(refusal.retryAfter != nil)
        }
        #expect(try await changes.next() == false)
        #expect(!client.isAvailable)
        #expect(client.inFlight == 0)
        old.reply([9])  // To nobody.

        let (second, _) = try RequestServer.echo(endpoint)
        #expect(try await changes.next() == true)
        #expect(await client.ask([1]) == .success([1]))
        #expect(server.undeliverable == 1)
        client.close()
        second.close()
    }

    @Test("a restarted client is served immediately, although the server has not yet noticed the loss of the first")
    @ReactorActor
    func clientRestart() async throws {
        let (server, endpoint) = try RequestServer.echo("tcp://127.0.0.1:*")
        for number in 0..<5 {
            let client = try await RequestClient.started(endpoint)
            #expect(await client.ask([UInt8(number)]) == .success([UInt8(number)]))
            client.close()
        }
        server.close()
    }

    @Test("each key has one of two replicas; when one goes, the other serves all")
    @ReactorActor
    func failover() async throws {
        let (first, a) = try RequestServer.echo(folder.endpoint("a"), prefix: [1])
        let (second, b) = try RequestServer.echo(folder.endpoint("b"), prefix: [2])
        let client = try await RequestClient.started(a, b)
        let keys = (0..<40).map { "cnv_\($0)" }
        var homes: [String: [UInt8]] = [:]
        for key in keys { homes[key] = try await client.ask(key: key).get() }
        for key in keys { #expect(await client.ask(key: key) == .success(homes[key] ?? [])) }
        #expect(Set(homes.values) == [[1], [2]])

        let changes = Inbox<Bool>()
        client.onAvailabilityChange = { changes.put($0) }
        first.close()
        try await until { client.liveEndpoints == [b] }
        for key in keys { #expect(await client.ask(key: key) == .success([2])) }
        #expect(client.isAvailable)
        #expect(changes.elements == [])

        let (back, _) = try RequestServer.echo(a, prefix: [1])
        try await until { client.liveEndpoints.count == 2 }
        for key in keys { #expect(await client.ask(key: key) == .success(homes[key] ?? [])) }
        client.close()
        second.close()
        back.close()
    }

    @Test("one replica can be called by name, and each connection and loss is reported")
    @ReactorActor
    func byName() async throws {
        let (first, a) = try RequestServer.echo(folder.endpoint("a"), prefix: [1])
        let (second, b) = try RequestServer.echo(folder.endpoint("b"), prefix: [2])
        let client = RequestClient(service: "test", endpoints: [a, b], instance: "here", log: quiet)
        var changes: [String] = []
        client.onReplicaChange = { changes.append("\($0 == a ? "a" : "b") \($1)") }
        client.onAvailabilityChange = { changes.append("\($0)") }
        try client.start()
        #expect(client.endpoints == [a, b])
        try await until { client.liveEndpoints.count == 2 }
        #expect(Set(changes) == ["a true", "b true", "true"])
        #expect(changes.count == 3)
        changes = []
        for (endpoint, number) in [(a, 1), (b, 2), (a, 1)] as [(String, UInt8)] {
            #expect(await client.ask([9], of: endpoint) == .success([number, 9]))
        }
        #expect(await client.ask(of: folder.endpoint("c")).code == .unavailable)
        first.close()
        try await until { client.liveEndpoints == [b] }
        #expect(changes == ["a false"])
        #expect(await client.ask(of: a).code == .unavailable)
        #expect(await client.ask(of: b) == .success([2]))
        let reply: Result<HealthReply, Refusal> = await withCheckedContinuation { continuation in
            client.ask(HealthMethods.check, HealthRequest(), to: b, deadline: .seconds(10)) {
                continuation.resume(returning: $0)
            }
        }
        #expect(reply == .failure(.internal))  // [2] is no HealthReply.
        client.close()
        #expect(changes == ["a false", "b false", "false"])
        second.close()
    }

    @Test("requests that can no longer be sent at the end of a turn get unavailable, once")
    @ReactorActor
    func goneBeforeFlush() async throws {
        let (server, endpoint) = try RequestServer.echo(folder.endpoint("a"))
        let client = try await RequestClient.started(endpoint)
        server.close()
        usleep(200_000)  // Blocks the loop: ZeroMQ's thread notices the loss of the replica, and we do not.
        #expect(client.isAvailable)
        let answered = Inbox<Result<[UInt8], Refusal>>()
        for _ in 0..<3 { client.send(Envelope(), key: "", body: [], deadline: .seconds(30)) { answered.put($0) } }
        #expect(answered.elements.isEmpty)
        for _ in 0..<3 { #expect(try await answered.next().code == .unavailable) }
        try await until { !client.isAvailable }
        #expect(client.inFlight == 0)
        #expect(answered.elements.isEmpty)
        client.close()
    }

    @Test("requests without a key go to each replica in turn")
    @ReactorActor
    func inTurn() async throws {
        let (first, a) = try RequestServer.echo(folder.endpoint("a"), prefix: [1])
        let (second, b) = try RequestServer.echo(folder.endpoint("b"), prefix: [2])
        let client = try await RequestClient.started(a, b, a)
        var counts: [[UInt8]: Int] = [:]
        for _ in 0..<10 { counts[try await client.ask().get(), default: 0] += 1 }
        #expect(counts == [[1]: 5, [2]: 5])
        client.close()
        first.close()
        second.close()
    }

    @Test("a reply from a replica that did not get the request is ignored")
    @ReactorActor
    func foreignReply() async throws {
        // A server that answers with the id of a request it was not sent.
        let forger = try Socket.link(.router)
        forger.onMessage { [weak forger] parts in
            guard let forger, let records = try? RecordFrame.decode(parts[1]) else { return }
            for record in records {
                guard let id = RequestID.peek(record.header) else { continue }
                _ = try? forger.send(parts[0], frame((ReplyHeader(id: id - 1).encode(), [6])))
                _ = try? forger.send(parts[0], frame((ReplyHeader(id: id).encode(), [2])))
            }
        }
        let b = try forger.bind(folder.endpoint("b"))
        let honest = RequestServer(endpoint: folder.endpoint("a"), log: quiet)
        let held = Inbox<Responder>()
        let a = try honest.start { _, _, responder in held.put(responder) }
        let client = try await RequestClient.started(a, b)
        let answered = Inbox<Result<[UInt8], Refusal>>()
        // Without a key they go in turn to the forger, the honest one and the forger, which answers for both.
        for _ in 0..<3 { client.send(Envelope(), key: "", body: [], deadline: .seconds(30)) { answered.put($0) } }
        let responder = try await held.next()
        try await until { answered.elements.count == 2 }
        #expect(client.ignored == 2)
        responder.reply([1])
        try await until { answered.elements.count == 3 }
        #expect(answered.elements == [.success([2]), .success([2]), .success([1])])
        client.close()
        honest.close()
        forger.close()
    }
}
