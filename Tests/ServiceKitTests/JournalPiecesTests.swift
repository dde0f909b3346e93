import Postgres
import Schema
import Testing

@testable import ServiceKit

@Suite("Journal rows and the sizes of replay pages")
struct JournalPiecesTests {
    private let row = JournalRow(
        number: 10, at: 5, kinds: [1, 1, 1, 3], subjects: [7, 8, 7, 9], objects: [1, 1, 2, 4],
        positions: [3, 1, 4, 0], audienceCounts: [2, 1, -1, 1], audience: [100, 101, 200, 300])

    @Test("an audience count of -1 repeats the audience of the nearest earlier Update of the same subject")
    func audiences() throws {
        let entries = try row.entries(of: 2, from: 1, to: 99)
        #expect(entries.map(\.number) == [10, 11, 12, 13])
        #expect(entries.map(\.audience) == [[100, 101], [200], [100, 101], [300]])
        #expect(entries.map(\.kind) == [1, 1, 1, 3] && entries.map(\.object) == [1, 1, 2, 4])
        #expect(entries.allSatisfy { $0.lane == 2 && $0.at == 5 })
    }

    @Test("a row is cut to the requested numbers, which keep their audiences")
    func cut() throws {
        #expect(try row.entries(of: 1, from: 12, to: 12).map(\.audience) == [[100, 101]])
        #expect(try row.entries(of: 1, from: 14, to: 20).isEmpty)
        #expect(try row.entries(of: 1, from: 1, to: 9).isEmpty)
    }

    @Test("a row whose columns do not match is refused")
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

    @Test("a page ends before the number that would make it too large, and contains at least one")
    func budget() {
        #expect(taken([[5000], [1]]) == [true, false], "the first one fits, however large")
        #expect(taken([[], [300], [300], [300, 1], []]) == [true, true, true, false, true])
        #expect(taken([[1, 1], [1, 1], [1]]) == [true, false, true], "too many do not fit either")
    }

    @Test("the more entries fit, the more are rendered together")
    func slices() {
        var budget = ReplayBudget(bytes: 100_000, updates: 1000)
        #expect(budget.fit(after: 16) == 500)
        _ = budget.take([update(bytes: 9_000)])
        #expect(1...20 ~= budget.fit(after: 1))
        _ = budget.take([update(bytes: 90_000)])
        #expect(budget.fit(after: 2) == 1)
    }
}

@Suite("How a follower continues after failures")
struct FollowedLaneTests {
    private let now = ContinuousClock.now

    private func entries(_ numbers: ClosedRange<Int64>) -> [JournalEntry] {
        numbers.map { JournalEntry(lane: 1, number: $0, at: 1, kind: 1, subject: 1) }
    }

    /// A lane none of whose entries waited when the process started.
    private var current: FollowedLane {
        var lane = FollowedLane()
        lane.caughtUp()
        return lane
    }

    @Test("the entries that waited at the start are tried alone, at most a batch of them")
    func startsAlone() {
        var lane = FollowedLane(batchMax: 3)
        for _ in 0..<3 {
            #expect(lane.isAlone && lane.limit == 1 && !lane.isNoted)
            lane.isNoted = true
            // A page of kinds that nobody follows.
            lane.succeeded(0, through: 0)
            lane.succeeded(1, through: 0)
        }
        #expect(!lane.isAlone && lane.limit == 3)
        #expect(!current.isAlone && current.limit == 200)
    }

    @Test("a failing batch is halved until one entry is alone, and doubles again after that is done")
    func halves() {
        var lane = current
        var sizes: [Int] = []
        var failed: [Bool] = []
        while lane.limit > 1 {
            sizes.append(lane.limit)
            lane.begins()
            lane.tries(entries(1...Int64(lane.limit)))
            failed.append(lane.failed(isTransient: false, at: now))
        }
        #expect(!failed.contains(true))
        #expect(sizes == [200, 100, 50, 25, 12, 6, 3])
        lane.succeeded(1, through: 0)
        #expect(lane.limit == 2 && lane.isDue(at: now))
        for _ in 0..<10 { lane.succeeded(1, through: 0) }
        #expect(lane.limit == 200)
    }

    @Test("the tenth failure of a single entry is reported, and it is retried for ever, in the end every 5 s")
    func poisoned() {
        var lane = current
        var reported: [Bool] = []
        for _ in 0..<20 {
            lane.begins()
            lane.tries(entries(4...4))
            reported.append(lane.failed(isTransient: false, at: now))
            #expect(!lane.isDue(at: now) && lane.isDue(at: now + .seconds(5)))
        }
        #expect(reported == [Bool](repeating: false, count: 9) + [Bool](repeating: true, count: 11))
        #expect(!lane.isDue(at: now + .milliseconds(4999)))
        #expect(lane.stuckAt == 4)
        lane.begins()
        lane.tries(entries(5...5))
        let isPoisoned = lane.failed(isTransient: false, at: now)
        #expect(!isPoisoned, "failures of another entry are counted separately")
    }

    @Test("an unreachable database is not counted as a failure of the entries")
    func transient() {
        var lane = current
        for _ in 0..<30 {
            lane.begins()
            lane.tries(entries(1...200))
            let isPoisoned = lane.failed(isTransient: true, at: now)
            #expect(!isPoisoned)
        }
        #expect(lane.limit == 200 && lane.failures == 0)
        #expect(!lane.isDue(at: now + .seconds(4)) && lane.isDue(at: now + .seconds(5)))
    }
}
