import Postgres
import Reactor
import Schema
import ServiceKit
import Testing
import Wire

@Suite("Expensive requests")
struct ExpensiveRequestsTests {
    @Test("each person has two under way; more are refused with a wait, and one that ends, however, makes room")
    @ReactorActor
    func limit() async throws {
        let database = Database(DatabaseConfiguration(url: "", applicationName: "test"), log: quiet)
        let expensive = ExpensiveRequests(database)
        var running: [CheckedContinuation<Void, Never>] = []
        let first = [1, 2].map { _ in
            Task { @ReactorActor in
                try await expensive.limit(7) { await withCheckedContinuation { running.append($0) } }
            }
        }
        while running.count < 2 { await Task.yield() }
        let refusal = await #expect(throws: Refusal.self) { try await expensive.limit(7) {} }
        #expect(refusal?.code == .rateLimited && refusal?.problem.retryAfterMs ?? 0 > 0)
        try await expensive.limit(8) {}
        for continuation in running { continuation.resume() }
        for task in first { try await task.value }
        for _ in 1...3 {
            await #expect(throws: CancellationError.self) {
                try await expensive.limit(7) { throw CancellationError() }
            }
        }
        try await expensive.limit(7) {}
    }
}
