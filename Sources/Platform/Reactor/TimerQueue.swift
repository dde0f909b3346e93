/// Deadlines in a binary heap. Cancelled entries are dropped when they reach the front or outnumber the others.
struct TimerQueue {
    struct Entry {
        var deadline: ContinuousClock.Instant
        var id: UInt64
        var action: @ReactorActor () -> Void

        /// Orders entries by deadline. Equal deadlines keep the order in which they were added.
        func isBefore(_ other: Entry) -> Bool {
            deadline == other.deadline ? id < other.id : deadline < other.deadline
        }
    }

    private var heap: [Entry] = []
    private var live: Set<UInt64> = []
    private var lastID: UInt64 = 0

    /// The next deadline, which may be that of a cancelled entry; nil when the queue is empty.
    var next: ContinuousClock.Instant? { heap.first?.deadline }

    mutating func add(at deadline: ContinuousClock.Instant, _ action: @escaping @ReactorActor () -> Void) -> UInt64 {
        lastID += 1
        live.insert(lastID)
        heap.append(Entry(deadline: deadline, id: lastID, action: action))
        siftUp(heap.count - 1)
        return lastID
    }

    mutating func cancel(_ id: UInt64) {
        live.remove(id)
        if heap.count > 64, live.count < heap.count / 2 { compact() }
    }

    /// Removes the first entry that is due at `now` and returns its action, or nil.
    mutating func popDue(at now: ContinuousClock.Instant) -> (@ReactorActor () -> Void)? {
        while let first = heap.first, first.deadline <= now || !live.contains(first.id) {
            removeFirst()
            if live.remove(first.id) != nil { return first.action }
        }
        return nil
    }

    private mutating func compact() {
        heap.removeAll { !live.contains($0.id) }
        heap.sort { $0.isBefore($1) }
    }

    private mutating func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].isBefore(heap[smallest]) {
                smallest = child
            }
            if smallest == parent { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            if heap[parent].isBefore(heap[child]) { return }
            heap.swapAt(parent, child)
            child = parent
        }
    }
}
