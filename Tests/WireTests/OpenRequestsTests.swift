import Testing

@testable import Wire

struct OpenRequestsTests {
    @Test("each request ends once; its place is used again, and an old ticket is nobody's")
    func close() {
        var open = OpenRequests<String>()
        let first = open.open("a")
        let second = open.open("b")
        #expect(open.count == 2)
        #expect(open.close(first)?.origin == "a")
        #expect(open.close(first) == nil)
        let third = open.open("c")
        #expect(third != first)
        #expect(open.tell(first) == nil)
        #expect(open.close(first) == nil)
        #expect(open.close(third)?.origin == "c")
        #expect(open.close(second)?.origin == "b")
        #expect(open.count == 0)
    }

    @Test("one whose caller was told stays open until its handler ends, and is told once")
    func tell() {
        var open = OpenRequests<String>()
        let ticket = open.open("a")
        #expect(open.tell(ticket) == "a")
        #expect(open.tell(ticket) == nil)
        #expect(open.count == 1)
        let told = open.close(ticket)
        #expect(told?.isAnswered == true)
        let next = open.open("b")
        let untold = open.close(next)
        #expect(untold?.isAnswered == false)
        #expect(open.tell(next) == nil)
    }
}

struct DeadlineBucketsTests {
    private let start = ContinuousClock.now
    private func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    @Test("nothing is due early, and nothing later than the width of a bucket")
    func width() {
        var buckets = DeadlineBuckets<Int>(width: .milliseconds(250), start: start)
        #expect(buckets.next == nil)
        for (token, due) in [(1, 600), (2, 0), (3, 249), (4, 250), (5, 1_000_000), (6, -10)] {
            buckets.add(token, due: at(due))
        }
        #expect(buckets.next == at(250))
        #expect(buckets.due(at: at(249)) == [])
        #expect(buckets.due(at: at(250)) == [2, 3, 6])
        #expect(buckets.next == at(500))
        #expect(buckets.due(at: at(750)) == [4, 1])
        #expect(buckets.due(at: at(999_999)) == [])
        #expect(buckets.due(at: at(1_000_250)) == [5])
        #expect(buckets.next == nil)
    }

    @Test("what is added earlier than the rest comes out first")
    func earlier() {
        var buckets = DeadlineBuckets<Int>(width: .milliseconds(25), start: start)
        buckets.add(1, due: at(500))
        buckets.add(2, due: at(100))
        #expect(buckets.next == at(125))
        #expect(buckets.due(at: at(10_000)) == [2, 1])
    }
}
