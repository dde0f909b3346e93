import Schema
import ServiceKit
import Testing

@testable import GatewayService

/// What tests of lost Updates share.
protocol LosingUpdates {}

extension LosingUpdates {
    func with(
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

    func signIn(_ address: String, _ token: String) throws -> RawClient {
        let client = try RawClient(address)
        try client.upgrade()
        try client.hello(token)
        return client
    }

    func positions(_ client: RawClient, _ count: Int) throws -> [Int64] {
        try (0..<count).map { _ in
            guard case .update(let update) = try client.read() else { return -1 }
            return update.position
        }
    }

    func isUndisturbed(_ client: RawClient) throws -> Bool {
        try client.call(UInt64.random(in: 1 ... .max), "messaging.Echo", [1]).body == [1]
    }
}

/// How the gateway recovers Updates that never reached it. The simulated services lose the Updates that a test chooses.
@Suite(.serialized) struct MissedUpdateTests: LosingUpdates {
    @Test("M3 Updates lost between others are fetched and reach every session of their audience, and nobody else")
    func lostBetween() async throws {
        try await with { peers, address in
            let alice = try signIn(address, Peers.token(1))
            let bob = try signIn(address, Peers.token(2))
            await peers.commit(to: [1, 2], position: 1)
            await peers.commit(to: [1, 2], position: 2, isLost: true)
            await peers.commit(to: [1], position: 3, isLost: true)
            await peers.commit(to: [1, 2], position: 4)
            // The lost ones are noticed with the next Update, or before it by the numbers that a gateway asks for after
            // connecting.
            #expect(try positions(alice, 4).sorted() == [1, 2, 3, 4])
            #expect(try positions(bob, 3).sorted() == [1, 2, 4])
            #expect(try isUndisturbed(alice) && isUndisturbed(bob))
            // Requested together or one by one, as they were noticed; again if the first reply did not come in time.
            let replays = await peers.replays
            #expect(
                !replays.isEmpty && replays.allSatisfy { $0.lane == 1 && $0.from >= 2 && $0.to <= 3 }, "\(replays)")
        }
    }

    @Test(
        "M3 without heartbeats the gateway requests the numbers over the request link, and finds lost Updates as well")
    func noHeartbeats() async throws {
        try await with { peers, address in
            let alice = try signIn(address, Peers.token(1))
            await peers.commit(to: [1], position: 1, isLost: true)
            #expect(try positions(alice, 1) == [1])
            #expect(await peers.lanesRequests > 0)
        }
    }

    @Test("M3 a long loss is replayed page by page, in order; requests are repeated until the journal is available")
    func pagesAndFailures() async throws {
        try await with { peers, address in
            let alice = try signIn(address, Peers.token(1))
            await peers.beat()
            await peers.change {
                $0.page = 7
                $0.journalIsDown = true
                for position: Int64 in 1...20 { $0.commit(to: [1], position: position, isLost: true) }
                $0.beat()
            }
            await peers.commit(to: [1], position: 21)
            #expect(try positions(alice, 1) == [21])
            await peers.change { $0.journalIsDown = false }
            #expect(try positions(alice, 20) == Array(1...20))
            #expect(await peers.replays.map(\.from).suffix(3) == [1, 8, 15])
            #expect(try isUndisturbed(alice))
        }
    }

    @Test("A1 revocations are requested again if the reply in flight may be older than one of them")
    func revocationsAreRequestedAgain() async throws {
        try await with { peers, address in
            let phone = try signIn(address, Peers.token(1, device: "phone"))
            let next = Sodium.SigningKey.make()
            await peers.change { $0.holdsAuthority = true }
            // An unknown key makes the gateway send a request, whose reply is made before the revocation.
            let stranger = try RawClient(address)
            try stranger.upgrade()
            stranger.send(.hello(Hello(version: 1, token: Peers.token(3, key: next, keyID: "k2"))))
            let before = await peers.authorityRequests
            try await Peers.until { peers.authorityRequests > before }
            await peers.change { peers in
                peers.authority.revoked = [
                    DeviceRevoked(account: 1, device: "phone", atUs: WallClock.system.now.rawValue)
                ]
                peers.journalIsDown = true  // Only Authority knows of the revocation.
                peers.beat("conversations")
                peers.commit(UpdateHeader(stream: "note"), of: "conversations", isLost: true)
                peers.beat("conversations")
            }
            // The gap is due after 300 ms, while the earlier request is still unanswered.
            await peers.commit(to: [1], position: 1)
            #expect(try positions(phone, 1) == [1])
            try await Peers.until { peers.replaysRefused > 0 }
            await peers.releaseAuthority()
            #expect(phone.readClose() == (4003, 4003))
        }
    }

    @Test("numbers of entries that only services follow are not delivered and leave no gap")
    func notes() async throws {
        try await with { peers, address in
            let alice = try signIn(address, Peers.token(1))
            await peers.beat()
            await peers.commit(to: [1], position: 1)
            await peers.commit(UpdateHeader(stream: "note", audience: [1]))
            await peers.commit(to: [1], position: 2)
            await peers.beat()
            #expect(try positions(alice, 2) == [1, 2])
            #expect(try isUndisturbed(alice))
            #expect(await peers.replays.isEmpty)
        }
    }

    @Test("more than 10,000 Updates behind, only the sessions concerned start over")
    func tooFar() async throws {
        try await with { peers, address in
            let alice = try signIn(address, Peers.token(1))
            let bob = try signIn(address, Peers.token(2))
            await peers.beat()
            await peers.change { peers in
                peers.page = 100_000
                for position: Int64 in 1...10_001 { peers.commit(to: [1], position: position, isLost: true) }
                peers.beat()
            }
            #expect(alice.readClose() == (4004, 4004))
            #expect(try isUndisturbed(bob))
            #expect(await peers.replays == [ReplayRequest(lane: 1, from: 1, to: 10_001, accountsOnly: true)])
        }
    }

    @Test(
        "another epoch, or a journal that lacks requested entries, sends all sessions back to sync, spread over time",
        arguments: [true, false])
    func all(_ isEpoch: Bool) async throws {
        try await with({ $0.limits.startOverSpread = .seconds(1) }) { peers, address in
            let clients = try (1...20).map { try signIn(address, Peers.token(AccountNumber(Int64($0)))) }
            await peers.change { peers in
                peers.beat()
                peers.journalIsIncomplete = true
                if isEpoch { peers.epoch = "e2" } else { peers.commit(to: [1], position: 1, isLost: true) }
                peers.beat()
            }
            for client in clients { #expect(client.readClose() == (4004, 4004)) }
            let again = try signIn(address, Peers.token(1))
            await peers.change { $0.journalIsIncomplete = false }
            await peers.commit(to: [1], position: 2)
            #expect(try positions(again, 1) == [2])
        }
    }

    @Test("sessions that began before a service's numbers were known are sent back to sync once they are")
    func lateService() async throws {
        let peers = try await Peers.start(without: ["messaging"]) { $0.limits.startOverSpread = .milliseconds(100) }
        let early = try signIn(await peers.address, Peers.token(1))
        try await peers.add("messaging")
        #expect(early.readClose() == (4004, 4004))
        let late = try signIn(await peers.address, Peers.token(1))
        await peers.commit(to: [1], position: 1, isLost: true)
        #expect(try positions(late, 1) == [1])
        await peers.stop()
    }
}
