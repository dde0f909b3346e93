import Foundation

// The end of a run: what people are shown of each other.
extension TortureRun {
    /// Lets everybody watch everybody, then change what they say. Nothing but Updates tells it to the others. At last
    /// all type.
    func showPresence(_ scene: Scene) async throws {
        let people = scene.world.people
        let users = people.map(\.user)
        scene.recorder.note { $0.listeners = users }
        // After the faults presence knows everybody again once all gateways have reported to all replicas.
        try await untilRight(scene, within: .seconds(20)) { await $0.askPresence(of: users) }
        await each(of: people) { await $0.watchEverybody() }
        await each(of: people) { await $0.sayFinally() }
        let told = try await untilRight(scene, within: .seconds(20)) { await $0.presence(of: users) }
        let asked = try await untilRight(scene, within: .seconds(5)) { await $0.askPresence(of: users) }
        scene.recorder.note { $0.presence = told + asked }
        scene.recorder.note { [now = scene.recorder.now] in $0.quietFrom = now }
        await each(of: people) { await $0.readOwnPresence() }
        await each(of: people) { await $0.typeFinally() }
        // A busy machine tells it late.
        try await Task.sleep(for: .seconds(3))
    }

    private func each(of people: [Person], _ body: @escaping @Sendable (Person) async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for person in people { group.addTask { await body(person) } }
        }
    }

    /// Reads what devices are shown until all of it is right, and returns it as it was at last.
    @discardableResult
    private func untilRight(
        _ scene: Scene, within limit: Duration, _ read: (Resident) async -> [PresenceFact]
    ) async throws -> [PresenceFact] {
        let rules = PresenceRules(values: Values(scene.recorder.facts))
        let end = ContinuousClock.now + limit
        while true {
            try Task.checkCancellation()
            var facts: [PresenceFact] = []
            for resident in scene.world.people.flatMap(\.residents) { facts += await read(resident) }
            if facts.allSatisfy({ rules.possible($0).contains($0.status) }) || .now >= end { return facts }
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}
