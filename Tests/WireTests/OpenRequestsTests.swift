import Testing

@testable import Wire

struct OpenRequestsTests {
    @Test("each request ends once; its slot is reused, and an old ticket is invalid")
    func close() {
        var open = OpenRequests<String>()
        let first = open.open("a")
        let second = open.open("b")
        #expect(open.count == 2)
        #expect(open.close(first)?.origin == "a")
        #expect(open.close(first) == nil)
        let third = open.open("c")
        #expect(third != first)
        #expect(open.markAnswered(first) == nil)
        #expect(open.close(first) == nil)
        #expect(open.close(third)?.origin == "c")
        #expect(open.close(second)?.origin == "b")
        #expect(open.count == 0)
    }

    @Test("a request that was answered for its handler stays open until the handler ends, and is answered once")
    func markAnswered() {
        var open = OpenRequests<String>()
        let ticket = open.open("a")
        #expect(open.markAnswered(ticket) == "a")
        #expect(open.markAnswered(ticket) == nil)
        #expect(open.count == 1)
        let answered = open.close(ticket)
        #expect(answered?.isAnswered == true)
        let next = open.open("b")
        let unanswered = open.close(next)
        #expect(unanswered?.isAnswered == false)
        #expect(open.markAnswered(next) == nil)
    }
}

struct DeadlineBucketsTests {
    private let start = ContinuousClock.now
    private func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    @Test("no token is due early, or later than the width of a bucket")
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

    @Test("a token due earlier than the others comes out first")
    func earlier() {
        var buckets = DeadlineBuckets<Int>(width: .milliseconds(25), start: start)
        buckets.add(1, due: at(500))
        buckets.add(2, due: at(100))
        #expect(buckets.next == at(125))
        #expect(buckets.due(at: at(10_000)) == [2, 1])
    }
}
