import Schema
import ServiceKit
import Testing

@testable import GatewayService

/// The gateway between real client sockets and real links to simulated services.
@Suite(.serialized) struct GatewayTests {
    private func with(
        _ change: @escaping @Sendable (inout GatewayConfiguration) -> Void = { _ in },
        _ body: (Peers, String) async throws -> Void
    ) async throws {
        let peers = try await Peers.start { change(&$0) }
        do { try await body(peers, await peers.address) } catch {
            await peers.stop()
            throw error
        }
        await peers.stop()
    }

    private func signIn(_ address: String, _ token: String) throws -> RawClient {
        let client = try RawClient(address)
        try client.upgrade()
        try client.hello(token)
        return client
    }

    // MARK: Requests

    @Test("a request reaches its service with the caller's identity, and the reply returns under its id")
    func requests() async throws {
        try await with { _, address in
            let client = try RawClient(address)
            try client.upgrade()
            let welcome = try client.hello(Peers.token(7, device: "phone"))
            #expect(welcome.user == "u7" && welcome.device == "phone")
            let who = try Envelope.decode(try client.call(11, "messaging.Who", key: "c1").body)
            #expect(who.account == 7 && who.user == "u7" && who.device == "phone" && who.session == welcome.session)
            #expect(who.address == "127.0.0.1" && who.method == "messaging.Who" && who.deadlineMs == 10_000)
            #expect(try client.call(12, "messaging.Echo", [9, 9]).body == [9, 9])
            let refused = try client.call(13, "messaging.Refuse")
            #expect(
                refused.error == Problem(code: "not_member", message: "You are not a member.", field: "conversation"))
            #expect(try client.call(14, "authority.Keys").error?.code == "unknown_method")
            #expect(try client.call(15, "sessions.Report").error?.code == "unknown_method")
            #expect(try client.call(16, "health.Check").error?.code == "unknown_method")
        }
    }

    @Test("an anonymous session may send requests, with account zero; after it signs in they carry its account")
    func anonymous() async throws {
        try await with { _, address in
            let client = try RawClient(address)
            try client.upgrade()
            try client.hello()
            #expect(try Envelope.decode(try client.call(1, "messaging.Who").body).account == 0)
            client.send(.authenticate(Authenticate(token: Peers.token(5))))
            guard case .authenticated(let reply) = try client.read() else { return #expect(Bool(false), "no answer") }
            #expect(reply.user == "u5")
            #expect(try Envelope.decode(try client.call(2, "messaging.Who").body).account == 5)
        }
    }

    @Test("a request without an answer is refused before its deadline; one to a missing service immediately")
    func deadline() async throws {
        let peers = try await Peers.start(without: ["entities"]) { _ in }
        let client = try signIn(await peers.address, Peers.token(1))
        client.send(.request(Request(id: 1, method: "messaging.Later", deadlineMs: 4000)))
        guard case .reply(let late) = try client.read() else { return #expect(Bool(false), "no reply") }
        #expect(late.error?.code == "unavailable")
        #expect(try #require(late.error?.retryAfterMs) > 0)
        #expect(try client.call(2, "entities.List").error?.code == "unavailable")
        await peers.stop()
    }

    // MARK: Sessions of one account

    @Test("of a device with too many sessions the oldest ends; its newest, and other devices and people, stay")
    func sessionsOfDevice() async throws {
        try await with({ $0.limits.sessionsPerDevice = 2 }) { _, address in
            let others = [try signIn(address, Peers.token(1, device: "tablet")), try signIn(address, Peers.token(2))]
            let clients = try (0..<4).map { _ in try signIn(address, Peers.token(1)) }
            for client in clients[..<2] {
                guard case .goodbye(let goodbye) = try client.read() else { return #expect(Bool(false), "stays") }
                #expect(goodbye.error?.code == "too_many_sessions" && goodbye.closeCode.rawValue == 1013)
                #expect(try #require(goodbye.error?.retryAfterMs) > 0)
                #expect(client.readClose().close == 1013)
            }
            for client in clients[2...] + others { #expect(try client.call(1, "messaging.Echo", [1]).body == [1]) }
        }
    }

    @Test("of an account with too many sessions ends the oldest of the device that has the most")
    func sessionsOfAccount() async throws {
        try await with({ $0.limits.sessionsPerAccount = 4 }) { _, address in
            let phone = try signIn(address, Peers.token(1))
            let bots = try (0..<3).map { _ in try signIn(address, Peers.token(1, device: "bot")) }
            let tablet = try signIn(address, Peers.token(1, device: "tablet"))
            #expect(bots[0].readClose().close == 1013)
            let more = try signIn(address, Peers.token(1, device: "bot"))
            #expect(bots[1].readClose().close == 1013)
            for client in [phone, tablet, bots[2], more] {
                #expect(try client.call(1, "messaging.Echo", [1]).body == [1])
            }
        }
    }

    // MARK: Tokens

    @Test("invalid tokens end the session with 4002")
    func badTokens() async throws {
        try await with { _, address in
            let stranger = Sodium.SigningKey.make()
            for token in [
                "nonsense", Peers.token(1, lasts: -1), Peers.token(1, key: stranger),
                Peers.token(1, key: stranger, keyID: "k9"),
            ] {
                let client = try RawClient(address)
                try client.upgrade()
                client.send(.hello(Hello(version: 1, token: token)))
                #expect(client.readClose() == (4002, 4002))
            }
        }
    }

    @Test("the gateway requests a key that it does not know, and the session begins")
    func newKey() async throws {
        try await with { peers, address in
            let next = Sodium.SigningKey.make()
            await peers.change {
                $0.authority.keys.append(PublicKey(id: "k2", ed25519: next.publicKey, seal: Peers.seal))
            }
            let client = try signIn(address, Peers.token(3, key: next, keyID: "k2"))
            #expect(try client.call(1, "messaging.Echo", [1]).body == [1])
        }
    }

    @Test("many tokens with unknown keys are one request for keys")
    func unknownKeys() async throws {
        try await with { peers, address in
            let token = Peers.token(3, key: Sodium.SigningKey.make(), keyID: "k9")
            let before = await peers.authorityRequests
            for _ in 0..<3 {
                let clients = try (0..<10).map { _ in try RawClient(address) }
                for client in clients {
                    try client.upgrade()
                    client.send(.hello(Hello(version: 1, token: token)))
                }
                for client in clients { #expect(client.readClose() == (4002, 4002)) }
            }
            // One for each of three waves, and those that the gateway makes by itself.
            let asked = await peers.authorityRequests - before
            #expect(asked <= 5, "\(asked)")
        }
    }

    @Test("a session ends with its token")
    func tokenEnds() async throws {
        try await with { _, address in
            let client = try signIn(address, Peers.token(3, lasts: 2))
            #expect(client.readClose() == (4002, 4002))
        }
    }

    @Test("A1 a revoked device's sessions close immediately and its older tokens stay void; other sessions continue")
    func revoked() async throws {
        try await with { peers, address in
            let phone = try signIn(address, Peers.token(1, device: "phone"))
            let tablet = try signIn(address, Peers.token(1, device: "tablet"))
            await peers.revoke(1, device: "phone", at: WallClock.system.now - .milliseconds(1500))
            #expect(phone.readClose() == (4003, 4003))
            #expect(try tablet.call(1, "messaging.Echo", [1]).body == [1])
            let again = try RawClient(address)
            try again.upgrade()
            again.send(.hello(Hello(version: 1, token: Peers.token(1, device: "phone"))))
            #expect(again.readClose() == (4003, 4003))
            _ = try signIn(address, Peers.token(1, device: "phone", issuedAt: WallClock.system.now))
            await peers.revoke(1)
            #expect(tablet.readClose() == (4003, 4003))
        }
    }

    @Test("A1 a gateway that starts accepts no session before it knows the devices already revoked")
    func startsWithDenyList() async throws {
        let peers = await Peers()
        let configuration = await peers.configuration
        let gateway = try await Gateway(configuration, log: Peers.quiet)
        async let started = gateway.start()
        await peers.change {
            $0.authority.revoked = [DeviceRevoked(account: 1, device: "phone", atUs: WallClock.system.now.rawValue)]
        }
        for name in Peers.names { try await peers.add(name) }
        let address = try await started ?? ""
        let client = try RawClient(address)
        try client.upgrade()
        client.send(.hello(Hello(version: 1, token: Peers.token(1))))
        #expect(client.readClose() == (4003, 4003))
        await gateway.stop()
        await peers.stop()
    }

    // MARK: Updates

    @Test("an Update reaches every session of its audience except its origin, and nobody else")
    func audience() async throws {
        try await with { peers, address in
            let sender = try RawClient(address)
            try sender.upgrade()
            let origin = try sender.hello(Peers.token(1, device: "phone")).session
            let other = try signIn(address, Peers.token(1, device: "tablet"))
            let friend = try signIn(address, Peers.token(2))
            let stranger = try signIn(address, Peers.token(3))
            await peers.publish(to: [1, 2, 99], from: origin, position: 41, body: [4, 2])
            for client in [other, friend] {
                let update = Update(
                    stream: "messaging/c/x", position: 41, kind: "Message", class: .durable, body: [4, 2])
                #expect(try client.read() == .update(update))
            }
            await peers.publish(to: [1, 2, 3], position: 42)
            for client in [sender, stranger] {
                guard case .update(let update) = try client.read() else { return #expect(Bool(false), "no Update") }
                #expect(update.position == 42)
            }
        }
    }

    @Test("1,000 sessions each receive an Update once")
    func fanOut() async throws {
        try await with { peers, address in
            let clients = try (1...1000).map { try signIn(address, Peers.token(AccountNumber(Int64($0)))) }
            await peers.publish(to: Array(1...1000), position: 1)
            await peers.publish(to: Array(1...1000), position: 2)
            for client in clients {
                for position in 1...2 {
                    guard case .update(let update) = try client.read() else { return #expect(Bool(false), "no Update") }
                    #expect(update.position == Int64(position))
                }
            }
        }
    }

    @Test("a reader that falls behind loses ephemeral Updates first, then is sent back to sync; others get all Updates")
    func slowReader() async throws {
        try await with { peers, address in
            let slow = try RawClient(address, receiveBuffer: 4096)
            try slow.upgrade()
            try slow.hello(Peers.token(1))
            let quick = try signIn(address, Peers.token(2))
            let body = [UInt8](repeating: 7, count: 60_000)
            let count = 300  // 18 MB, more than any socket buffer and the queue together.
            for position in 1...count {
                await peers.publish(to: [1, 2], position: Int64(position), body: body)
                guard case .update(let update) = try quick.read() else { return #expect(Bool(false), "no Update") }
                #expect(update.position == Int64(position))
            }
            let (goodbye, close) = slow.readClose()
            // It may be cut off before it reads the goodbye.
            #expect(goodbye == nil || goodbye == 4004)
            #expect(close == nil || close == 4004)
            #expect(slow.isEnded())
            #expect(try quick.call(1, "messaging.Echo", [1]).body == [1])
        }
    }

    @Test("a reader that falls behind and reads on is closed with 4004")
    func closedForResync() async throws {
        try await with({ $0.limits.closeTimeout = .seconds(10) }) { peers, address in
            let slow = try RawClient(address, receiveBuffer: 4096)
            try slow.upgrade()
            try slow.hello(Peers.token(1))
            let witness = try signIn(address, Peers.token(2))
            for _ in 1...300 { await peers.publish(to: [1], body: [UInt8](repeating: 7, count: 60_000)) }
            await peers.publish(to: [2])
            _ = try witness.read()  // All earlier Updates have now been passed to the slow reader's connection.
            #expect(slow.readClose() == (4004, 4004))
        }
    }

    // MARK: Presence

    @Test("sessions are reported to presence as they begin and end, and all of them when it requests a full list")
    func reports() async throws {
        try await with { peers, address in
            let client = try RawClient(address)
            try client.upgrade()
            let session = try client.hello(Peers.token(1)).session
            try await Peers.until { peers.reports.contains { $0.opened.contains { $0.session == session } } }
            let opened = try #require(await peers.reports.flatMap(\.opened).first { $0.session == session })
            #expect((opened.account, opened.background) == (1, false))
            #expect(opened.currentConversation.isEmpty && (0..<60_000).contains(opened.idleMs))
            let first = await peers.reports.first
            #expect(first?.full == true && first?.gateway == "gateway-test")
            await peers.change { $0.sendFull = true }
            let second = try signIn(address, Peers.token(2))
            try await Peers.until { peers.reports.last?.full == true && peers.reports.count > 1 }
            #expect(await peers.reports.last?.opened.count == 2)
            client.close()
            try await Peers.until { peers.reports.last?.closed == [session] }
            #expect(await peers.reports.last?.closed == [session])
            _ = second
        }
    }

    // MARK: Stopping

    @Test("a gateway that stops answers requests in flight, closes sessions with 1001, and no longer listens")
    func drain() async throws {
        let peers = try await Peers.start { _ in }
        let address = await peers.address
        let idle = try signIn(address, Peers.token(1))
        let busy = try signIn(address, Peers.token(2))
        busy.send(.request(Request(id: 1, method: "messaging.Later")))
        try await Peers.until { !peers.unanswered.isEmpty }
        async let stopped: Void = peers.stop()
        #expect(idle.readClose() == (1001, 1001))
        #expect(throws: RawClient.Failure.self) { try RawClient(address).upgrade() }
        #expect(try busy.call(2, "messaging.Echo").error?.code == "unavailable")
        await peers.answerLate([5])
        guard case .reply(let reply) = try busy.read() else { return #expect(Bool(false), "no reply") }
        #expect(reply.body == [5])
        #expect(busy.readClose() == (1001, 1001))
        busy.close()
        idle.close()
        await stopped
    }
}
