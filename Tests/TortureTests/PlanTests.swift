import Testing

@testable import Torture

@Suite("A run is determined by its seed")
struct PlanTests {
    private static let shape = FaultSchedule.Shape(
        gateways: 2, replicas: ["conversations": 2, "messaging": 2, "presence": 2, "entities": 2])

    @Test("the random numbers are those of SplitMix64")
    func numbers() {
        // The reference values of its author for seed 1234567.
        var random = SeededRandom(seed: 1_234_567)
        let drawn = (0..<5).map { _ in random.next() }
        #expect(
            drawn == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }

    @Test("numbers are below their bound, and all of them occur")
    func below() {
        var random = SeededRandom(seed: 1)
        let drawn = (0..<1000).map { _ in random.below(7) }
        #expect(Set(drawn) == Set(0..<7))
        #expect(random.below(0) == 0)
        let ranged = (0..<1000).map { _ in random.number(3...5) }
        #expect(Set(ranged) == [3, 4, 5])
        #expect(random.shuffled(Array(0..<50)).sorted() == Array(0..<50))
        #expect(random.pick([Int]()) == nil)
    }

    @Test("the same seed gives the same faults, another seed gives others")
    func same() {
        func schedule(_ seed: UInt64) -> FaultSchedule {
            FaultSchedule(seed: seed, milliseconds: 60_000, shape: Self.shape)
        }
        #expect(schedule(7) == schedule(7))
        #expect(schedule(7) != schedule(8))
        #expect(schedule(7).faults.count > 40)
    }

    @Test("faults are in order, begin after the load starts and end before it ends", arguments: 1...20)
    func inTime(seed: UInt64) {
        let faults = FaultSchedule(seed: seed, milliseconds: 30_000, shape: Self.shape).faults
        #expect(faults.map(\.at) == faults.map(\.at).sorted())
        #expect(faults.allSatisfy { $0.at >= 1000 && $0.at + $0.lasting <= 30_000 })
    }

    @Test("a run of half a minute has every kind of fault", arguments: 1...20)
    func everyKind(seed: UInt64) {
        let faults = FaultSchedule(seed: seed, milliseconds: 30_000, shape: Self.shape).faults
        #expect(Set(faults.map(\.kind)) == Set(FaultKind.allCases))
    }

    @Test("skipping kinds does not change the other faults")
    func without() {
        let all = FaultSchedule(seed: 3, milliseconds: 60_000, shape: Self.shape).faults
        let some = FaultSchedule(seed: 3, milliseconds: 60_000, shape: Self.shape, without: [.disk, .kill]).faults
        #expect(some == all.filter { $0.kind != .disk && $0.kind != .kill })
        #expect(some.count < all.count)
        #expect(
            FaultSchedule(seed: 3, milliseconds: 60_000, shape: Self.shape, without: Set(FaultKind.allCases)).faults
                .isEmpty)
    }

    @Test("targets are existing processes and links")
    func targets() {
        let processes = Set(Self.shape.gateways + Self.shape.allReplicas + ["postgres"])
        for fault in FaultSchedule(seed: 5, milliseconds: 300_000, shape: Self.shape).faults {
            switch fault.action {
            case .kill(let name), .freeze(let name), .stop(let name), .clock(let name, _):
                #expect(processes.contains(name))
            case .cut(let links), .delay(let links, _), .stall(let links):
                #expect(!links.isEmpty && links.allSatisfy { processes.contains($0.replica) })
            case .drop(let links, _): #expect(!links.isEmpty && links.allSatisfy { $0.kind == .updates })
            case .fillDisk: break
            }
        }
    }

    @Test("a person's actions are the same for the same seed, and differ from another person's")
    func people() {
        func actions(_ seed: UInt64, _ person: Int) -> [Choice] {
            Array(ActionPlan(seed: seed, person: person).prefix(500))
        }
        #expect(actions(1, 0) == actions(1, 0))
        #expect(actions(1, 0) != actions(1, 1))
        #expect(actions(1, 0) != actions(2, 0))
        let kinds = Set((0..<10).flatMap { actions(1, $0).map(\.kind) })
        #expect(kinds == Set(ActionKind.allCases))
    }

    @Test("faults on one link add up and end one by one")
    func effects() {
        let link = LinkName(gateway: "gateway-1", replica: "messaging-1", kind: .requests)
        var effects = LinkEffects()
        #expect(effects.change(.cut([link]), begins: true) == [link])
        _ = effects.change(.cut([link]), begins: true)
        _ = effects.change(.cut([link]), begins: false)
        #expect(effects.isCut(link))
        _ = effects.change(.cut([link]), begins: false)
        #expect(!effects.isCut(link))
        _ = effects.change(.delay([link], milliseconds: 5), begins: true)
        _ = effects.change(.delay([link], milliseconds: 900), begins: true)
        #expect(effects.delay(link) == 900)
        _ = effects.change(.delay([link], milliseconds: 900), begins: false)
        #expect(effects.delay(link) == 5)
        _ = effects.change(.drop([link], perMille: 300), begins: true)
        _ = effects.change(.stall([link]), begins: true)
        #expect(effects.drop(link) == 300 && effects.isStalled(link))
    }
}
