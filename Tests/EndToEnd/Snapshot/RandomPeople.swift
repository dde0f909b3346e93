import ParleyClient
import TestSupport

/// People who make random requests.
struct RandomPeople {
    let people: [Device]
    private var requests: RandomRequests
    /// The numbers of replies, by request and outcome.
    private var outcomes: [String: [String: Int]] = [:]
    /// The requests that were done, each with all the fields that were set.
    private(set) var done: [String: Set<String>] = [:]

    init(_ people: [Device], seed: UInt64) {
        (self.people, requests) = (people, RandomRequests(of: people.map(\.user), seed: seed))
    }

    /// Makes `count` requests, a few at a time.
    mutating func act(_ count: Int) async throws { try await act(count) { $0.next() } }

    /// Makes `count` requests about messages of some conversations, a few at a time.
    mutating func act(_ count: Int, in conversations: [String]) async throws {
        try await act(count) { $0.next(in: conversations) }
    }

    private mutating func act(_ count: Int, _ next: (inout RandomRequests) -> RandomRequest) async throws {
        var left = count
        while left > 0 {
            let burst = (0..<min(left, requests.random.below(4) + 1)).map { _ in next(&requests) }
            left -= burst.count
            let answers = try await withThrowingTaskGroup(of: (RandomRequest, String).self) { [people] tasks in
                for request in burst {
                    let client = people[request.actor].client
                    tasks.addTask { (request, try await Self.outcome(of: request, by: client)) }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            for (request, outcome) in answers { note(request, outcome) }
        }
    }

    private mutating func note(_ request: RandomRequest, _ outcome: String) {
        outcomes[request.method, default: [:]][outcome, default: 0] += 1
        if outcome == "done" { done[request.method, default: []].formUnion(request.fields) }
    }

    private static func outcome(of request: RandomRequest, by client: ParleyClient) async throws -> String {
        do {
            try await request.send(client)
            return "done"
        } catch let refused as ParleyError {
            // A refusal is fine. An unknown request or a failure is not.
            guard !["internal", "unknown_method", "deadline"].contains(refused.code) else { throw refused }
            return refused.code
        }
    }

    /// Erases one person, who makes no further requests.
    mutating func eraseOne() async throws {
        let request = requests.erasing { [people] in people[$0].password }
        let outcome = try await Self.outcome(of: request, by: people[request.actor].client)
        // The session may end before the reply is sent.
        guard ["done", "revoked", "connection_lost"].contains(outcome) else {
            throw NeverHappened(description: outcome)
        }
        note(request, "done")
    }

    /// How often each request had each outcome, one line each.
    var summary: String {
        outcomes.sorted { $0.key < $1.key }.map { method, outcomes in
            "\(method): \(outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))"
        }.joined(separator: "\n")
    }
}
