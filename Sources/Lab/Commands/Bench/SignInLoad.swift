import Command
import Foundation
import NIOCore
import ParleyClient

/// The people of `parley-lab bench signin`.
struct SignInLoad: Sendable {
    private let cluster: BenchCluster
    private let issuer: BenchIssuer
    private let group: any EventLoopGroup
    private let people: Int
    private let conversations: pid_t
    private let services: [String: pid_t]
    private let postgres: pid_t?

    init(_ cluster: BenchCluster, _ issuer: BenchIssuer, _ group: any EventLoopGroup, people: Int) async {
        (self.cluster, self.issuer, self.group, self.people) = (cluster, issuer, group, people)
        services = await cluster.services()
        postgres = await cluster.postgres()
        conversations = services["conversations-1"] ?? 0
    }

    private var url: String { cluster.endpoints.url }
    private var memoryMib: Double { ProcessUsage.rssKiB(of: conversations) / 1024 }

    func measure(_ command: BenchSignInCommand) async throws -> BenchSignInCommand.Result {
        let (bench, times) = (command.bench, command.times)
        // As apps do: what is refused as unavailable is repeated.
        let clients = (0..<people).map { _ in
            ParleyClient(url: url, options: .init(retriesFor: .seconds(60)), group: group)
        }
        var memory = [memoryMib]
        bench.progress("\(people) people connect, and get an account by a token")
        _ = try await answers(clients, together: 64) { client, _ in try await client.connect(token: "") }
        let first = try await issuer.tokens(0..<people)
        var refresh = try await answers(clients, together: 16) { try await Self.signIn($0, first[$1]).refreshToken }
        memory.append(memoryMib)

        var oneByOne: [String: BenchSignInCommand.OneByOne] = [:]
        for algorithm in ["RS256", "ES256", "EdDSA"] {
            bench.progress("\(times) tokens, \(algorithm)")
            let tokens = try await issuer.tokens(0..<times, algorithm)
            oneByOne["token \(algorithm)"] = try await measureEach(times) { number in
                refresh[number] = try await Self.signIn(clients[number], tokens[number]).refreshToken
            }
        }
        bench.progress("\(times) refreshes")
        oneByOne["refresh"] = try await measureEach(times) { number in
            refresh[number] = try await Self.refresh(clients[number], refresh[number]).refreshToken
        }
        bench.progress("\(min(times, 100)) passwords")
        let registered = try await BenchPeople.register(min(times, 100), at: url, on: group)
        oneByOne["password"] = try await measureEach(registered.count) { number in
            let person = registered[number]
            _ = try await clients[number].call(
                ConversationsMethods.signIn, key: person.username,
                .with { ($0.username, $0.password) = (person.username, person.password) })
        }

        var storms: [Bool: [Storm]] = [:]
        for round in 1...command.rounds {
            for byToken in [true, false] {
                bench.progress("round \(round): all at once by \(byToken ? "tokens" : "refreshes")")
                let tokens = byToken ? try await issuer.tokens(0..<people) : refresh
                let (storm, next) = try await atOnce(clients) { client, number in
                    byToken
                        ? try await Self.signIn(client, tokens[number]).refreshToken
                        : try await Self.refresh(client, tokens[number]).refreshToken
                }
                refresh = next
                storms[byToken, default: []].append(storm)
            }
        }
        memory.append(memoryMib)
        for client in clients { await client.close() }
        return .init(
            people: people, oneByOne: oneByOne, checkUs: try await issuer.checkTimes(),
            tokensAtOnce: summary(storms[true] ?? []), refreshesAtOnce: summary(storms[false] ?? []), memoryMib: memory)
    }

    // MARK: Requests

    private static func signIn(_ client: ParleyClient, _ token: String) async throws -> Parley_V1_SignedIn {
        let id = Data(await client.newID().bytes)
        return try await client.call(
            ConversationsMethods.signInWithToken, key: "", .with { ($0.id, $0.token) = (id, token) })
    }

    private static func refresh(_ client: ParleyClient, _ token: String) async throws -> Parley_V1_SignedIn {
        try await client.call(ConversationsMethods.refreshTokens, key: "", .with { $0.refreshToken = token })
    }

    // MARK: Measuring

    private struct Storm: Sendable {
        var took: Duration
        var each: [Duration]
        var cpu: [String: Double]
    }

    private func usage() -> [String: Double] {
        var usage = services.mapValues(ProcessUsage.cpu)
        usage["postgres"] = postgres.map(ProcessUsage.cpuOfTree) ?? 0
        return usage
    }

    private func measureEach(
        _ times: Int, _ request: (Int) async throws -> Void
    ) async throws -> BenchSignInCommand.OneByOne {
        var each: [Duration] = []
        let before = usage()
        for number in 0..<times {
            let began = ContinuousClock.now
            try await request(number)
            each.append(.now - began)
        }
        let spent = usage().merging(before) { ($0 - $1) * 1000 / Double(times) }
        let cpu = spent["conversations-1"] ?? 0
        return .init(
            ms: Milliseconds(each), cpuMs: cpu, perCoreAndSecond: cpu > 0 ? 1000 / cpu : 0,
            postgresCpuMs: spent["postgres"] ?? 0)
    }

    private func atOnce(
        _ clients: [ParleyClient], _ request: @escaping @Sendable (ParleyClient, Int) async throws -> String
    ) async throws -> (Storm, next: [String]) {
        try await Task.sleep(for: .milliseconds(500))
        let before = usage()
        let began = ContinuousClock.now
        let answers = try await answers(clients, together: clients.count) { client, number in
            let answer = try await request(client, number)
            return (answer, ContinuousClock.now - began)
        }
        let took = ContinuousClock.now - began
        let spent = usage().merging(before) { ($0 - $1) * 1000 / Double(clients.count) }
        return (Storm(took: took, each: answers.map(\.1), cpu: spent), answers.map(\.0))
    }

    private func summary(_ storms: [Storm]) -> BenchSignInCommand.AtOnce {
        let best = storms.min { $0.took < $1.took }
        return .init(
            secondsEachRound: storms.map { ($0.took / .milliseconds(1)).rounded() / 1000 },
            ms: Milliseconds(best?.each ?? []),
            cpuMsPerPerson: storms.reduce(into: [:]) { sum, storm in
                for (name, cpu) in storm.cpu { sum[name, default: 0] += cpu / Double(storms.count) }
            })
    }

    /// Returns what each client gets, in their order, so many at a time.
    private func answers<Answer: Sendable>(
        _ clients: [ParleyClient], together: Int,
        _ body: @escaping @Sendable (ParleyClient, Int) async throws -> Answer
    ) async throws -> [Answer] {
        try await withThrowingTaskGroup(of: (Int, Answer).self) { tasks in
            var found: [(Int, Answer)] = []
            for (number, client) in clients.enumerated() {
                if number >= together, let one = try await tasks.next() { found.append(one) }
                tasks.addTask { (number, try await body(client, number)) }
            }
            for try await one in tasks { found.append(one) }
            return found.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
