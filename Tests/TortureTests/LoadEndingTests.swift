import Testing

@testable import Torture

@Suite("the end of the load")
struct LoadEndingTests {
    /// What was done of 3 stars and 100 messages.
    private static func done(_ stars: Int, _ messages: Int) -> [Audit.Measure] {
        [
            .init(stars, of: 3, "values of kind star are certain"),
            .init(messages, of: 100, "messages were acknowledged"),
        ]
    }

    @Test("the load ends after its scheduled time once everything required was done, however long that takes")
    func enough() {
        var ending = LoadEnding(seconds: 30)
        #expect(ending.decide(after: .seconds(30), Self.done(3, 100)) == .enough)
        var slow = LoadEnding(seconds: 30)
        for second in stride(from: 30, to: 230, by: 50) {
            let stars = second < 180 ? 1 : 2
            let missing = "only \(stars) values of kind star are certain, but 3 are required"
            #expect(slow.decide(after: .seconds(second), Self.done(stars, second * 4)) == .goOn(missing))
        }
        #expect(slow.decide(after: .seconds(230), Self.done(3, 920)) == .enough)
    }

    @Test("it is given up if nothing is done for a minute, and says what was missing and how long it took")
    func noProgress() {
        var ending = LoadEnding(seconds: 30)
        let missing = "only 2 values of kind star are certain, but 3 are required"
        #expect(ending.decide(after: .seconds(30), Self.done(2, 100)) == .goOn(missing))
        #expect(ending.decide(after: .seconds(80), Self.done(2, 101)) == .goOn(missing))
        // A request of unknown outcome makes a value uncertain. That it is certain again is no progress.
        #expect(ending.decide(after: .seconds(100), Self.done(1, 101)) != .enough)
        #expect(ending.decide(after: .seconds(139), Self.done(2, 101)) == .goOn(missing))
        #expect(
            ending.decide(after: .seconds(140), Self.done(2, 101))
                == .givenUp("the load was given up after 140 s (nothing was done for 60 s); missing: \(missing)"))
    }

    @Test("it is given up at its limit, also while something is done")
    func longest() {
        var ending = LoadEnding(seconds: 10)
        for second in 10..<210 {
            guard case .goOn = ending.decide(after: .seconds(second), Self.done(2, second)) else {
                Issue.record("given up after \(second) s")
                return
            }
        }
        guard case .givenUp(let why) = ending.decide(after: .seconds(210), Self.done(2, 210)) else {
            Issue.record("not given up")
            return
        }
        #expect(why.hasPrefix("the load was given up after 210 s (the most that it may take); missing: only 2 values"))
    }

    @Test("the finding of a run that did too little names why its load ended; one that did enough at last passes")
    func finding() {
        var run = InventedRun()
        run.facts.gaveUp = "the load was given up after 140 s"
        #expect(Audit(run.facts, minimum: InventedRun.minimum).findings == [])
        var minimum = InventedRun.minimum
        minimum.acknowledged = 21
        #expect(
            Audit(run.facts, minimum: minimum).findings.map(\.description) == [
                "tooLittle: only 20 messages were acknowledged, but 21 are required",
                "tooLittle: the load was given up after 140 s",
            ])
    }

    @Test("the load is measured by all that the audit requires, except for what follows it")
    func ofLoad() {
        let configuration = TortureConfiguration(seed: 1, seconds: 60)
        let shape = FaultSchedule.Shape(gateways: 2, replicas: configuration.replicasOfServices)
        let schedule = FaultSchedule(seed: 1, milliseconds: 60_000, shape: shape)
        var facts = Facts()
        facts.listeners = (1...16).map { "user \($0)" }
        func missing(_ minimum: Audit.Minimum) -> Set<String> {
            Set(Audit.measure(facts, minimum).filter { !$0.isReached }.map(\.shortage))
        }
        let minimum = configuration.minimum(schedule, seconds: 60)
        #expect(missing(minimum).count == 15 + ValueFact.Kind.allCases.count + FaultKind.allCases.count + 1)
        #expect(
            missing(minimum).subtracting(missing(minimum.ofLoad)) == [
                "only 0 clients were compared with new ones, but 32 are required",
                "only 0 people who are there were shown, but 16 are required",
                "only 0 people who look offline were shown, but 16 are required",
                "only 0 processes were watched, but 1 are required",
            ])
    }
}
