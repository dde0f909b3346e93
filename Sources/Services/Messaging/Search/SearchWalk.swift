/// A message found, as its sort key. The newest comes first.
struct SearchHit: Comparable, Sendable {
    var sentAt: Int64
    var conversation: Int64
    var seq: Int64

    static let newest = SearchHit(sentAt: .max, conversation: .max, seq: .max)

    static func < (one: SearchHit, other: SearchHit) -> Bool {
        (one.sentAt, one.conversation, one.seq) < (other.sentAt, other.conversation, other.seq)
    }
}

/// A range of a conversation searched in one step: part of one block of seqs.
struct SearchUnit: Equatable, Sendable {
    /// Seqs of one block share all bits above the lowest `blockBits`.
    static let blockBits: Int64 = 12

    var conversation: Int64
    var low: Int64
    var high: Int64
    /// An upper bound of its messages' send times.
    var newestAt: Int64
    /// A lower bound of its messages' send times.
    var oldestAt: Int64

    /// The prefix of its words in the index.
    var prefix: String { Self.prefix(conversation: conversation, seq: high) }

    static func prefix(conversation: Int64, seq: Int64) -> String {
        String(conversation, radix: 16) + "." + String(seq >> blockBits, radix: 16) + "."
    }

    /// Returns the ranges of a conversation's readable window, newest first.
    /// - Parameters:
    ///   - newestAt: when its newest message was sent, or later.
    ///   - ends: when the last message of each block below that of `high` was sent, newest block first.
    static func units(
        of conversation: Int64, low: Int64, high: Int64, newestAt: Int64, ends: [Int64]
    ) -> [SearchUnit] {
        guard low <= high else { return [] }
        let (newest, oldest) = (high >> blockBits, low >> blockBits)
        return (0...(newest - oldest)).map { below in
            let block = newest - below
            return SearchUnit(
                conversation: conversation, low: max(low, block << blockBits),
                high: min(high, ((block + 1) << blockBits) - 1),
                newestAt: later(below == 0 ? newestAt : ends.at(below - 1) ?? .max, by: slack),
                oldestAt: ends.at(below).map { later($0, by: -slack) } ?? 0)
        }
    }

    /// The tolerance in µs, because replicas' clocks differ and inbox rows are touched only every 10 s.
    private static let slack: Int64 = 30_000_000

    private static func later(_ time: Int64, by: Int64) -> Int64 {
        let (sum, overflows) = time.addingReportingOverflow(by)
        return overflows ? .max : sum
    }
}

extension [Int64] {
    fileprivate func at(_ index: Int64) -> Int64? { index < count ? self[Int(index)] : nil }
}

/// Plans a search for the newest messages that contain some words: the ranges to search next, and when to stop. Pure.
///
/// Conversations are loaded in order of their latest news. The hits are final once nothing still unsearched can be
/// newer.
struct SearchWalk {
    enum Step: Equatable {
        /// Load the next conversations.
        case load
        /// Search these ranges.
        case search([SearchUnit])
        case done
    }

    /// The newest hits in order, at most `wanted`.
    private(set) var hits: [SearchHit] = []
    private let wanted: Int
    private let before: SearchHit
    private let after: Int64
    /// Ranges not searched yet; those with the newest messages come last.
    private var units: [SearchUnit] = []
    /// An upper bound of the send times in conversations not loaded yet; nil once all are loaded.
    private var unloaded: Int64?
    private var size = 8
    private static let sizeMax = 64

    /// - Parameters:
    ///   - wanted: how many hits are enough.
    ///   - before: hits must come after this one in the order of the results.
    ///   - after: messages must have been sent at this time or later.
    init(wanted: Int, before: SearchHit, after: Int64) {
        (self.wanted, self.before, self.after) = (wanted, before, after)
        unloaded = .max
    }

    /// Adds the ranges of the next conversations.
    /// - Parameter upTo: an upper bound of the send times in conversations not loaded yet; nil if there are none.
    mutating func addUnits(_ more: [SearchUnit], upTo: Int64?) {
        units += more.filter { $0.newestAt >= after && $0.oldestAt <= before.sentAt }
        units.sort { $0.newestAt < $1.newestAt }
        unloaded = upTo.flatMap { $0 < after ? nil : $0 }
    }

    mutating func addHits(_ more: [SearchHit]) {
        hits = Array((hits + more.filter { $0 < before }).sorted(by: >).prefix(wanted))
    }

    mutating func next() -> Step {
        let newest = max(units.last?.newestAt ?? .min, unloaded ?? .min)
        if units.isEmpty, unloaded == nil { return .done }
        if hits.count == wanted, let last = hits.last, last.sentAt > newest { return .done }
        if let unloaded, unloaded >= units.last?.newestAt ?? .min { return .load }
        let taken = Array(units.suffix(size).reversed())
        units.removeLast(taken.count)
        size = min(size * 2, Self.sizeMax)
        return .search(taken)
    }
}
