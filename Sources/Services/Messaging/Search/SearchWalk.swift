/// A message found, by where it stands in the order of what is found: the newest first.
struct SearchHit: Comparable, Sendable {
    var sentAt: Int64
    var conversation: Int64
    var seq: Int64

    static let newest = SearchHit(sentAt: .max, conversation: .max, seq: .max)

    static func < (one: SearchHit, other: SearchHit) -> Bool {
        (one.sentAt, one.conversation, one.seq) < (other.sentAt, other.conversation, other.seq)
    }
}

/// A stretch of a conversation that is searched at once: part of one block of seqs.
struct SearchUnit: Equatable, Sendable {
    /// Seqs of one block have all bits above these in common.
    static let blockBits: Int64 = 12

    var conversation: Int64
    var low: Int64
    var high: Int64
    /// Nothing in it was sent later.
    var newestAt: Int64
    /// Nothing in it was sent earlier.
    var oldestAt: Int64

    /// What stands before its words in the index.
    var prefix: String { Self.prefix(conversation: conversation, seq: high) }

    static func prefix(conversation: Int64, seq: Int64) -> String {
        String(conversation, radix: 16) + "." + String(seq >> blockBits, radix: 16) + "."
    }

    /// The stretches of what somebody may read of a conversation, newest first.
    /// - Parameters:
    ///   - newestAt: when its newest message was sent, or later.
    ///   - ends: of each block below that of `high`, newest first, when its last message was sent.
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

    /// Clocks of replicas differ, and rows of the inbox are touched every 10 s only (µs).
    private static let slack: Int64 = 30_000_000

    private static func later(_ time: Int64, by: Int64) -> Int64 {
        let (sum, overflows) = time.addingReportingOverflow(by)
        return overflows ? .max : sum
    }
}

extension [Int64] {
    fileprivate func at(_ index: Int64) -> Int64? { index < count ? self[Int(index)] : nil }
}

/// Where to look next for the newest messages that hold some words, and when there are enough of them. Pure.
///
/// Conversations come in the order in which there was news in them. What is found is in order once nothing that was not
/// looked at can be newer.
struct SearchWalk {
    enum Step: Equatable {
        /// The next conversations have to be named.
        case load
        case look([SearchUnit])
        case done
    }

    /// The newest of what was found, in order: at most as many as are wanted.
    private(set) var hits: [SearchHit] = []
    private let wanted: Int
    private let before: SearchHit
    private let after: Int64
    /// Not looked at yet, those with the newest messages last.
    private var units: [SearchUnit] = []
    /// Nothing in what was not named yet was sent later; nil: all are named.
    private var unnamed: Int64?
    private var size = 8
    private static let sizeMax = 64

    /// - Parameters:
    ///   - wanted: how many are enough.
    ///   - before: only what comes behind it in the order.
    ///   - after: only what was sent then or later.
    init(wanted: Int, before: SearchHit, after: Int64) {
        (self.wanted, self.before, self.after) = (wanted, before, after)
        unnamed = .max
    }

    /// - Parameter upTo: nothing in what is still to be named was sent later; nil: these were the last.
    mutating func name(_ more: [SearchUnit], upTo: Int64?) {
        units += more.filter { $0.newestAt >= after && $0.oldestAt <= before.sentAt }
        units.sort { $0.newestAt < $1.newestAt }
        unnamed = upTo.flatMap { $0 < after ? nil : $0 }
    }

    mutating func find(_ more: [SearchHit]) {
        hits = Array((hits + more.filter { $0 < before }).sorted(by: >).prefix(wanted))
    }

    mutating func next() -> Step {
        let newest = max(units.last?.newestAt ?? .min, unnamed ?? .min)
        if units.isEmpty, unnamed == nil { return .done }
        if hits.count == wanted, let last = hits.last, last.sentAt > newest { return .done }
        if let unnamed, unnamed >= units.last?.newestAt ?? .min { return .load }
        let taken = Array(units.suffix(size).reversed())
        units.removeLast(taken.count)
        size = min(size * 2, Self.sizeMax)
        return .look(taken)
    }
}
