import Reactor
import Schema
import TestSupport
import Testing
import Wire

@testable import ServiceKit

@Suite("Following a journal by what is heard", .serialized, .timeLimit(.minutes(8)))
@ReactorActor
struct JournalHearingTests {
    /// Passes on what a scene publishes, except some of it.
    @ReactorActor
    private final class LossyLink {
        let endpoint: String
        private let subscriber: UpdateSubscriber
        private let publisher: UpdatePublisher
        private(set) var dropped = 0

        init(_ scene: JournalScene, dropsEvery nth: Int) async throws {
            endpoint = scene.newEndpoint()
            publisher = UpdatePublisher(endpoint: endpoint, log: quiet)
            try publisher.start()
            subscriber = UpdateSubscriber(endpoints: [scene.endpoint], log: quiet)
            var count = 0
            try subscriber.start { [unowned self] header, body in
                if header.lane != 0 { count += 1 }
                if header.lane != 0, count % nth == 0 { return dropped += 1 }
                publisher.publish(header, body)
            }
            try await eventually { self.subscriber.isConnected }
        }

        isolated deinit {
            subscriber.close()
            publisher.close()
        }
    }

    /// Hears an endpoint, and finds an effect in every so many entries.
    private func hearing(_ endpoint: String, wantsEvery nth: Int64) async throws -> JournalHearing {
        let subscriber = UpdateSubscriber(endpoints: [endpoint], log: quiet)
        return JournalHearing(subscriber, kinds: [], log: quiet) { updates in
            updates.map { $0.header.number % nth == 0 }
        }
    }

    /// Commits notes until one takes no effect although the cursor has passed it. So it was heard, and the entries that
    /// are tried alone at the start are behind it.
    private func settle(_ scene: FollowScene) async throws {
        try await eventually {
            try await scene.note(9)
            let last = try await scene.source.number("SELECT number FROM conversations.lanes WHERE lane = 1")
            try await eventually { try await scene.isDone(last) }
            return try await scene.effects().filter { $0 > last - 9 }.count <= 1
        }
    }

    @Test(
        "entries without an effect are not read, and the cursor passes them; those with one take effect once, in order")
    func heard() async throws {
        let scene = try await FollowScene()
        let hearing = try await hearing(scene.source.endpoint, wantsEvery: 10)
        try await scene.follow(hearing: hearing)
        // What is heard more than a look late may be read, as when the machine stands still for a second.
        var wereRead: [Int64] = []
        for _ in 1...5 {
            try await settle(scene)
            let begin = try await scene.source.number("SELECT number FROM conversations.lanes WHERE lane = 1")
            for _ in 0..<50 { try await scene.note(7) }
            try await eventually { try await scene.isDone(begin + 350) }
            let effects = try await scene.effects().filter { $0 > begin }
            #expect(effects == effects.sorted() && Set(effects).count == effects.count)
            #expect(effects.filter { $0 % 10 == 0 } == (begin + 1...begin + 350).filter { $0 % 10 == 0 })
            wereRead = effects.filter { $0 % 10 != 0 }
            if wereRead.isEmpty { return }
        }
        Issue.record("entries without an effect were read five times: \(wereRead)")
    }

    @Test("what is lost on the way is read from the journal: everything takes effect once, by two replicas, too")
    func lossy() async throws {
        let scene = try await FollowScene()
        let link = try await LossyLink(scene.source, dropsEvery: 31)
        for _ in 0..<2 { try await scene.follow(hearing: try await hearing(link.endpoint, wantsEvery: 1)) }
        for _ in 0..<200 {
            try await scene.note(Int.random(in: 1...5))
            try await Reactor.shared.sleep(for: .milliseconds(Int64.random(in: 0...20)))
        }
        let total = try await scene.source.number("SELECT sum(number) FROM conversations.lanes")
        try await eventually { try await scene.isDone(total) }
        try await scene.checkOnce()
        #expect(link.dropped > 0)
    }

    @Test("without a publisher the journal is read")
    func unheard() async throws {
        let scene = try await FollowScene()
        try await scene.follow(hearing: try await hearing(scene.source.newEndpoint(), wantsEvery: 1_000_000))
        try await scene.note(5)
        try await eventually { try await scene.isDone(5) }
        try await scene.checkOnce()
    }
}

@Suite("The numbers of a lane that were heard")
struct HeardLaneTests {
    @Test("a run has what is consecutive; a gap begins a new one; what comes again or late is not judged")
    func runs() {
        var lane = HeardLane(5)
        lane.judge(5, isWanted: true)
        #expect(lane.hear(6) && !lane.hear(6) && !lane.hear(4))
        lane.judge(6, isWanted: false)
        #expect(lane.covers(after: 4) && lane.covers(after: 5) && !lane.covers(after: 3) && !lane.covers(after: 6))
        #expect(lane.wanted(after: 4, limit: 9) == [5] && lane.wanted(after: 5, limit: 9) == [])
        #expect(lane.hear(9) && lane.first == 9 && lane.judged == 8)
        // Of the run before, or not heard.
        lane.judge(7, isWanted: true)
        lane.judge(10, isWanted: true)
        #expect(lane.judged == 8)
        lane.judge(9, isWanted: true)
        lane.forget(through: 9)
        #expect(lane.judged == 9 && lane.wanted(after: 8, limit: 9) == [])
    }

    @Test("when too many wait, the run begins anew behind them")
    func bounded() {
        var lane = HeardLane(1)
        let count = Int64(HeardLane.wantedMax)
        for number in 1...count + 1 {
            _ = lane.hear(number)
            lane.judge(number, isWanted: true)
        }
        #expect(lane.first == count + 2 && !lane.covers(after: 0))
    }

    @Test("a follower reads the journal when it must: before anything is heard, behind a gap, and for what never came")
    func steps() {
        var follower = FollowedLane()
        follower.caughtUp()
        follower.looked(done: 4, committed: 9)
        #expect(follower.step(nil) == .read && follower.step(HeardLane(8)) == .read)
        var heard = HeardLane(5)
        #expect(follower.step(heard) == nil, "the rest may be under way")
        for number in 5...Int64(7) {
            _ = heard.hear(number)
            heard.judge(number, isWanted: number == 6)
        }
        #expect(follower.step(heard) == .heard([6], through: 7))
        follower.succeeded(1, through: 7)
        #expect(follower.step(heard) == nil)
        follower.looked(done: 7, committed: 9)
        #expect(follower.step(heard) == .read, "9 was committed a look ago")
    }
}
