import Testing

@testable import ParleyClient

@Suite struct StreamTrackerTests {
    let start = ContinuousClock.now

    private func following(at position: Int64) -> StreamTracker<Int64> {
        var tracker = StreamTracker<Int64>()
        tracker.start("s", at: position)
        return tracker
    }

    private func say(_ verdict: StreamTracker<Int64>.Verdict) -> String {
        switch verdict {
        case .apply(let items): "apply \(items)"
        case .duplicate: "duplicate"
        case .held: "held"
        case .unknown: "unknown"
        }
    }

    @Test(
        "Updates are applied in order and once each, in whatever order they arrive",
        arguments: [
            ([42, 43], ["apply [42]", "apply [43]"]),
            ([42, 42], ["apply [42]", "duplicate"]),
            ([41, 1], ["duplicate", "duplicate"]),
            ([43, 42], ["held", "apply [42, 43]"]),
            ([43, 43, 42], ["held", "duplicate", "apply [42, 43]"]),
            ([45, 43, 42, 44], ["held", "held", "apply [42, 43]", "apply [44, 45]"]),
        ] as [([Int64], [String])])
    func order(positions: [Int64], expected: [String]) {
        var tracker = following(at: 41)
        let verdicts = positions.map { say(tracker.received($0, stream: "s", position: $0, at: start)) }
        #expect(verdicts == expected)
        #expect(!tracker.hasGaps)
    }

    @Test("A gap is due after 250 ms, once, and the held Updates follow the repair")
    func repair() {
        var tracker = following(at: 41)
        _ = tracker.received(43, stream: "s", position: 43, at: start)
        _ = tracker.received(46, stream: "s", position: 46, at: start)
        #expect(tracker.nextDue == start + .milliseconds(250))
        #expect(tracker.due(at: start + .milliseconds(249)).isEmpty)
        let later = start + .milliseconds(250)
        #expect(tracker.due(at: later) == [.init(stream: "s", since: 41)])
        #expect(tracker.due(at: later + .seconds(1)).isEmpty)
        #expect(tracker.repaired("s", to: 45, at: later) == [46])
        #expect(tracker.position(of: "s") == 46 && !tracker.hasGaps && tracker.nextDue == nil)
    }

    @Test("A repair that leaves a gap is due again, and so is a failed one")
    func again() {
        var tracker = following(at: 41)
        _ = tracker.received(50, stream: "s", position: 50, at: start)
        var now = start + .milliseconds(250)
        #expect(tracker.due(at: now).count == 1)
        #expect(tracker.repaired("s", to: 44, at: now) == [])
        now += .milliseconds(250)
        #expect(tracker.due(at: now) == [.init(stream: "s", since: 44)])
        tracker.failed("s", at: now)
        #expect(tracker.due(at: now).isEmpty)
        now += .milliseconds(250)
        #expect(tracker.due(at: now) == [.init(stream: "s", since: 44)])
    }

    @Test("A repair that is older than the Updates received meanwhile changes nothing")
    func overtaken() {
        var tracker = following(at: 41)
        _ = tracker.received(43, stream: "s", position: 43, at: start)
        _ = tracker.due(at: start + .seconds(1))
        #expect(say(tracker.received(42, stream: "s", position: 42, at: start)) == "apply [42, 43]")
        #expect(tracker.repaired("s", to: 42, at: start) == [])
        #expect(tracker.position(of: "s") == 43 && !tracker.hasGaps)
    }

    @Test("A stream that is not followed is unknown, and streams are independent")
    func streams() {
        var tracker = following(at: 1)
        #expect(say(tracker.received(2, stream: "other", position: 2, at: start)) == "unknown")
        #expect(say(tracker.received(2, stream: "s", position: 2, at: start)) == "apply [2]")
        tracker.forget("s")
        #expect(tracker.position(of: "s") == nil)
    }

    @Test("A changed epoch means starting over; the first one does not")
    func epoch() {
        var tracker = following(at: 41)
        let isOther = ["a", "a", "b"].map { tracker.enter(epoch: $0) }
        #expect(isOther == [false, false, true])
        #expect(tracker.position(of: "s") == nil && tracker.epoch == "b")
    }

    @Test("The number of held Updates is limited, and the repair brings the rest")
    func bounded() {
        var tracker = StreamTracker<Int64>(heldMax: 10)
        tracker.start("s", at: 0)
        for position in Int64(2)...100 { _ = tracker.received(position, stream: "s", position: position, at: start) }
        #expect(tracker.due(at: start + .seconds(1)) == [.init(stream: "s", since: 0)])
        _ = tracker.repaired("s", to: 100, at: start)
        #expect(tracker.position(of: "s") == 100 && !tracker.hasGaps)
    }
}
