import Testing

@testable import Wire

struct InFlightTests {
    private let start = ContinuousClock.now
    private func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    @Test("an answered request comes out once; an unknown id has none")
    func complete() {
        var inFlight = InFlight<String>(limit: 10)
        inFlight.begin(1, deadline: at(10), "a")
        inFlight.begin(2, deadline: at(10), "b")
        #expect(inFlight.complete(2) == "b")
        #expect(inFlight.complete(2) == nil)
        #expect(inFlight.complete(3) == nil)
        #expect(inFlight.count == 1)
    }

    @Test("requests that are due come out, oldest first; a later answer finds none")
    func expired() {
        var inFlight = InFlight<Int>(limit: 10)
        for (id, deadline) in [(1, 30), (2, 10), (3, 20), (4, 10)] {
            inFlight.begin(UInt64(id), deadline: at(deadline), id)
        }
        #expect(inFlight.expired(at: at(9)) == [])
        #expect(inFlight.expired(at: at(10)) == [2, 4])
        #expect(inFlight.complete(2) == nil)
        #expect(inFlight.expired(at: at(10)) == [])
        #expect(inFlight.complete(3) == 3)
        #expect(inFlight.expired(at: at(29)) == [])
        #expect(inFlight.expired(at: at(1000)) == [1])
        #expect(inFlight.isEmpty)
    }

    @Test("a request begun after a sweep, with an earlier deadline than the others, is due in time")
    func earlierLater() {
        var inFlight = InFlight<Int>(limit: 10)
        inFlight.begin(1, deadline: at(10), 1)
        inFlight.begin(2, deadline: at(100), 2)
        #expect(inFlight.expired(at: at(10)) == [1])
        inFlight.begin(3, deadline: at(50), 3)
        #expect(inFlight.expired(at: at(50)) == [3])
        #expect(inFlight.expired(at: at(100)) == [2])
    }

    @Test("when the replica is lost, all requests come out, oldest first, and none twice")
    func lost() {
        var inFlight = InFlight<Int>(limit: 10)
        for id in [3, 1, 2] { inFlight.begin(UInt64(id), deadline: at(id), id) }
        #expect(inFlight.lost() == [1, 2, 3])
        #expect(inFlight.lost() == [])
        #expect(inFlight.expired(at: at(1000)) == [])
        inFlight.begin(4, deadline: at(5), 4)
        #expect(inFlight.expired(at: at(5)) == [4])
    }

    @Test("the set is full at its limit, and has room again after an answer")
    func full() {
        var inFlight = InFlight<Int>(limit: 2)
        inFlight.begin(1, deadline: at(1), 1)
        #expect(!inFlight.isFull)
        inFlight.begin(2, deadline: at(1), 2)
        #expect(inFlight.isFull)
        _ = inFlight.complete(1)
        #expect(!inFlight.isFull)
    }
}
