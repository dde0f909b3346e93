import Schema

/// A message found, as its sort key. The newest comes first.
struct SearchHit: Comparable, Sendable {
    var sentAt: Timestamp
    var conversation: ConversationNumber
    var seq: Seq

    static let newest = SearchHit(sentAt: .max, conversation: .max, seq: .max)

    static func < (one: SearchHit, other: SearchHit) -> Bool {
        (one.sentAt, one.conversation, one.seq) < (other.sentAt, other.conversation, other.seq)
    }
}

/// A range of a conversation searched in one step: part of one block of seqs.
struct SearchUnit: Equatable, Sendable {
    /// Seqs of one block share all bits above the lowest `blockBits`.
    static let blockBits: Int64 = 12

    var conversation: ConversationNumber
    var low: Seq
    var high: Seq
    /// An upper bound of its messages' send times.
    var newestAt: Timestamp
    /// A lower bound of its messages' send times.
    var oldestAt: Timestamp

    /// The prefix of its words in the index.
    var prefix: String { Self.prefix(conversation: conversation, seq: high) }

    static func prefix(conversation: ConversationNumber, seq: Seq) -> String {
        String(conversation.rawValue, radix: 16) + "." + String(seq.rawValue >> blockBits, radix: 16) + "."
    }

    /// Returns the ranges of a conversation's readable window, newest first.
    /// - Parameters:
    ///   - newestAt: when its newest message was sent, or later.
    ///   - ends: when the last message of each block below that of `high` was sent, newest block first.
    static func units(
        of conversation: ConversationNumber, low: Seq, high: Seq, newestAt: Timestamp, ends: [Timestamp]
    ) -> [SearchUnit] {
        guard low <= high else { return [] }
        let (newest, oldest) = (high.rawValue >> blockBits, low.rawValue >> blockBits)
        return (0...(newest - oldest)).map { below in
            let block = newest - below
            return SearchUnit(
                conversation: conversation, low: max(low, Seq(block << blockBits)),
                high: min(high, Seq(((block + 1) << blockBits) - 1)),
                newestAt: later(below == 0 ? newestAt : ends.at(below - 1) ?? .max, by: slack),
                oldestAt: ends.at(below).map { later($0, by: .zero - slack) } ?? 0)
        }
    }

    /// The tolerance, because replicas' clocks differ and inbox rows are touched only every 10 s.
    private static let slack: Duration = .seconds(30)

    private static func later(_ time: Timestamp, by duration: Duration) -> Timestamp {
        let (sum, overflows) = time.rawValue.addingReportingOverflow(duration.microseconds)
        return overflows ? .max : Timestamp(sum)
    }
}

extension [Timestamp] {
    fileprivate func at(_ index: Int64) -> Timestamp? { index < count ? self[Int(index)] : nil }
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
    private let after: Timestamp
    /// Ranges not searched yet; those with the newest messages come last.
    private var units: [SearchUnit] = []
    /// An upper bound of the send times in conversations not loaded yet; nil once all are loaded.
    private var unloaded: Timestamp?
    private var size = 8
    private static let sizeMax = 64

    /// - Parameters:
    ///   - wanted: how many hits are enough.
    ///   - before: hits must come after this one in the order of the results.
    ///   - after: messages must have been sent at this time or later.
    init(wanted: Int, before: SearchHit, after: Timestamp) {
        (self.wanted, self.before, self.after) = (wanted, before, after)
        unloaded = .max
    }

    /// Adds the ranges of the next conversations.
    /// - Parameter upTo: an upper bound of the send times in conversations not loaded yet; nil if there are none.
    mutating func addUnits(_ more: [SearchUnit], upTo: Timestamp?) {
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
