import Foundation
import Synchronization

// The load: people use the cluster while it is broken.
extension TortureRun {
    func load(_ scene: Scene) async throws {
        let faults = Task { await scene.own?.injector.run(schedule) }
        let people = Task {
            await withTaskGroup(of: Void.self) { group in
                for person in scene.world.people { group.addTask { await person.live() } }
                for person in scene.world.people where person.number % 2 == 1 {
                    group.addTask { await person.keepWriting() }
                }
            }
        }
        defer {
            faults.cancel()
            people.cancel()
        }
        let began = ContinuousClock.now
        // A slow machine gets up to twice the time to do enough for the audit.
        let enough = 2 * configuration.minimum(schedule, seconds: configuration.seconds).notes
        for second in 1...2 * configuration.seconds where !isLoadToEnd.load(ordering: .relaxed) {
            if second > configuration.seconds, scene.recorder.certainMemberships >= enough { break }
            try await Task.sleep(until: began + .seconds(second), clock: .continuous)
            guard second % 10 == 0 || second == configuration.seconds else { continue }
            report("  \(scene.recorder.actions) actions, \(scene.recorder.acknowledged) messages acknowledged")
        }
        secondsUsed.store(min(seconds(since: began), configuration.seconds), ordering: .relaxed)
        scene.recorder.endLoad()
        await faults.value
        await scene.own?.injector.heal()
        let ended = await within(.seconds(60)) { await people.value }
        if !ended { scene.recorder.trouble("people were still waiting for replies 60 s after the load") }
    }

    /// Waits for `body`, at most `limit`.
    /// - Returns: false if it took longer. `body` then continues on its own.
    private func within(_ limit: Duration, _ body: @escaping @Sendable () async -> Void) async -> Bool {
        await withCheckedContinuation { continuation in
            let first = First()
            Task {
                await body()
                if await first.isFirst() { continuation.resume(returning: true) }
            }
            Task {
                try? await Task.sleep(for: limit)
                if await first.isFirst() { continuation.resume(returning: false) }
            }
        }
    }

    private actor First {
        private var isTaken = false
        func isFirst() -> Bool {
            defer { isTaken = true }
            return !isTaken
        }
    }
}
