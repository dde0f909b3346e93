import Testing

@testable import Reactor

struct TimerQueueTests {
    @ReactorActor
    private final class Fired {
        var order: [Int] = []
        nonisolated init() {}
    }

    private let start = ContinuousClock.now
    private let fired = Fired()

    private func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    @ReactorActor
    private func fireAll(_ queue: inout TimerQueue, at now: ContinuousClock.Instant) {
        while let action = queue.popDue(at: now) { action() }
    }

    @Test("timers fire in the order of their deadlines, regardless of the order in which they were added")
    @ReactorActor
    func order() {
        var queue = TimerQueue()
        for deadline in (0..<500).shuffled() { _ = queue.add(at: at(deadline)) { fired.order.append(deadline) } }
        fireAll(&queue, at: at(1000))
        #expect(fired.order == Array(0..<500))
        #expect(queue.next == nil)
    }

    @Test("timers with the same deadline fire in the order in which they were added")
    @ReactorActor
    func ties() {
        var queue = TimerQueue()
        for number in 0..<100 { _ = queue.add(at: at(7)) { fired.order.append(number) } }
        fireAll(&queue, at: at(7))
        #expect(fired.order == Array(0..<100))
    }

    @Test("a timer that is not due yet stays, and is the next deadline")
    @ReactorActor
    func notDue() {
        var queue = TimerQueue()
        _ = queue.add(at: at(20)) { fired.order.append(20) }
        _ = queue.add(at: at(10)) { fired.order.append(10) }
        fireAll(&queue, at: at(10))
        #expect(fired.order == [10])
        #expect(queue.next == at(20))
    }

    @Test("cancelled timers never fire, even if they are many, and the others keep their order")
    @ReactorActor
    func heavyCancellation() {
        var queue = TimerQueue()
        var expected: [Int] = []
        var ids: [(Int, UInt64)] = []
        for deadline in (0..<20_000).shuffled() {
            ids.append((deadline, queue.add(at: at(deadline)) { fired.order.append(deadline) }))
        }
        for (deadline, id) in ids.shuffled() {
            if deadline % 10 == 0 { expected.append(deadline) } else { queue.cancel(id) }
        }
        fireAll(&queue, at: at(20_000))
        #expect(fired.order == expected.sorted())
    }

    @Test("cancelling a timer twice, after it fired, or with an unknown id changes nothing")
    @ReactorActor
    func cancelTwice() {
        var queue = TimerQueue()
        let first = queue.add(at: at(1)) { fired.order.append(1) }
        let second = queue.add(at: at(2)) { fired.order.append(2) }
        queue.cancel(first)
        queue.cancel(first)
        fireAll(&queue, at: at(5))
        queue.cancel(second)
        queue.cancel(4711)
        #expect(fired.order == [2])
        #expect(queue.popDue(at: at(100)) == nil)
    }
}
