import Schema
import Testing

@testable import GatewayService

@Suite struct LaneWatchTests {
    private let start = ContinuousClock.now

    private func after(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    private func beat(_ lanes: [UInt32: Int64], epoch: String = "e") -> Heartbeat {
        Heartbeat(epoch: epoch, lanes: lanes.map { LaneNumber(lane: $0, number: $1) })
    }

    /// Returns a watch that has received lane 1 up to number 40.
    private func watch(_ bounds: LaneWatch.Bounds = .init()) -> LaneWatch {
        var watch = LaneWatch(bounds)
        #expect(watch.received(beat([1: 40]), at: start) == .first)
        return watch
    }

    private func ranges(_ questions: [LaneWatch.Question]) -> [String] {
        questions.map { "\($0.lane):\($0.from)-\($0.to)" + ($0.accountsOnly ? " accounts" : "") }
    }

    @Test("nothing is missed after the next number, a repeated or older one, no lane, or a heartbeat behind")
    func inOrder() {
        var watch = watch()
        for (lane, number): (UInt32, Int64) in [(1, 41), (1, 41), (1, 3), (0, 0), (0, 9), (2, 1), (2, 2)] {
            #expect(watch.received(lane, number, at: start) == false)
        }
        #expect(watch.received(beat([1: 39, 2: 2]), at: start) == .usual)
        #expect(watch.nextDue == nil && watch.missingCount == 0)
    }

    @Test("a gap between Updates, or below a heartbeat's number, is requested once the grace has passed")
    func gaps() {
        var watch = watch()
        #expect(watch.received(1, 44, at: after(0)) == true)
        _ = watch.received(beat([1: 46, 7: 2]), at: after(100))
        #expect(watch.nextDue == after(300))
        #expect(watch.due(at: after(299)) == [])
        let jump = ranges(watch.due(at: after(300)))
        #expect(jump == ["1:41-43"])
        let behind = ranges(watch.due(at: after(400)))
        #expect(behind == ["7:1-2"])  // One question per lane.
        #expect(watch.nextDue == nil)
    }

    @Test("Updates that arrive within the grace are not requested, whatever their order")
    func late() {
        var watch = watch()
        _ = watch.received(beat([1: 45]), at: after(0))
        for number: Int64 in [43, 41, 45, 42, 44] { #expect(watch.received(1, number, at: after(50)) == false) }
        #expect(watch.nextDue == nil && watch.missingCount == 0)
        #expect(watch.received(1, 46, at: after(60)) == false)
    }

    @Test("a page settles its part and the rest is due immediately; an answer without progress is a failure")
    func pages() throws {
        var watch = watch()
        _ = watch.received(beat([1: 60]), at: after(0))
        let first = try #require(watch.due(at: after(300)).first)
        #expect(ranges([first]) == ["1:41-60"] && first.newlyMissed == 20 && first.since == start)
        #expect(watch.answered(first, through: 50, at: after(310)) == true)
        let second = try #require(watch.due(at: after(310)).first)
        #expect(ranges([second]) == ["1:51-60"] && second.newlyMissed == 0)
        #expect(watch.answered(second, through: 50, at: after(320)) == false)
        #expect(watch.due(at: after(320)) == [])
        #expect(watch.nextDue == after(520))
        let third = try #require(watch.due(at: after(520)).first)
        #expect(watch.answered(third, through: 90, at: after(530)) == true)
        #expect(watch.missingCount == 0 && watch.nextDue == nil)
    }

    @Test("failed questions are repeated after waits that grow up to a limit")
    func failures() throws {
        var watch = watch()
        _ = watch.received(1, 43, at: after(0))
        var now = after(300)
        var waits: [Duration] = []
        for _ in 0..<8 {
            let question = try #require(watch.due(at: now).first)
            watch.failed(question, at: now)
            let next = try #require(watch.nextDue)
            waits.append(next - now)
            now = next
        }
        #expect(waits == [200, 400, 800, 1600, 3200, 5000, 5000, 5000].map { .milliseconds($0) })
    }

    @Test("more than 10,000 Updates behind, accounts are requested, over all missing numbers")
    func tooFar() throws {
        var watch = watch()
        _ = watch.received(beat([1: 5_040]), at: after(0))
        _ = watch.received(beat([1: 10_040]), at: after(1))
        let near = ranges(watch.due(at: after(301)))
        #expect(near == ["1:41-10040"])
        var further = self.watch()
        _ = further.received(beat([1: 10_041]), at: after(0))
        let question = try #require(further.due(at: after(300)).first)
        #expect(ranges([question]) == ["1:41-10041 accounts"])
        #expect(further.answered(question, through: 10_041, at: after(310)) == true)
        #expect(further.nextDue == nil)
    }

    @Test("in another epoch all numbers start over, and answers to earlier questions are ignored")
    func epoch() throws {
        var watch = watch()
        _ = watch.received(1, 50, at: after(0))
        let question = try #require(watch.due(at: after(300)).first)
        #expect(watch.received(beat([1: 7], epoch: "f"), at: after(310)) == .startedOver)
        #expect(watch.missingCount == 0)
        #expect(!watch.isCurrent(question))
        #expect(watch.answered(question, through: 49, at: after(320)) == false)
        #expect(watch.received(1, 8, at: after(330)) == false)
        #expect(watch.received(1, 10, at: after(340)) == true)
        watch.failed(question, at: after(350))
        let anew = ranges(watch.due(at: after(640)))
        #expect(anew == ["1:9-9"])
    }

    @Test("before the first heartbeat nothing is missed; earlier Updates may be ahead of it")
    func before() {
        var watch = LaneWatch()
        #expect(!watch.isKnown)
        #expect(watch.received(1, 90, at: start) == false)
        #expect(watch.received(1, 95, at: start) == false)
        #expect(watch.received(beat([1: 93, 2: 4]), at: start) == .first)
        #expect(watch.isKnown)
        #expect(watch.received(1, 96, at: start) == false)
        #expect(watch.received(2, 5, at: start) == false)
        #expect(watch.missingCount == 0)
    }

    @Test("too many ranges are merged into one")
    func bounded() {
        var bounds = LaneWatch.Bounds()
        bounds.rangesMax = 4
        var watch = watch(bounds)
        for number in stride(from: Int64(42), through: 60, by: 2) { _ = watch.received(1, number, at: after(0)) }
        let asked = ranges(watch.due(at: after(300)))
        #expect(asked.count == 1 && asked[0].hasPrefix("1:41-"))
        #expect(watch.missingCount <= 20)
    }

    /// Several replicas write. Their Updates are lost and late, and heartbeats overtake them. Replays fail, arrive
    /// late, and come in pages. In the end every number was delivered, or its sessions must start over.
    @Test("despite losses, delays and refusals every number is delivered, with one question at a time per lane")
    func property() throws {
        for seed in 1...150 { try simulate(seed: UInt64(seed)) }
    }

    private func simulate(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var bounds = LaneWatch.Bounds()
        bounds.rangesMax = 6
        bounds.replayMax = 60
        var watch = LaneWatch(bounds)
        _ = watch.received(beat([1: 0]), at: start)
        var committed: [UInt32: Int64] = [1: 0, 2: 0, 3: 0]
        var delivered: [UInt32: Set<Int64>] = [1: [], 2: [], 3: []]
        var inTransit: [(at: Int, lane: UInt32, number: Int64)] = []
        var asked: [(at: Int, LaneWatch.Question)] = []
        var last = 0
        for tick in 0..<600 {
            let now = after(tick * 10)
            if tick < 400 {
                for lane in committed.keys.sorted() where random.next() % 3 == 0 {
                    let outage = (tick / 60 + Int(lane)) % 4 == 0
                    for _ in 0...(random.next() % 3) {
                        committed[lane]! += 1
                        if outage || random.next() % 20 == 0 { continue }
                        inTransit.append((tick + Int(random.next() % 5), lane, committed[lane]!))
                    }
                }
            }
            for update in inTransit where update.at <= tick {
                _ = watch.received(update.lane, update.number, at: now)
                delivered[update.lane]!.insert(update.number)
            }
            inTransit.removeAll { $0.at <= tick }
            if tick % 50 == 0 { #expect(watch.received(beat(committed), at: now) == .usual) }
            for (_, question) in asked.filter({ $0.at <= tick }) {
                guard random.next() % 3 != 0 else {
                    watch.failed(question, at: now)
                    continue
                }
                let through = min(question.to, question.from + Int64(random.next() % 40))
                #expect(watch.answered(question, through: through, at: now) == true)
                delivered[question.lane]!.formUnion(question.from...through)
            }
            asked.removeAll { $0.at <= tick }
            for question in watch.due(at: now) {
                #expect(!asked.contains { $0.1.lane == question.lane })
                #expect(question.from >= 1 && question.to <= committed[question.lane]!)
                #expect(question.accountsOnly || question.to - question.from < 200)
                asked.append((tick + 1 + Int(random.next() % 30), question))
            }
            if watch.missingCount > 0 || !asked.isEmpty { last = tick }
        }
        var now = after(6_000)
        while watch.missingCount > 0 || !asked.isEmpty {
            for (_, question) in asked {
                _ = watch.answered(question, through: question.to, at: now)
                delivered[question.lane]!.formUnion(question.from...question.to)
            }
            asked = []
            now = max(now, watch.nextDue ?? now)
            for question in watch.due(at: now) { asked.append((0, question)) }
        }
        for (lane, number) in committed {
            #expect(delivered[lane]!.count == Int(number), "seed \(seed), lane \(lane), last missing at \(last)")
        }
    }
}
