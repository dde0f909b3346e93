import Foundation
import ParleyClient
import TestSupport
import Testing

extension OwnClusters {
    @Test("A1 a session ends with its access token unless a newer one arrives in band; password attempts are limited")
    func tokensAndLimits() async throws {
        let cluster = try await TestCluster(
            .init(
                gateways: 1,
                settings: [
                    "conversations": [
                        "PARLEY_TOKENS_ACCESS_SECONDS": "20", "PARLEY_LIMITS_SIGN_INS_PER_MINUTE": "5",
                        "PARLEY_LIMITS_REGISTRATIONS_PER_MINUTE": "5", "PARLEY_LIMITS_SIGN_INS_PER_ADDRESS": "7",
                        "PARLEY_LIMITS_SIGN_INS_PER_PERSON": "12",
                    ],
                    "gateway": [
                        "PARLEY_LIMITS_REQUESTS_PER_SECOND": "20", "PARLEY_LIMITS_REQUESTS_BURST": "60",
                        "PARLEY_LISTEN_ADDRESS_HEADER": "X-Forwarded-For",
                        "PARLEY_LISTEN_TRUSTED_PROXIES": "127.0.0.1",
                    ],
                ], repeats: false))
        // The SDK renews its token in band, before it ends.
        let alice = try await cluster.person("alice")
        let first = try #require(await alice.client.credentials)
        let began = await alice.client.welcome.session
        async let expired = onThread {
            let socket = try RawSocket(cluster.url(), timeout: 60)
            let welcome = try socket.hello(first.accessToken)
            #expect(welcome.sessionEndsUs == first.accessEndsUs)
            return socket.readClosing()
        }
        #expect(try await expired == .init(goodbye: "unauthenticated", code: 4002))
        let late = try await onThread {
            let socket = try RawSocket(cluster.url())
            socket.send(.with { $0.hello = .with { ($0.version, $0.token) = (1, first.accessToken) } })
            return socket.readClosing()
        }
        #expect(late == .init(goodbye: "unauthenticated", code: 4002), "an expired token opens no session")
        try await eventually("the token has been renewed") {
            guard let now = await alice.client.credentials else { return false }
            return now.accessEndsUs > first.accessEndsUs + 5_000_000
        }
        #expect(await alice.client.isReady)
        #expect(await alice.client.welcome.session == began, "it is still the same session")
        #expect(try await alice.client.devices().count == 1)

        // A session cannot be taken over with another person's token.
        let bob = try await cluster.person("bob")
        let (mine, theirs) = (
            await alice.client.credentials?.accessToken ?? "", await bob.client.credentials?.accessToken ?? ""
        )
        let mixed = try await onThread {
            let socket = try RawSocket(cluster.url())
            try socket.hello(mine)
            socket.send(.with { $0.authenticate.token = theirs })
            return socket.readClosing()
        }
        #expect(mixed == .init(goodbye: "unauthenticated", code: 4002))

        // A token of another server is not valid either.
        let foreigner = try await TestCluster.shared.person("foreign")
        let foreign = try #require(await foreigner.client.credentials?.accessToken)
        let strange = try await onThread {
            let socket = try RawSocket(cluster.url())
            socket.send(.with { $0.hello = .with { ($0.version, $0.token) = (1, foreign) } })
            return socket.readClosing()
        }
        #expect(strange == .init(goodbye: "unauthenticated", code: 4002))

        try await passwordAttemptsAreLimited(cluster, alice)
        try await turnsAreLimited(cluster, alice)
        try await requestsAreLimited(cluster, alice)
        await cluster.end()
    }

    private func passwordAttemptsAreLimited(_ cluster: TestCluster, _ alice: Device) async throws {
        let stranger = try await cluster.stranger()
        var codes: [String] = []
        for _ in 0..<8 {
            let refused = try await refusal { () async throws(ParleyError) in
                try await stranger.signIn(username: alice.username, password: "not the password")
            }
            codes.append(refused.code)
            if refused.code == "rate_limited" { #expect((1...60_000).contains(refused.retryAfterMs)) }
        }
        #expect(codes == Array(repeating: "wrong_credentials", count: 5) + Array(repeating: "rate_limited", count: 3))
        // The right password does not bypass the limit.
        let right = try await refusal { () async throws(ParleyError) in
            try await stranger.signIn(username: alice.username, password: alice.password)
        }
        #expect(right.code == "rate_limited")
        // Another name from the same address has attempts of its own, within those of the address.
        codes = []
        for _ in 0..<3 {
            codes.append(
                try await refusal { () async throws(ParleyError) in
                    try await stranger.signIn(username: "somebody-else", password: "not the password")
                }.code)
        }
        #expect(codes == ["wrong_credentials", "wrong_credentials", "rate_limited"])
        // Refusals write nothing, once it is known that the limit is reached.
        let watcher = try await Watcher(cluster.endpoints.database)
        let attempts = "SELECT sum(attempts) FROM conversations.sign_in_attempts WHERE key NOT LIKE 'register:%'"
        let before = try await watcher.number(attempts)
        for _ in 0..<5 {
            _ = try await refusal { () async throws(ParleyError) in
                try await stranger.signIn(username: alice.username, password: "not the password")
            }
        }
        #expect(try await watcher.number(attempts) == before)

        // Guesses from many addresses leave each other address a few turns.
        codes = try await signIn(alice, at: cluster, from: ["2001:db8::1", "2001:db8::2"], wrong: 4)
        #expect(codes == Array(repeating: "wrong_credentials", count: 5) + Array(repeating: "rate_limited", count: 3))
        codes = try await signIn(alice, at: cluster, from: ["10.0.0.1"], wrong: 5)
        #expect(codes == Array(repeating: "wrong_credentials", count: 4) + ["rate_limited"], "two of them in turns")
        for _ in 0..<3 {
            codes = try await signIn(alice, at: cluster, from: ["10.0.0.2"], wrong: 0)
            #expect(codes == [""], "the right password from a new address; it uses up no turn")
        }
        // A device that signed in before needs none.
        let known = try #require(await alice.client.credentials?.knownDevice)
        let back = try await cluster.stranger()
        try await back.signIn(username: alice.username, password: alice.password, knownDevice: known)
        // It has few attempts of its own, and is known for nobody else.
        codes = []
        for _ in 0..<6 {
            codes.append(
                try await refusal { () async throws(ParleyError) in
                    try await back.signIn(username: alice.username, password: "wrong", knownDevice: known)
                }.code)
        }
        #expect(codes == Array(repeating: "wrong_credentials", count: 5) + ["rate_limited"])
        let foreign = try await refusal { () async throws(ParleyError) in
            try await back.signIn(username: "somebody-else", password: "wrong", knownDevice: known)
        }
        #expect(foreign.code == "rate_limited")
        await back.close()
        // Two have registered already.
        var registered = 0
        for number in 0..<5 {
            var request = Parley_V1_RegisterRequest()
            request.id = Data(await stranger.newID().bytes)
            (request.username, request.password) = ("new-\(number)", Device.password)
            let registration = request
            do throws(ParleyError) {
                _ = try await stranger.call(ConversationsMethods.register, registration)
                registered += 1
            } catch {
                #expect(error.code == "rate_limited")
                break
            }
        }
        #expect(registered == 3)
        await stranger.close()
    }

    /// Goes on where a person's attempts of the hour are used up.
    private func turnsAreLimited(_ cluster: TestCluster, _ alice: Device) async throws {
        try await countsAreOlder(cluster)
        let guessing = (1...150).map { "10.0.1.\($0)" }
        let began = ContinuousClock.now
        var codes = try await signIn(alice, at: cluster, from: guessing, wrong: 1)
        // On a busy machine the guesses take more than a minute.
        let minutes = 1 + Int((ContinuousClock.now - began).components.seconds / 60)
        let wrong = codes.filter { $0 == "wrong_credentials" }.count
        #expect((20...20 * minutes).contains(wrong), "the turns of each minute")
        #expect(codes.count == 150 && codes.allSatisfy { ["wrong_credentials", "rate_limited"].contains($0) })
        codes = try await signIn(alice, at: cluster, from: ["10.0.0.3"], wrong: 0)
        #expect(codes == ["rate_limited"])
        // A minute later there are turns again, but not for whoever had theirs. The service starts anew, because it
        // remembers whom it refuses by the clock.
        try await countsAreOlder(cluster)
        kill(try #require(await cluster.pids["conversations-1"]), SIGKILL)
        try await eventually("the right password is accepted at a new address") {
            try await signIn(alice, at: cluster, from: ["10.0.0.3"], wrong: 0) == [""]
        }
        codes = try await signIn(alice, at: cluster, from: ["10.0.0.1"], wrong: 1)
        #expect(codes == ["rate_limited"])
    }

    /// Lets what counts for a person be a minute older.
    private func countsAreOlder(_ cluster: TestCluster) async throws {
        let watcher = try await Watcher(cluster.endpoints.database)
        let moved = try await watcher.number(
            """
            WITH moved AS (
                UPDATE conversations.sign_in_attempts SET window_started_at = window_started_at - 61000000
                WHERE key LIKE 'person:%'
                RETURNING 1
            )
            SELECT count(*) FROM moved
            """)
        #expect(moved > 0)
    }

    /// Tries wrong passwords from each address, then the right one if there were none. Returns the codes.
    private func signIn(
        _ person: Device, at cluster: TestCluster, from addresses: [String], wrong: Int
    ) async throws -> [String] {
        var codes: [String] = []
        for address in addresses {
            codes += try await onThread {
                let socket = try RawSocket(cluster.url(), from: address)
                try socket.hello()
                return try (0..<max(1, wrong)).map { number in
                    var request = Parley_V1_SignInRequest()
                    (request.username, request.password) = (person.username, wrong > 0 ? "wrong" : person.password)
                    let reply = try socket.call(
                        UInt64(number + 1), "conversations.SignIn", try request.serializedBytes(), key: person.username)
                    return reply.error.code
                }
            }
        }
        return codes
    }

    private func requestsAreLimited(_ cluster: TestCluster, _ alice: Device) async throws {
        let began = ContinuousClock.now
        let outcomes = await withTaskGroup(of: ParleyError?.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    do throws(ParleyError) {
                        _ = try await alice.client.devices()
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: [ParleyError]()) { if let error = $1 { $0.append(error) } }
        }
        // 60 immediately, and 20 more per second.
        let seconds = Double((ContinuousClock.now - began).components.seconds + 1)
        let (least, most) = (max(1, 140 - Int(20 * seconds)), 145)
        #expect((least...most).contains(outcomes.count), "\(outcomes.count) of 200 together are beyond the burst of 60")
        #expect(outcomes.allSatisfy { $0.code == "rate_limited" && $0.retryAfterMs > 0 })
        #expect(await alice.client.isReady)
    }
}
