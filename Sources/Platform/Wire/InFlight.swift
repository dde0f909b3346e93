/// A bounded set of unanswered requests, each with a deadline. Every token that goes in comes out once.
struct InFlight<Token> {
    private struct Entry {
        var deadline: ContinuousClock.Instant
        var token: Token
    }

    let limit: Int
    private var entries: [UInt64: Entry] = [:]
    /// No deadline is before this one.
    private var earliest: ContinuousClock.Instant?

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }
    var isFull: Bool { entries.count >= limit }

    /// Adds a request. There must be room (``isFull``), and `id` must be new.
    mutating func begin(_ id: UInt64, deadline: ContinuousClock.Instant, _ token: Token) {
        precondition(!isFull)
        let before = entries.updateValue(Entry(deadline: deadline, token: token), forKey: id)
        precondition(before == nil, "a request id was used twice")
        earliest = min(earliest ?? deadline, deadline)
    }

    /// Removes an answered request. Returns its token, or nil if no request with this id is waiting.
    mutating func complete(_ id: UInt64) -> Token? {
        entries.removeValue(forKey: id)?.token
    }

    /// Removes all requests, since their replica is gone. Returns the tokens, oldest first.
    mutating func lost() -> [Token] {
        defer {
            entries = [:]
            earliest = nil
        }
        return entries.sorted { $0.key < $1.key }.map(\.value.token)
    }

    /// Removes the requests whose deadline is not after `now`. Returns the tokens, oldest first. Cheap while none can
    /// be due.
    mutating func expired(at now: ContinuousClock.Instant) -> [Token] {
        guard let earliest, earliest <= now else { return [] }
        let due = entries.filter { $0.value.deadline <= now }.sorted { $0.key < $1.key }
        for (id, _) in due { entries.removeValue(forKey: id) }
        self.earliest = entries.values.lazy.map(\.deadline).min()
        return due.map(\.value.token)
    }
}
