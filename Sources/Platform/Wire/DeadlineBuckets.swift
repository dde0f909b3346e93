/// Tokens with deadlines, grouped into buckets of time. Adding one is an append, and each bucket is read only once. No
/// token is due early, or more than a bucket's width late.
struct DeadlineBuckets<Token> {
    let width: Duration
    private let start: ContinuousClock.Instant
    private var buckets: [Int64: [Token]] = [:]
    /// The first bucket, if any.
    private var first: Int64?

    init(width: Duration, start: ContinuousClock.Instant) {
        self.width = width
        self.start = start
    }

    /// When the next bucket is due, or nil if there is none.
    var next: ContinuousClock.Instant? { first.map { start + width * ($0 + 1) } }

    mutating func add(_ token: Token, due: ContinuousClock.Instant) {
        let index = max(0, Int64((due - start) / width))
        buckets[index, default: []].append(token)
        first = min(first ?? index, index)
    }

    /// Removes the buckets that are due and returns their tokens, those of the earliest first.
    mutating func due(at now: ContinuousClock.Instant) -> [Token] {
        var tokens: [Token] = []
        while let next, next <= now, let index = first {
            tokens += buckets.removeValue(forKey: index) ?? []
            first = buckets.keys.min()
        }
        return tokens
    }
}
