import Logging
import Reactor
import TestSupport
import Testing

@testable import ServiceKit

@Suite("Work that goes on by itself", .timeLimit(.minutes(1 * patience)))
@ReactorActor
struct WorkerTests {
    /// Rounds that wait until the test lets them end.
    @ReactorActor
    private final class Rounds {
        var begun = 0
        var waiting: CheckedContinuation<Void, Never>?

        func round() async {
            begun += 1
            await withCheckedContinuation { waiting = $0 }
        }

        func end() {
            waiting?.resume()
            waiting = nil
        }
    }

    @Test("however often it is woken during a round, one more round follows, never two at once")
    func woken() async throws {
        let (rounds, worker) = (Rounds(), Worker(every: .seconds(3600), log: quiet, failed: "failed"))
        worker.start { await rounds.round() }
        #expect(rounds.begun == 1)
        for _ in 1...3 { worker.wake() }
        #expect(rounds.begun == 1)
        rounds.end()
        try await eventually { rounds.begun == 2 }
        rounds.end()
        try await Reactor.shared.sleep(for: .milliseconds(20))
        #expect(rounds.begun == 2)
        worker.wake()
        #expect(rounds.begun == 3)
        rounds.end()
        await worker.stop()
    }

    @Test("rounds follow each other at the interval, also after failures, and are not run after stopping")
    func repeated() async throws {
        struct Failure: Error {}
        var begun = 0
        let worker = Worker(every: .milliseconds(5), log: quiet, failed: "failed")
        worker.start {
            begun += 1
            throw Failure()
        }
        try await eventually { begun >= 3 }
        await worker.stop()
        let last = begun
        worker.wake()
        try await Reactor.shared.sleep(for: .milliseconds(30))
        #expect(begun == last)
    }

    @Test("stopping waits for the round under way and lets go of what it uses")
    func stopped() async throws {
        let worker = Worker(every: .seconds(3600), log: quiet, failed: "failed")
        weak var used: Rounds?
        var isStopped = false
        do {
            let rounds = Rounds()
            used = rounds
            worker.start { await rounds.round() }
            let stopping = Task { @ReactorActor in
                await worker.stop()
                isStopped = true
            }
            try await eventually { worker.isStopping }
            #expect(!isStopped)
            rounds.end()
            await stopping.value
        }
        #expect(isStopped && used == nil)
    }
}
