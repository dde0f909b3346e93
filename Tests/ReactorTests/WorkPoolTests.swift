import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Reactor

struct WorkPoolTests {
    /// Holds threads until it is opened.
    private final class Gate: Sendable {
        let inside = Atomic(0)
        private let maximum = Mutex(0)
        private let isOpen = Atomic(false)

        /// The maximum number of threads inside at the same time.
        var maxInside: Int { maximum.withLock { $0 } }

        func pass() {
            let now = inside.add(1, ordering: .relaxed).newValue
            maximum.withLock { $0 = max($0, now) }
            while !isOpen.load(ordering: .acquiring) { usleep(200) }
            inside.subtract(1, ordering: .relaxed)
        }

        func open() { isOpen.store(true, ordering: .releasing) }
    }

    @Test("a pool runs and queues a limited number of jobs and refuses the next immediately", .timeLimit(.minutes(4)))
    func bounded() async throws {
        let pool = WorkPool(threads: 2, queue: 3)
        let gate = Gate()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<5 {
                group.addTask {
                    try await pool.run {
                        gate.pass()
                        return number
                    }
                }
            }
            try await eventually("two run and three wait") {
                pool.queueDepth == 3 && gate.inside.load(ordering: .relaxed) == 2
            }
            await #expect(throws: WorkPool.Overloaded.self) { try await pool.run {} }
            gate.open()
            var done: Set<Int> = []
            for try await number in group { done.insert(number) }
            #expect(done == [0, 1, 2, 3, 4])
        }
        #expect(gate.maxInside == 2)
        #expect(try await pool.run { 7 } == 7)
    }

    private final class Order: Sendable {
        let keys = Mutex<[Int64]>([])
    }

    @Test("people's work is done in turns: one's jobs hold up another's by one each, and take a quarter of the queue")
    func turns() async throws {
        var queue = FairQueue<String>()
        for number in 1...3 { queue.append("a\(number)", of: 1) }
        queue.append("b1", of: 2)
        #expect(queue.popFirst() == "a1")
        queue.append("c1", of: 3)
        #expect((0..<4).map { _ in queue.popFirst() } == ["b1", "a2", "c1", "a3"] && queue.popFirst() == nil)
        #expect(queue.count == 0 && queue.count(of: 1) == 0)

        let (pool, gate) = (WorkPool(threads: 1, queue: 8), Gate())
        let order = Order()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run { gate.pass() } }
            try await eventually("it works") { gate.inside.load(ordering: .relaxed) == 1 }
            for (key, depth) in [(Int64(1), 1), (1, 2), (2, 3)] {
                group.addTask { try await pool.run(for: key) { order.keys.withLock { $0.append(key) } } }
                try await eventually("it waits") { pool.queueDepth == depth }
            }
            await #expect(throws: WorkPool.Overloaded.self) { try await pool.run(for: 1) {} }
            group.addTask {
                await #expect(throws: WorkPool.Overloaded.self, "its time is over") {
                    try await pool.run(for: 3, until: .now) { order.keys.withLock { $0.append(3) } }
                }
            }
            try await eventually("it waits, too") { pool.queueDepth == 4 }
            gate.open()
            try await group.waitForAll()
        }
        #expect(order.keys.withLock { $0 } == [1, 2, 1])
    }

    @Test("a thread without a job takes the next one, and ends when none has come for a while", .timeLimit(.minutes(4)))
    func kept() async throws {
        let single = WorkPool(threads: 1, queue: 1)
        // "PID/task/TID"
        @Sendable func own() throws -> String {
            try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        }
        let first = try await single.run { try own() }
        for _ in 0..<50 { #expect(try await single.run { try own() } == first) }
        try await eventually("it has ended") { access("/proc/\(first)", F_OK) != 0 }
        #expect(try await single.run { 7 } == 7)
    }

    @Test("the threads of a patient pool yield to all others, and those of another do not")
    func patience() async throws {
        // For Linux, a thread has a priority of its own.
        @Sendable func own() -> CInt { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }
        let usual = try await WorkPool(threads: 1).run { own() }
        #expect(try await WorkPool(threads: 1, isPatient: true).run { own() } == 10)
        #expect(try await WorkPool(threads: 1).run { own() } == usual)
    }

    @Test("the caller gets the error that the work throws")
    func failure() async {
        struct Oops: Error {}
        await #expect(throws: Oops.self) { try await WorkPool(threads: 1).run { throw Oops() } }
    }

    @Test("the loop continues while the pool works", .timeLimit(.minutes(4)))
    @ReactorActor
    func apart() async throws {
        let pool = WorkPool(threads: 1)
        let gate = Gate()
        async let answer = pool.run {
            gate.pass()
            return !Reactor.shared.isOnLoop
        }
        try await Reactor.shared.sleep(for: .milliseconds(2))
        gate.open()
        #expect(try await answer)
    }
}
