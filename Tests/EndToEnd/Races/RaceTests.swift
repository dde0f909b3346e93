import Foundation
import ParleyClient
import TestSupport
import Testing

extension ReplicaClusters {
    /// Two acts of a race.
    struct Race: Sendable, CustomStringConvertible {
        var one: RaceAct
        var other: RaceAct

        var description: String { "“\(one.name)” and “\(other.name)”" }
    }

    /// In which order the acts of a race are done.
    enum RaceOrder: String, CaseIterable {
        case oneFirst, otherFirst, atOnce
    }

    /// What a race came to: the codes of both answers, and what everybody sees afterwards.
    private struct Outcome: Equatable {
        var codes: [String]
        var facts: [String]

        /// Returns the lines that only one of two outcomes has.
        func difference(from other: Outcome) -> String {
            let (mine, others) = (codes.map { "code \($0)" } + facts, other.codes.map { "code \($0)" } + other.facts)
            let changes = mine.difference(from: others).map { change in
                switch change {
                case .insert(_, let line, _): "+ \(line)"
                case .remove(_, let line, _): "- \(line)"
                }
            }
            return changes.joined(separator: "\n")
        }
    }

    @Test("every request of the contract that changes who sees what is raced against the others")
    func allAreRaced() {
        let raced = Set(RaceAct.all.map(\.method))
        let changing = ContractRequest.all.filter(\.changesVisibility).map(\.method)
        #expect(changing.count >= 20)
        #expect(Set(changing).subtracting(raced).isEmpty, "add what they do to RaceAct.all")
    }

    @Test(
        "X3 when two requests that show or hide something meet, all devices agree, and all is as if one had come first",
        .timeLimit(.minutes(60)))
    func races() async throws {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["PARLEY_RACE_SEED"].flatMap(UInt64.init) ?? 20_261_127
        let count = environment["PARLEY_RACES"].flatMap(Int.init) ?? 10
        print("races: PARLEY_RACE_SEED=\(seed) PARLEY_RACES=\(count)")
        let cluster = try await TestCluster(
            .init(
                replicas: ["conversations": 2, "messaging": 2, "entities": 2], settings: TestCluster.askingSettings))
        var races: [Race] = []
        for (index, one) in RaceAct.all.enumerated() {
            races += RaceAct.all[index...].map { Race(one: one, other: $0) }
        }
        var random = SeededNumbers(seed: seed)
        for index in races.indices.dropLast() { races.swapAt(index, index + random.below(races.count - index)) }
        let chosen = races.prefix(count)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            var next = chosen.startIndex
            while next < chosen.endIndex || !tasks.isEmpty {
                if next < chosen.endIndex {
                    let race = chosen[next]
                    next += 1
                    tasks.addTask { try await run(race, on: cluster) }
                    if next - chosen.startIndex < 4 { continue }
                }
                try await tasks.next()
            }
        }
        await cluster.end()
    }

    /// Runs a race in each order, each with people of its own.
    private func run(_ race: Race, on cluster: TestCluster) async throws {
        var outcomes: [RaceOrder: Outcome] = [:]
        for order in RaceOrder.allCases { outcomes[order] = try await run(race, order, on: cluster) }
        guard let met = outcomes[.atOnce], let one = outcomes[.oneFirst], let other = outcomes[.otherFirst] else {
            return
        }
        guard met != one, met != other else { return }
        Issue.record(
            """
            \(race) at once is like neither order.
            Beside “\(race.one.name)” first:
            \(met.difference(from: one))
            Beside “\(race.other.name)” first:
            \(met.difference(from: other))
            """)
    }

    private func run(_ race: Race, _ order: RaceOrder, on cluster: TestCluster) async throws -> Outcome {
        let scene = try await RaceScene(on: cluster)
        let here = try await cluster.session(of: scene[race.one.actor])
        let there = try await cluster.session(of: scene[race.other.actor], gateway: 1)
        let mirrors = try await Mirrors(of: scene.all, on: cluster)
        @Sendable func one() async throws -> String { try await code(race.one, scene, here) }
        @Sendable func other() async throws -> String { try await code(race.other, scene, there) }
        var codes = ["", ""]
        switch order {
        case .oneFirst:
            codes[0] = try await one()
            codes[1] = try await other()
        case .otherFirst:
            codes[1] = try await other()
            codes[0] = try await one()
        case .atOnce:
            async let first = one()
            async let second = other()
            codes = [try await first, try await second]
        }
        try await mirrors.check("\(race), \(order.rawValue)")
        // Whoever was erased or suspended is refused in one of several ways.
        for (index, act) in [race.one, race.other].enumerated() where codes[index] != "" {
            if await scene[act.actor].client.endedBy != nil { codes[index] = "ended" }
        }
        return Outcome(codes: codes, facts: try await scene.facts())
    }

    /// Does an act, and returns the code of its refusal; empty if it was done.
    private func code(_ act: RaceAct, _ scene: RaceScene, _ device: Device) async throws -> String {
        do {
            try await act.act(scene, device.client)
            return ""
        } catch let error as ParleyError {
            return error.code
        }
    }
}
