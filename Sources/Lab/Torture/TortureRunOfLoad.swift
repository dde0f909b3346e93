import Foundation
import Synchronization

// The load: people use the cluster while it is broken.
extension TortureRun {
    func load(_ scene: Scene) async throws {
        let faults = Task { await scene.own?.injector.run(schedule) }
        defer { faults.cancel() }
        let began = ContinuousClock.now
        var ending = LoadEnding(seconds: configuration.seconds)
        while true {
            try await act(in: scene, since: began, &ending)
            await faults.value
            await scene.own?.injector.heal()
            // What was under way at the end may have made something uncertain.
            let decision = try await decide(scene, since: began, &ending)
            if case .goOn = decision { continue }
            if case .givenUp(let why) = decision { scene.recorder.note { $0.gaveUp = why } }
            break
        }
        secondsUsed.store(min(seconds(since: began), configuration.seconds), ordering: .relaxed)
    }

    /// Lets people act until the scheduled time is over and they have done enough, or must give up.
    private func act(
        in scene: Scene, since began: ContinuousClock.Instant, _ ending: inout LoadEnding
    ) async throws {
        scene.recorder.beginLoad()
        let people = Task {
            await withTaskGroup(of: Void.self) { group in
                for person in scene.world.people { group.addTask { await person.live() } }
                for person in scene.world.people where person.number % 2 == 1 {
                    group.addTask { await person.keepWriting() }
                }
            }
        }
        defer { people.cancel() }
        try await waitForSchedule(scene, since: began)
        while case .goOn(let missing) = try await decide(scene, since: began, &ending) {
            report("  The load goes on: \(missing)")
            try await Task.sleep(for: .seconds(2))
        }
        scene.recorder.endLoad()
        let ended = await within(.seconds(60)) { await people.value }
        if !ended { scene.recorder.trouble("people were still waiting for replies 60 s after the load") }
    }

    private func waitForSchedule(_ scene: Scene, since began: ContinuousClock.Instant) async throws {
        let passed = seconds(since: began)
        guard passed < configuration.seconds else { return }
        for second in passed + 1...configuration.seconds where !isLoadToEnd.load(ordering: .relaxed) {
            try await Task.sleep(until: began + .seconds(second), clock: .continuous)
            if second % 10 == 0 || second == configuration.seconds { reportProgress(scene) }
        }
    }

    private func reportProgress(_ scene: Scene) {
        report("  \(scene.recorder.actions) actions, \(scene.recorder.acknowledged) messages acknowledged")
    }

    private func decide(
        _ scene: Scene, since began: ContinuousClock.Instant, _ ending: inout LoadEnding
    ) async throws -> LoadEnding.Decision {
        guard !isLoadToEnd.load(ordering: .relaxed) else { return .enough }
        let counting = ContinuousClock.now
        let measures = Audit.measure(await factsIfItEndedNow(scene), minimum(scene, configuration.seconds).ofLoad)
        let decision = ending.decide(after: counting - began, measures)
        // Counting takes at most a fifth of the time.
        if case .goOn = decision { try await Task.sleep(for: (ContinuousClock.now - counting) * 4) }
        return decision
    }

    /// Returns the facts as they would be if the load ended now: new devices then read what the permanent ones hold.
    private func factsIfItEndedNow(_ scene: Scene) async -> Facts {
        var facts = scene.recorder.facts
        facts.listeners = scene.world.people.map(\.user)
        let windows = Windows(facts)
        for person in scene.world.people {
            let (user, resident) = (person.user, person.residents[0])
            var state = await resident.state
            // Of these a new device may read less.
            state.messages = state.messages.filter { !windows.mayHaveReturned(user, to: $0.key) }
            for conversation in Set(state.conversations.keys).union(state.inbox.keys) {
                let messages = state.messages[conversation] ?? []
                facts.histories.append(
                    HistoryFact(
                        reader: user, conversation: conversation, messages: messages,
                        lastSeq: messages.last?.seq ?? 0))
            }
            facts.fresh[user] = state
            facts.downloads += await resident.files.map { DownloadFact(reader: user, message: $0, isSame: true) }
            facts.finalTyping += await resident.writable.prefix(3).map { FinalTypingFact(user, in: $0) }
        }
        return facts
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
