import Postgres
import Reactor
import Schema
import TestSupport
import Testing
import Wire

@testable import ServiceKit

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
                try await expensive.limit(7, until: .now + .seconds(60)) {
                    await withCheckedContinuation { running.append($0) }
                }
            }
        }
        try await eventually { running.count == 2 }
        let refusal = await #expect(throws: Refusal.self) {
            try await expensive.limit(7, until: .now + .seconds(60)) {}
        }
        #expect(refusal?.code == .rateLimited && refusal?.problem.retryAfterMs ?? 0 > 0)
        try await expensive.limit(8, until: .now + .seconds(60)) {}
        for continuation in running { continuation.resume() }
        for task in first { try await task.value }
        for _ in 1...3 {
            await #expect(throws: CancellationError.self) {
                try await expensive.limit(7, until: .now + .seconds(60)) { throw CancellationError() }
            }
        }
        try await expensive.limit(7, until: .now + .seconds(60)) {}
    }

    /// A search that takes 100 ms of the database.
    private static let search = Statement("SELECT 1 FROM pg_sleep(0.1)") { try $0.int32(0) }

    @Test("what waits for its turn is dropped when its time is over: others are served at once, however many have left")
    @ReactorActor
    func dropped() async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        let database = Database(
            DatabaseConfiguration(url: url, applicationName: "expensive", connections: 1), log: quiet)
        let expensive = ExpensiveRequests(database)
        _ = try await expensive.query(Self.search)
        // 300 people with two searches each, which would take a minute. All leave after half a second.
        let began = ContinuousClock.now
        let searches = (1...600).map { number in
            Task { @ReactorActor in
                try await expensive.limit(AccountNumber(Int64(number / 2)), until: began + .milliseconds(500)) {
                    try await expensive.query(Self.search)
                }
            }
        }
        try await Reactor.shared.sleep(for: .milliseconds(600))
        _ = try await expensive.limit(1000, until: .now + .seconds(60)) { try await expensive.query(Self.search) }
        var outcomes: [Result<[Int32], any Error>] = []
        for search in searches { outcomes.append(await search.result) }
        let (done, dropped) = (outcomes.count { (try? $0.get()) != nil }, outcomes.count { Self.isBusy($0) })
        #expect(done > 0 && done < 20 && done + dropped == 600, "\(done), \(dropped)")
        await database.close()
    }

    private static func isBusy(_ outcome: Result<[Int32], any Error>) -> Bool {
        guard case .failure(let error as DatabaseError) = outcome else { return false }
        return error.code == .busy && error.refusal?.retryAfter ?? .zero > .zero
    }
}
