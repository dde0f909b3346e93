import Synchronization
import TestSupport
import Testing

@testable import ParleyClient

/// A credential store in memory.
final class KeptCredentials: CredentialStore {
    let kept: Mutex<Credentials?>

    init(_ credentials: Credentials?) { kept = Mutex(credentials) }

    func load() async throws -> Credentials? { kept.withLock { $0 } }
    func save(_ credentials: Credentials?) async throws { kept.withLock { $0 = credentials } }
}

@Suite(.timeLimit(.minutes(4))) struct ParleyClientTests {
    let quick = ParleyClient.Options(backoff: Backoff(first: .milliseconds(5), last: .milliseconds(20)))

    private func states(
        _ client: ParleyClient, until isMet: @escaping @Sendable (ParleyClient.State) -> Bool
    ) async throws {
        _ = try await received("the client's state", from: client.states) { $0.last.map(isMet) ?? false }
    }

    @Test(
        "A client reconnects automatically after the server vanished, stopped or asked for a sync",
        arguments: [
            nil, 1001, 1013, 4004,
        ] as [UInt16?])
    func comesBack(code: UInt16?) async throws {
        let gateway = ScriptedGateway()
        try await gateway.start()
        let client = ParleyClient(url: gateway.url, options: quick)
        let first = try await client.connect(token: "access-0")
        gateway.closeAll(code)
        try await states(client) {
            if case .ready(let welcome) = $0 { welcome.session != first.session } else { false }
        }
        #expect(try await client.syncMessaging().epoch == "e1")
        await client.close()
        await #expect(throws: ParleyError.self) { try await client.syncMessaging() }
    }

    @Test("A client that the server rejects stays away", arguments: [4001, 4003, 4005, 4006, 4007] as [UInt16])
    func staysAway(code: UInt16) async throws {
        let gateway = ScriptedGateway()
        try await gateway.start()
        let client = ParleyClient(url: gateway.url, options: quick)
        try await client.connect(token: "access-0")
        gateway.closeAll(code)
        try await states(client) { if case .stopped = $0 { true } else { false } }
        #expect(gateway.state.withLock { $0.hellos.count } == 1)
    }

    @Test("An expired token is refreshed, saved and used; a refused refresh stops the client")
    func refreshes() async throws {
        let gateway = ScriptedGateway()
        try await gateway.start()
        let store = KeptCredentials(
            Credentials(
                user: "me", device: "d", accessToken: "access-old", accessEndsUs: .max, refreshToken: "refresh-0",
                refreshEndsUs: .max))
        let client = ParleyClient(url: gateway.url, options: quick, store: store)
        try await client.connect()
        #expect(store.kept.withLock { $0?.refreshToken } == "refresh-1")
        #expect(await client.user == "me")
        gateway.state.withLock { ($0.accessToken, $0.refreshToken) = ("void", "void") }
        gateway.closeAll(4002)
        try await states(client) {
            if case .stopped(let problem) = $0 { problem.code == "refresh_refused" } else { false }
        }
    }

    @Test("A session is extended before it ends, on the same connection")
    func extends() async throws {
        let gateway = ScriptedGateway()
        try await gateway.start()
        gateway.state.withLock { $0.sessionLength = 400_000 }
        let store = KeptCredentials(
            Credentials(
                user: "me", device: "d", accessToken: "access-0", accessEndsUs: .max, refreshToken: "refresh-0",
                refreshEndsUs: .max))
        let client = ParleyClient(url: gateway.url, options: quick, store: store)
        try await client.connect()
        while gateway.state.withLock({ $0.refreshes }) < 2 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(gateway.state.withLock { $0.hellos.count } == 1)
        await client.close()
    }

    @Test("A reconnected feed syncs without waiting for the welcome", .timeLimit(.minutes(1)))
    func oneRoundTrip() async throws {
        let gateway = ScriptedGateway()
        try await gateway.start()
        let client = ParleyClient(url: gateway.url, options: quick)
        try await client.connect(token: "access-0")
        let feed = ConversationFeed(of: client)
        await feed.start()
        await feed.quiet()
        let first = await client.welcome
        gateway.state.withLock { ($0.requested, $0.requestsBeforeWelcome) = ([], 2) }
        gateway.closeAll(nil)
        try await states(client) {
            if case .ready(let welcome) = $0 { welcome.session != first.session } else { false }
        }
        await feed.quiet()
        let synced = gateway.state.withLock { $0.requested.filter { $0.hasSuffix(".Sync") } }
        #expect(synced.sorted() == ["conversations.Sync", "messaging.Sync"], "each once")
        await client.close()
    }

    @Test("A missing pong reveals a silent server")
    func silent() async throws {
        let gateway = ScriptedGateway()
        try await gateway.start()
        gateway.state.withLock { $0.answersPings = false }
        var options = quick
        (options.pingEvery, options.pongWithin) = (.milliseconds(50), .milliseconds(50))
        let client = ParleyClient(url: gateway.url, options: options)
        let first = try await client.connect(token: "access-0")
        try await states(client) {
            if case .ready(let welcome) = $0 { welcome.session != first.session } else { false }
        }
        await client.close()
    }

    @Test("A request without a reply ends at its deadline; a cancelled one ends immediately")
    func deadlines() async throws {
        let gateway = ScriptedGateway()
        try await gateway.start()
        gateway.state.withLock { $0.loss = 1 }
        let client = ParleyClient(url: gateway.url, options: quick)
        try await client.connect(token: "access-0")
        let error = await #expect(throws: ParleyError.self) {
            try await client.send("x", to: "c", deadline: .milliseconds(50))
        }
        #expect(error?.code == "deadline")
        let task = Task { try await client.send("x", to: "c") }
        task.cancel()
        await #expect(throws: ParleyError.self) { try await task.value }
        await client.close()
    }

    @Test(
        "A feed delivers every message once and in order, even when Updates and replies are lost",
        arguments: [1, 2, 3] as [UInt64])
    func converges(seed: UInt64) async throws {
        let gateway = ScriptedGateway()
        try await gateway.start()
        gateway.state.withLock { state in
            state.random = Seeded(state: seed)
            state.loss = 0.2
        }
        for number in 0..<20 { gateway.take("before \(number)", in: "a") }
        var options = quick
        options.deadline = .milliseconds(200)
        let client = ParleyClient(url: gateway.url, options: options)
        let feed = ConversationFeed(of: client)
        try await client.connect(token: "access-0")
        await feed.start()
        try await withThrowingDiscardingTaskGroup { group in
            for name in ["a", "b", "c"] {
                group.addTask {
                    for number in 0..<40 { _ = try await client.sendReliably("mine \(number)", to: name) }
                }
                group.addTask {
                    for number in 0..<200 {
                        gateway.take("theirs \(number)", in: name)
                        if number % 50 == 49 { gateway.closeAll([nil, 1001, 4004][number / 50 % 3]) }
                        try await Task.sleep(for: .milliseconds(2))
                    }
                }
            }
        }
        await feed.sync()
        await feed.stop()
        var delivered: [String: [Parley_V1_Message]] = [:]
        for await item in feed.items {
            guard case .message(let message) = item else { continue }
            delivered[message.conversation, default: []].append(message)
        }
        let expected = gateway.state.withLock { $0.messages }
        for name in ["a", "b", "c"] {
            #expect(delivered[name]?.map(\.text) == expected[name]?.map(\.text), "\(name)")
            #expect(delivered[name]?.map(\.seq) == (1...Int64(expected[name]?.count ?? 0)).map(\.self))
        }
        #expect(expected["a"]?.count == 260)
        await client.close()
    }

    @Test("A feed that is started before the sign-in begins with the sign-in")
    func signsInLater() async throws {
        let gateway = ScriptedGateway()
        try await gateway.start()
        gateway.take("hello", in: "a")
        let client = ParleyClient(url: gateway.url, options: quick)
        try await client.connect()
        let feed = ConversationFeed(of: client)
        await feed.start()
        try await client.authenticate(token: "access-0")
        await feed.quiet()
        await feed.stop()
        var texts: [String] = []
        for await item in feed.items { if case .message(let message) = item { texts.append(message.text) } }
        #expect(texts == ["hello"])
        await client.close()
    }

    @Test("After a restore of the server, a feed starts over and delivers what the server has")
    func startsOver() async throws {
        let gateway = ScriptedGateway()
        try await gateway.start()
        for number in 0..<20 { gateway.take("lost \(number)", in: "a") }
        let client = ParleyClient(url: gateway.url, options: quick)
        let feed = ConversationFeed(of: client)
        try await client.connect(token: "access-0")
        await feed.start()
        await feed.quiet()
        gateway.state.withLock { state in
            state.epoch = "e2"
            state.messages = [:]
        }
        for number in 0..<5 { gateway.take("kept \(number)", in: "a") }
        await feed.sync()
        await feed.stop()
        var held: [String] = []
        for await item in feed.items {
            switch item {
            case .message(let message): held.append(message.text)
            case .startedOver: held = []
            default: break
            }
        }
        #expect(held == (0..<5).map { "kept \($0)" })
        await client.close()
    }

    private func texts(
        _ what: String, from feed: ConversationFeed, until isComplete: @escaping @Sendable ([String]) -> Bool
    ) async throws -> [String] {
        @Sendable func texts(_ items: [ConversationFeed.Item]) -> [String] {
            items.compactMap { if case .message(let message) = $0 { message.text } else { nil } }
        }
        return texts(try await received(what, from: feed.items) { isComplete(texts($0)) })
    }

    @Test("After joining again, new messages arrive although seqs in between are unreadable and no position is missing")
    func joinsAgain() async throws {
        let gateway = ScriptedGateway()
        try await gateway.start()
        for number in 1...3 { gateway.take("before \(number)", in: "a") }
        let client = ParleyClient(url: gateway.url, options: quick)
        let feed = ConversationFeed(of: client)
        try await client.connect(token: "access-0")
        await feed.start()
        await feed.quiet()
        // Messages 4 to 6 were sent while I was no member; 7 is the first one after joining again.
        let first = Parley_V1_Message.with { ($0.conversation, $0.seq, $0.position, $0.text) = ("a", 7, 4, "again") }
        gateway.state.withLock { state in
            state.answers["messaging.GetHistory"] = { request in
                let decoded = try Parley_V1_GetHistoryRequest(serializedBytes: request.body)
                return Parley_V1_GetHistoryReply.with {
                    $0.messages = decoded.afterSeq < 7 ? [first] : []
                    $0.lastSeq = 7
                }
            }
        }
        gateway.publish(
            try .with {
                ($0.stream, $0.position, $0.kind) = ("messaging/c/a", 4, "Message")
                $0.body = try first.serializedData()
            })
        let texts = try await texts("again", from: feed) { $0.last == "again" }
        #expect(texts == ["before 1", "before 2", "before 3", "again"])
        await feed.stop()
        await client.close()
    }

    @Test("The position of a superseded change counts, and nothing has to be requested")
    func superseded() async throws {
        let gateway = ScriptedGateway()
        try await gateway.start()
        gateway.take("one", in: "a")
        let client = ParleyClient(url: gateway.url, options: quick)
        let feed = ConversationFeed(of: client)
        try await client.connect(token: "access-0")
        await feed.start()
        await feed.quiet()
        let message = Parley_V1_Message.with { ($0.conversation, $0.text, $0.seq, $0.position) = ("a", "two", 2, 4) }
        for (position, kind): (Int64, String) in [(3, "Superseded"), (4, "Message"), (2, "Superseded")] {
            let body = try message.serializedData()
            gateway.publish(
                .with {
                    ($0.stream, $0.position, $0.kind) = ("messaging/c/a", position, kind)
                    if kind == "Message" { $0.body = body }
                })
        }
        let texts = try await texts("two messages", from: feed) { $0.count == 2 }
        #expect(texts == ["one", "two"])
        await feed.quiet()
        #expect(!gateway.state.withLock { $0.requested.contains("messaging.GetChanges") })
        await feed.stop()
        await client.close()
    }

    @Test("Watches that the server lost are renewed soon, and readers get the new states")
    func watchesAreRenewed() async throws {
        let gateway = ScriptedGateway()
        try await gateway.start()
        let client = ParleyClient(url: gateway.url, options: quick)
        try await client.connect(token: "access-0")
        let updates = await client.updates
        _ = try await client.watchPresence(["u1"])
        gateway.publish(
            .with { ($0.stream, $0.kind, $0.class) = ("presence", "PresenceRestarted", .ephemeral) })
        let update = try #require(try await received("the new state", from: updates) { !$0.isEmpty }.first)
        #expect(update.kind == "PresenceState" && update.stream == "presence/u/u1")
        #expect(gateway.state.withLock { $0.requested } == ["presence.WatchPresence", "presence.WatchPresence"])
        await client.close()
    }
}
