/// The items waiting to be committed on one lane. One batch is in flight at a time; items that arrive meanwhile form
/// the next one (group commit).
///
/// Pure: it decides what goes when, and ``BatchLane`` does it. The order within a conversation is always kept. A
/// conversation whose head another transaction has locked is set aside for a while and does not delay the others.
struct BatchQueue<Item> {
    /// The waiting items of a conversation that is set aside.
    private struct Held {
        var items: [Item]
        var until: ContinuousClock.Instant
    }

    private let order: (Item) -> Int64
    private let batchLimit: Int
    private let limit: Int
    private var waiting: [Item] = []
    private var held: [Int64: Held] = [:]
    /// The last waiting time of each conversation that is set aside or was just now.
    private var waits: [Int64: Duration] = [:]
    private(set) var isInFlight = false
    private(set) var count = 0

    /// - Parameters:
    ///   - batchLimit: the maximum number of items in a batch.
    ///   - limit: the maximum number of items waiting or in flight. Beyond it, new items are refused.
    ///   - order: the number of an item's conversation or account.
    init(batchLimit: Int, limit: Int, order: @escaping (Item) -> Int64) {
        self.batchLimit = batchLimit
        self.limit = limit
        self.order = order
    }

    /// - Returns: false if the queue is full and the item was not added.
    mutating func add(_ item: Item) -> Bool {
        guard count < limit else { return false }
        count += 1
        if held[order(item)] != nil {
            held[order(item)]?.items.append(item)
        } else {
            waiting.append(item)
        }
        return true
    }

    /// Returns the next batch, or nil if one is in flight or no item is ready. The batch is in flight until
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

    /// Ends the batch in flight.
    /// - Parameter notLocked: its items whose conversation's head was locked elsewhere, in order.
    mutating func finished(batch: [Item], notLocked: [Item], at now: ContinuousClock.Instant) {
        isInFlight = false
        count -= batch.count - notLocked.count
        let stuck = Set(notLocked.map(order))
        if !waits.isEmpty {
            for number in Set(batch.map(order)) where !stuck.contains(number) { waits[number] = nil }
        }
        guard !notLocked.isEmpty else { return }
        for number in stuck {
            // Wait twice as long each time, up to 100 ms, the longest time that a lock may be held.
            let wait = min((waits[number] ?? .milliseconds(1)) * 2, .milliseconds(100))
            waits[number] = wait
            held[number] = Held(items: [], until: now + wait)
        }
        for item in notLocked { held[order(item)]?.items.append(item) }
        let behind = waiting
        waiting = []
        for item in behind {
            if held[order(item)] != nil {
                held[order(item)]?.items.append(item)
            } else {
                waiting.append(item)
            }
        }
    }

    /// When to retry the next conversation that is set aside; nil if there is none.
    var nextRetry: ContinuousClock.Instant? { held.values.map(\.until).min() }

    /// Removes and returns, in order, all items that match `isDoomed` and are not in flight.
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
