import Reactor
import Schema
import Testing
import Wire

@testable import MessagingService
@testable import ServiceKit

/// A generator that repeats its numbers for the same seed (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@Suite("How a queue forms batches")
struct BatchQueueTests {
    struct Item: Equatable, Hashable {
        var conversation: Int64
        var number: Int
    }

    private func queue(batch: Int = 4, limit: Int = 100) -> BatchQueue<Item> {
        BatchQueue(batchLimit: batch, limit: limit) { $0.conversation }
    }

    // Functions, because #expect cannot capture a mutated variable.
    private func add(_ item: Item, to queue: inout BatchQueue<Item>) -> Bool { queue.add(item) }
    private func next(of queue: inout BatchQueue<Item>, at now: ContinuousClock.Instant) -> [Item]? {
        queue.next(at: now)
    }
    private func remove(from queue: inout BatchQueue<Item>, where isDoomed: (Item) -> Bool) -> [Item] {
        queue.remove(where: isDoomed)
    }

    @Test("order within a conversation is kept, nothing is lost or doubled, and the count is right", arguments: 1...40)
    func order(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var queue = BatchQueue<Item>(batchLimit: Int.random(in: 1...8, using: &random), limit: 60) { $0.conversation }
        let start = ContinuousClock.now
        var now = start
        var added: [Int64: [Int]] = [:]
        var gone: [Int64: [Int]] = [:]
        var inFlight: [Item]?
        var present = 0
        for step in 0..<2000 {
            now += .milliseconds(Int64.random(in: 0...20, using: &random))
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let item = Item(conversation: .random(in: 1...5, using: &random), number: step)
                let isTaken = queue.add(item)
                #expect(isTaken == (present < 60))
                if isTaken {
                    present += 1
                    added[item.conversation, default: []].append(step)
                }
            case 5..<9:
                if let batch = inFlight {
                    // All items of a locked conversation are returned as not locked.
                    let locked = Set((1...5).filter { _ in Bool.random(using: &random) && Bool.random(using: &random) })
                    let notLocked = batch.filter { locked.contains(Int($0.conversation)) }
                    for item in batch where !locked.contains(Int(item.conversation)) {
                        gone[item.conversation, default: []].append(item.number)
                        present -= 1
                    }
                    queue.finished(batch: batch, notLocked: notLocked, at: now)
                    inFlight = nil
                } else {
                    inFlight = queue.next(at: now)
                    #expect(inFlight?.isEmpty != true)
                }
                #expect(queue.isInFlight == (inFlight != nil))
            default:
                let doomed = Int.random(in: 0...step, using: &random)
                let flying = Set(inFlight ?? [])
                for item in queue.remove(where: { $0.number == doomed || $0.number % 37 == 0 }) {
                    #expect(!flying.contains(item))
                    added[item.conversation]?.removeAll { $0 == item.number }
                    present -= 1
                }
            }
            #expect(queue.count == present)
        }
        // Everything left is taken in the end.
        for _ in 0..<1000 where queue.count > 0 {
            now += .milliseconds(200)
            guard let batch = inFlight ?? queue.next(at: now) else { continue }
            inFlight = nil
            for item in batch { gone[item.conversation, default: []].append(item.number) }
            queue.finished(batch: batch, notLocked: [], at: now)
        }
        #expect(queue.count == 0)
        #expect(gone.filter { !$0.value.isEmpty } == added.filter { !$0.value.isEmpty })
    }

    @Test("one batch at a time, with at most the limit of items")
    func batches() {
        var queue = queue(batch: 4)
        for number in 0..<6 { #expect(add(Item(conversation: 1, number: number), to: &queue)) }
        let first = queue.next(at: .now)
        #expect(first?.map(\.number) == [0, 1, 2, 3])
        #expect(next(of: &queue, at: .now) == nil)
        queue.finished(batch: first ?? [], notLocked: [], at: .now)
        #expect(next(of: &queue, at: .now)?.map(\.number) == [4, 5])
    }

    @Test("the limit includes items in flight and set aside")
    func bounded() {
        let now = ContinuousClock.now
        var queue = queue(batch: 2, limit: 3)
        for number in 0..<3 { #expect(add(Item(conversation: 1, number: number), to: &queue)) }
        #expect(!add(Item(conversation: 2, number: 9), to: &queue))
        let batch = queue.next(at: now) ?? []
        #expect(!add(Item(conversation: 2, number: 9), to: &queue))
        queue.finished(batch: batch, notLocked: batch, at: now)
        #expect(queue.count == 3)
        #expect(!add(Item(conversation: 2, number: 9), to: &queue))
    }

    @Test("a conversation set aside delays no other, is retried with longer pauses, and continues in order")
    func setAside() throws {
        let start = ContinuousClock.now
        var now = start
        var queue = queue(batch: 20)
        _ = queue.add(Item(conversation: 1, number: 1))
        _ = queue.add(Item(conversation: 2, number: 2))
        _ = queue.add(Item(conversation: 1, number: 3))
        var pauses: [Duration] = []
        for round in 0..<10 {
            let batch = queue.next(at: now) ?? []
            let stuck = batch.filter { $0.conversation == 1 }
            #expect(stuck.map(\.number) == [1, 3] + (0..<round).map { 100 + $0 })
            queue.finished(batch: batch, notLocked: stuck, at: now)
            _ = queue.add(Item(conversation: 1, number: 100 + round))
            #expect(next(of: &queue, at: now) == nil)
            _ = queue.add(Item(conversation: 2, number: 200 + round))
            let others = queue.next(at: now) ?? []
            #expect(!others.isEmpty)
            #expect(others.allSatisfy { $0.conversation == 2 })
            queue.finished(batch: others, notLocked: [], at: now)
            let retry = try #require(queue.nextRetry)
            pauses.append(retry - now)
            now = retry
        }
        #expect(pauses.first == .milliseconds(2))
        #expect(pauses.last == .milliseconds(100))
        #expect(pauses == pauses.sorted())
    }

    @Test("overdue items are removed from anywhere except the batch in flight")
    func deadlines() {
        let now = ContinuousClock.now
        var queue = queue(batch: 2)
        for number in 0..<4 { _ = queue.add(Item(conversation: Int64(1 + number / 2), number: number)) }
        let batch = queue.next(at: now) ?? []
        #expect(remove(from: &queue) { _ in true }.map(\.number) == [2, 3])
        #expect(queue.count == 2)
        queue.finished(batch: batch, notLocked: batch, at: now)
        #expect(remove(from: &queue) { $0.number == 0 }.map(\.number) == [0])
        #expect(remove(from: &queue) { _ in true }.map(\.number) == [1])
        #expect(queue.count == 0)
        #expect(queue.nextRetry == nil)
        #expect(next(of: &queue, at: now + .seconds(1)) == nil)
    }
}

@Suite("Cursors and pages of messaging")
struct CursorTests {
    @Test("a cursor round-trips through its text; between syncs it looks back 30 s from the start of the last one")
    func roundTrip() throws {
        var cursor = try SyncCursor("").continued(at: 1_000_000_000)
        #expect(cursor.touchedAt == .max && cursor.since == 0 && cursor.began == 1_000_000_000)
        #expect(cursor.ended.text == "d.1000000000", "a sync of one page")
        let row = TouchedEntry(
            touchedAt: 77, number: 5, entry: InboxEntry(conversation: "", lastSeq: 0, position: 0, lastMessage: nil))
        cursor = cursor.after(row)
        #expect(cursor.text == "n.77.5.1000000000.0")
        let resumed = try SyncCursor(cursor.text).continued(at: 2_000_000_000)
        #expect(resumed == cursor, "the next page keeps the start of its sync")
        let second = try SyncCursor(resumed.ended.text)
        #expect(second.text == "p.970000000.0.1000000000", "what moved ahead meanwhile is read in a second pass")
        #expect(second.continued(at: 2_000_000_000) == second)
        #expect(second.after(row).ended.text == "d.1000000000")
        let later = try SyncCursor("d.1000000000").continued(at: 3_000_000_000)
        #expect(later.since == 970_000_000 && later.touchedAt == .max && later.conversation == .max)
        #expect(later.ended.text == "d.3000000000")
        #expect(try SyncCursor("d.5").continued(at: 9).since == 0)
    }

    @Test(
        "an invalid cursor is refused",
        arguments: [
            "d", "p", ".", "d.", "d.x", "d.-1", "d.1.2", "p.1.2", "p.1.2.3.4", "p.1.x.3", "q.1",
            "d.99999999999999999999", " d.1", "d.1 ", "d.01", "d.+1", "p.1.2.3.", "n.1.2.3", "n.1.2.3.4.5",
        ])
    func garbage(text: String) {
        #expect(throws: Refusal.self) { try SyncCursor(text) }
    }

    @Test(
        "a page holds as many messages as fit its bytes, and at least one",
        arguments: [
            ([], 0), ([1], 1), ([200_000], 1), ([200_000, 1], 1), ([1, 200_000, 1], 1),
            (Array(repeating: 16384, count: 200), 5),
            (Array(repeating: 10, count: 200), 200),
        ] as [([Int], Int)])
    @ReactorActor
    func pages(sizes: [Int], fitting: Int) {
        let messages = sizes.map { size in
            Message(
                conversation: "", seq: 0, id: [], sender: "", kind: .text, text: String(repeating: "x", count: size),
                sentAtUs: 0, position: 0)
        }
        #expect(MessagingService.withinPage(messages).count == fitting)
    }
}
