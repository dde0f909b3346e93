/// What waits to be committed on one lane: one batch at a time, the rest collects meanwhile (group commit).
///
/// Pure: it decides what goes when; ``SendLane`` does it. Order within a conversation is kept always. A conversation
/// whose head another session holds is set aside for a while and delays nobody else.
struct BatchQueue<Item> {
    /// A conversation set aside, with what waits for it.
    private struct Held {
        var items: [Item]
        var until: ContinuousClock.Instant
    }

    private let conversation: (Item) -> Int64
    private let batchLimit: Int
    private let limit: Int
    private var waiting: [Item] = []
    private var held: [Int64: Held] = [:]
    /// How long each conversation that is or was just set aside had to wait last.
    private var waits: [Int64: Duration] = [:]
    private(set) var isInFlight = false
    private(set) var count = 0

    /// - Parameters:
    ///   - batchLimit: at most so many items a batch.
    ///   - limit: at most so many wait; beyond that new ones are refused.
    init(batchLimit: Int, limit: Int, conversation: @escaping (Item) -> Int64) {
        self.batchLimit = batchLimit
        self.limit = limit
        self.conversation = conversation
    }

    /// - Returns: false when the queue is full; the item was not taken.
    mutating func add(_ item: Item) -> Bool {
        guard count < limit else { return false }
        count += 1
        if held[conversation(item)] != nil {
            held[conversation(item)]?.items.append(item)
        } else {
            waiting.append(item)
        }
        return true
    }

    /// The next batch, or nil while one is in flight or nothing may go. It is in flight until
    /// ``finished(batch:notLocked:at:)``.
    mutating func next(at now: ContinuousClock.Instant) -> [Item]? {
        guard !isInFlight else { return nil }
        release(at: now)
        guard !waiting.isEmpty else { return nil }
        isInFlight = true
        let batch = Array(waiting.prefix(batchLimit))
        waiting.removeFirst(batch.count)
        return batch
    }

    /// The batch in flight came to its end.
    /// - Parameter notLocked: its items whose conversation's head was held elsewhere, in their order.
    mutating func finished(batch: [Item], notLocked: [Item], at now: ContinuousClock.Instant) {
        isInFlight = false
        count -= batch.count - notLocked.count
        let stuck = Set(notLocked.map(conversation))
        if !waits.isEmpty {
            for number in Set(batch.map(conversation)) where !stuck.contains(number) { waits[number] = nil }
        }
        guard !notLocked.isEmpty else { return }
        for number in stuck {
            // A little longer each time; at most as long as a lock may be held anyway.
            let wait = min((waits[number] ?? .milliseconds(1)) * 2, .milliseconds(100))
            waits[number] = wait
            held[number] = Held(items: [], until: now + wait)
        }
        for item in notLocked { held[conversation(item)]?.items.append(item) }
        let behind = waiting
        waiting = []
        for item in behind {
            if held[conversation(item)] != nil {
                held[conversation(item)]?.items.append(item)
            } else {
                waiting.append(item)
            }
        }
    }

    /// When a set-aside conversation may be tried again, if one is.
    var nextRetry: ContinuousClock.Instant? { held.values.map(\.until).min() }

    /// Takes out, in order, all items for which `isDoomed` holds and that are not in flight.
    mutating func remove(where isDoomed: (Item) -> Bool) -> [Item] {
        var removed: [Item] = []
        if waiting.contains(where: isDoomed) {
            removed = waiting.filter(isDoomed)
            waiting.removeAll(where: isDoomed)
        }
        for number in held.keys {
            removed += held[number]?.items.filter(isDoomed) ?? []
            held[number]?.items.removeAll(where: isDoomed)
            if held[number]?.items.isEmpty ?? false { (held[number], waits[number]) = (nil, nil) }
        }
        count -= removed.count
        return removed
    }

    private mutating func release(at now: ContinuousClock.Instant) {
        guard !held.isEmpty else { return }
        for (number, conversation) in held where conversation.until <= now {
            held[number] = nil
            waiting.insert(contentsOf: conversation.items, at: 0)
        }
    }
}
