/// A queue in which the people who wait have turns: what one puts in keeps its order, and holds up others by one place
/// each. Pure.
struct FairQueue<Element> {
    /// What waits, by whose it is. None is empty.
    private var waiting: [Int64: [Element]] = [:]
    /// Whose turn it is, the next first.
    private var turns: [Int64] = []
    private(set) var count = 0

    /// How many of one person wait.
    func count(of key: Int64) -> Int { waiting[key]?.count ?? 0 }

    mutating func append(_ element: Element, of key: Int64) {
        if waiting[key] == nil { turns.append(key) }
        waiting[key, default: []].append(element)
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard let key = turns.first, var own = waiting[key] else { return nil }
        turns.removeFirst()
        let element = own.removeFirst()
        count -= 1
        if own.isEmpty {
            waiting[key] = nil
        } else {
            waiting[key] = own
            turns.append(key)
        }
        return element
    }
}
