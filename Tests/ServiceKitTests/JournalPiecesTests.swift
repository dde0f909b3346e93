import Postgres
import Schema
import Testing

@testable import ServiceKit

@Suite("What a journal's rows say, and how much of them goes at once")
struct JournalPiecesTests {
    private let row = JournalRow(
        number: 10, at: 5, kinds: [1, 1, 1, 3], subjects: [7, 8, 7, 9], objects: [1, 1, 2, 4],
        positions: [3, 1, 4, 0], audienceCounts: [2, 1, -1, 1], audience: [100, 101, 200, 300])

    @Test("an audience of -1 is that of the nearest earlier Update of the same subject")
    func audiences() throws {
        let entries = try row.entries(of: 2, from: 1, to: 99)
        #expect(entries.map(\.number) == [10, 11, 12, 13])
        #expect(entries.map(\.audience) == [[100, 101], [200], [100, 101], [300]])
        #expect(entries.map(\.kind) == [1, 1, 1, 3] && entries.map(\.object) == [1, 1, 2, 4])
        #expect(entries.allSatisfy { $0.lane == 2 && $0.at == 5 })
    }

    @Test("a row is cut to the numbers that are asked for, and keeps their audiences")
    func cut() throws {
        #expect(try row.entries(of: 1, from: 12, to: 12).map(\.audience) == [[100, 101]])
        #expect(try row.entries(of: 1, from: 14, to: 20).isEmpty)
        #expect(try row.entries(of: 1, from: 1, to: 9).isEmpty)
    }

    @Test("a row whose columns do not fit each other is refused")
    func misfits() {
        var short = row
        short.kinds = [1]
        var hungry = row
        hungry.audienceCounts = [2, 1, -1, 2]
        var first = row
        first.audienceCounts = [-1, 1, -1, 1]
        for row in [short, hungry, first] {
            #expect(throws: DatabaseError.self) { try row.entries(of: 1, from: 1, to: 99) }
        }
    }

    private func update(bytes: Int) -> ReplayedUpdate {
        ReplayedUpdate(header: UpdateHeader(stream: "s"), body: [UInt8](repeating: 0, count: bytes))
    }

    /// Whether each batch fits a page of 1,000 bytes and 3 Updates after those before it.
    private func taken(_ batches: [[Int]]) -> [Bool] {
        var budget = ReplayBudget(bytes: 1000, updates: 3)
        return batches.map { budget.take($0.map(update)) }
    }

    @Test("a page ends before the number that would make it too large, and has at least one")
    func budget() {
        #expect(taken([[5000], [1]]) == [true, false], "the first, however large")
        #expect(taken([[], [300], [300], [300, 1], []]) == [true, true, true, false, true])
        #expect(taken([[1, 1], [1, 1], [1]]) == [true, false, true], "nor too many")
    }

    @Test("the more fits, the more is made at once")
    func slices() {
        var budget = ReplayBudget(bytes: 100_000, updates: 1000)
        #expect(budget.fit(after: 16) == 500)
        _ = budget.take([update(bytes: 9_000)])
        #expect(1...20 ~= budget.fit(after: 1))
        _ = budget.take([update(bytes: 90_000)])
        #expect(budget.fit(after: 2) == 1)
    }
}

@Suite("How a follower goes on after failures")
struct FollowedLaneTests {
    private let now = ContinuousClock.now

    private func entries(_ numbers: ClosedRange<Int64>) -> [JournalEntry] {
        numbers.map { JournalEntry(lane: 1, number: $0, at: 1, kind: 1, subject: 1) }
    }

    @Test("many that fail are halved until one stands alone, and double again after it is done")
    func halves() {
        var lane = FollowedLane()
        var sizes: [Int] = []
        var failed: [Bool] = []
        while lane.limit > 1 {
            sizes.append(lane.limit)
            lane.begins()
            lane.tries(entries(1...Int64(lane.limit)))
            failed.append(lane.failed(isPassing: false, at: now))
        }
        #expect(!failed.contains(true))
        #expect(sizes == [200, 100, 50, 25, 12, 6, 3])
        lane.succeeded()
        #expect(lane.limit == 2 && lane.isDue(at: now))
        for _ in 0..<10 { lane.succeeded() }
        #expect(lane.limit == 200)
    }

    @Test("the tenth failure of one entry alone is told, and it is tried again for ever, every 5 s at last")
    func poisoned() {
        var lane = FollowedLane()
        var told: [Bool] = []
        for _ in 0..<20 {
            lane.begins()
            lane.tries(entries(4...4))
            told.append(lane.failed(isPassing: false, at: now))
            #expect(!lane.isDue(at: now) && lane.isDue(at: now + .seconds(5)))
        }
        #expect(told == [Bool](repeating: false, count: 9) + [Bool](repeating: true, count: 11))
        #expect(!lane.isDue(at: now + .milliseconds(4999)))
        #expect(lane.stuckAt == 4)
        lane.begins()
        lane.tries(entries(5...5))
        let isPoisoned = lane.failed(isPassing: false, at: now)
        #expect(!isPoisoned, "another entry is counted anew")
    }

    @Test("a database that is away says nothing about the entries")
    func passing() {
        var lane = FollowedLane()
        for _ in 0..<30 {
            lane.begins()
            lane.tries(entries(1...200))
            let isPoisoned = lane.failed(isPassing: true, at: now)
            #expect(!isPoisoned)
        }
        #expect(lane.limit == 200 && lane.failures == 0)
        #expect(!lane.isDue(at: now + .seconds(4)) && lane.isDue(at: now + .seconds(5)))
    }
}
