import Glibc
import Synchronization
import Testing

@testable import Reactor

struct LoopTests {
    @ReactorActor
    private final class Seen {
        var order: [String] = []
        var repetition: Reactor.Repetition?
        nonisolated init() {}
    }

    private let seen = Seen()

    /// Suspends until a timer with `delay` has fired.
    @ReactorActor
    private func wait(_ delay: Duration = .zero) async {
        await withCheckedContinuation { continuation in
            Reactor.shared.after(delay) { continuation.resume() }
        }
    }

    @Test("timers fire in the order of their deadlines, and a cancelled one does not")
    @ReactorActor
    func timers() async {
        Reactor.shared.after(.milliseconds(12)) { seen.order.append("third") }
        Reactor.shared.after(.milliseconds(4)) { seen.order.append("first") }
        let cancelled = Reactor.shared.after(.milliseconds(6)) { seen.order.append("cancelled") }
        Reactor.shared.after(.milliseconds(8)) {
            seen.order.append("second")
        }
        Reactor.shared.cancel(cancelled)
        await wait(.milliseconds(14))
        #expect(seen.order == ["first", "second", "third"])
    }

    @Test("tasks of the loop never leave its thread, and go on in the order in which they are resumed")
    @ReactorActor
    func loopTasks() async {
        @ReactorActor
        final class Waiting {
            var continuations: [CheckedContinuation<Void, Never>] = []
        }
        @concurrent func elsewhere() async -> Bool { Reactor.shared.isOnLoop }
        let waiting = Waiting()
        let tasks = (0..<50).map { number in
            Task.onLoop {
                await withCheckedContinuation { waiting.continuations.append($0) }
                seen.order.append("\(number)")
                return await elsewhere()
            }
        }
        while waiting.continuations.count < 50 { await wait() }
        for continuation in waiting.continuations { continuation.resume() }
        let last = Task.onLoop { seen.order.append("last") }
        for task in tasks { #expect(await task.value) }
        await last.value
        #expect(seen.order == (0..<50).map { "\($0)" } + ["last"])
    }

    @Test("a timer never fires early")
    @ReactorActor
    func notEarly() async {
        for delay in [1, 3, 7] {
            let start = ContinuousClock.now
            await wait(.milliseconds(delay))
            #expect(ContinuousClock.now - start >= .milliseconds(delay))
        }
    }

    @Test("a timer that becomes due while the loop is busy fires even if nothing else happens", .timeLimit(.minutes(4)))
    @ReactorActor
    func dueWhileBusy() async {
        await withCheckedContinuation { continuation in
            Reactor.shared.after(.zero) {
                Reactor.shared.after(.milliseconds(1)) { continuation.resume() }
                usleep(20_000)
            }
        }
    }

    @Test("a timer that restarts itself without delay does not keep the loop from its jobs", .timeLimit(.minutes(4)))
    @ReactorActor
    func noStarvation() async {
        @ReactorActor
        final class Spin {
            var goes = true
        }
        let spin = Spin()
        @ReactorActor func again() {
            if spin.goes { Reactor.shared.after(.zero) { again() } }
        }
        again()
        await Task { @ReactorActor in seen.order.append("job") }.value
        spin.goes = false
        #expect(seen.order == ["job"])
    }

    @Test("a repetition continues until it is cancelled")
    @ReactorActor
    func repetition() async {
        await withCheckedContinuation { continuation in
            seen.repetition = Reactor.shared.every(.milliseconds(1)) {
                seen.order.append("again")
                if seen.order.count == 3 {
                    seen.repetition?.cancel()
                    continuation.resume()
                }
            }
        }
        await wait(.milliseconds(10))
        #expect(seen.order.count == 3)
    }

    @Test("a repetition that is released ends")
    @ReactorActor
    func releasedRepetition() async {
        var repetition: Reactor.Repetition? = Reactor.shared.every(.milliseconds(1)) { seen.order.append("again") }
        #expect(repetition != nil)
        await wait(.milliseconds(5))
        repetition = nil
        let count = seen.order.count
        await wait(.milliseconds(10))
        #expect(count > 0)
        #expect(seen.order.count == count)
    }

    @Test("a sleep ends as soon as its task is cancelled", .timeLimit(.minutes(4)))
    @ReactorActor
    func cancelledSleep() async {
        let task = Task { @ReactorActor in try await Reactor.shared.sleep(for: .seconds(3600)) }
        await wait(.milliseconds(1))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("a sleep in a cancelled task does not begin", .timeLimit(.minutes(4)))
    @ReactorActor
    func sleepAfterCancel() async {
        let task = Task { @ReactorActor in
            while !Task.isCancelled { await Task.yield() }
            try await Reactor.shared.sleep(for: .seconds(3600))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("a sleep that is not cancelled lasts its whole time")
    @ReactorActor
    func sleep() async throws {
        let start = ContinuousClock.now
        try await Reactor.shared.sleep(for: .milliseconds(5))
        #expect(ContinuousClock.now - start >= .milliseconds(5))
    }

    @Test("a job from another thread wakes the loop, and runs on it", .timeLimit(.minutes(4)))
    func remoteJob() async {
        #expect(!Reactor.shared.isOnLoop)
        let onLoop = await Task { @ReactorActor in Reactor.shared.isOnLoop }.value
        #expect(onLoop)
    }

    @Test("100,000 jobs from four threads all run, each once", .timeLimit(.minutes(4)))
    @ReactorActor
    func manyJobs() async {
        @ReactorActor
        final class Counter {
            var count = 0
        }
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { @concurrent in
                    await withTaskGroup(of: Void.self) { jobs in
                        for _ in 0..<25_000 { jobs.addTask { @ReactorActor in counter.count += 1 } }
                    }
                }
            }
        }
        #expect(counter.count == 100_000)
    }

    @Test("an immediate task begun on the loop runs immediately up to its first suspension")
    @ReactorActor
    func immediate() async {
        let task = Task.immediate { @ReactorActor in
            seen.order.append("in the task")
            await Task.yield()
            seen.order.append("later")
        }
        seen.order.append("after it began")
        await task.value
        #expect(seen.order == ["in the task", "after it began", "later"])
    }

    @Test("an immediate task begun by a timer, outside any task, begins without a hop")
    @ReactorActor
    func immediateInTimer() async {
        await withCheckedContinuation { continuation in
            Reactor.shared.after(.zero) {
                Task.immediate { @ReactorActor in seen.order.append("in the task") }
                seen.order.append("after it began")
                continuation.resume()
            }
        }
        #expect(seen.order == ["in the task", "after it began"])
    }

    @Test("end-of-turn actions run after the turn's jobs, in order, even when another such action adds them")
    @ReactorActor
    func endOfTurn() async {
        await withCheckedContinuation { continuation in
            Reactor.shared.after(.zero) {
                Reactor.shared.atEndOfTurn { seen.order.append("end 1") }
                Reactor.shared.atEndOfTurn {
                    seen.order.append("end 2")
                    Reactor.shared.atEndOfTurn {
                        seen.order.append("end 3")
                        continuation.resume()
                    }
                }
                Task { @ReactorActor in seen.order.append("job") }
            }
        }
        #expect(seen.order == ["job", "end 1", "end 2", "end 3"])
    }
}
