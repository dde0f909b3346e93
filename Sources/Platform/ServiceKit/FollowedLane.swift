/// Decides how one lane is followed: how many entries per transaction, and when to retry after a failure. Pure.
///
/// The first entries of a process are tried alone, since the process before may have died of one of them. After a
/// failure the number of entries is halved until the failing entry is alone; those before it are done by then.
struct FollowedLane {
    /// After this many failures of a single entry, the log reports it as critical.
    static let failuresMax = 10
    /// An entry of which so many processes died is left out.
    static let deathsMax = 3

    /// What is to be done next.
    enum Step: Equatable {
        /// Read the next entries from the journal.
        case read
        /// Read these entries, and move on to a number before which no other has an effect.
        case heard([Int64], through: Int64)
    }

    private let waitMax: Duration
    private let batchMax: Int
    /// The cursor, as far as is known.
    private(set) var done: Int64 = 0
    /// The last committed number, and that of the look before, by when everything should have been heard.
    private var committed: Int64 = 0
    private var due: Int64 = 0
    /// The maximum number of entries in the next transaction after those that are tried alone.
    private var share: Int
    /// How many entries are tried alone at most, which covers a batch of the process before.
    private var aloneMax: Int
    /// Consecutive failures of the entry that fails alone.
    private(set) var failures = 0
    /// The number of the entry that fails alone.
    private(set) var stuckAt: Int64?
    private var tried: (count: Int, first: Int64)?
    private var waits = 0
    private var notBefore: ContinuousClock.Instant?
    /// Whether a try of this process is written down for the entry that is tried alone.
    var isNoted = false

    /// - Parameters:
    ///   - batchMax: the maximum number of entries per transaction.
    ///   - waitMax: the longest wait before a retry.
    init(batchMax: Int = 200, waitMax: Duration = .seconds(5)) {
        (self.batchMax, self.waitMax) = (batchMax, waitMax)
        (share, aloneMax) = (batchMax, batchMax)
    }

    /// Whether the next entry is tried alone, and the try written down.
    var isAlone: Bool { aloneMax > 0 }
    /// The maximum number of entries in the next transaction.
    var limit: Int { isAlone ? 1 : share }

    func isDue(at now: ContinuousClock.Instant) -> Bool { notBefore.map { now >= $0 } ?? true }

    /// Notes what a look at the lanes has found.
    mutating func looked(done: Int64, committed: Int64) {
        (self.done, due, self.committed) = (done, self.committed, committed)
    }

    /// - Parameter heard: what was heard of the lane.
    /// - Returns: nil if there is nothing to do.
    func step(_ heard: HeardLane?) -> Step? {
        guard !isAlone, let heard, heard.first <= done + 1 else { return committed > done ? .read : nil }
        let numbers = heard.wanted(after: done, limit: share)
        if let last = numbers.last {
            return .heard(numbers, through: numbers.count < share ? heard.judged : last)
        }
        // Something committed was not heard in time.
        return max(heard.judged, done) < due ? .read : nil
    }

    mutating func begins() { tried = nil }

    mutating func tries(_ entries: [JournalEntry]) { tried = entries.first.map { (entries.count, $0.number) } }

    /// - Parameters:
    ///   - count: how many entries were done.
    ///   - through: the cursor now.
    mutating func succeeded(_ count: Int, through: Int64) {
        done = through
        if isAlone { aloneMax -= count } else { share = min(batchMax, share * 2) }
        (failures, waits, stuckAt, notBefore, isNoted) = (0, 0, nil, nil, false)
    }

    /// No entry is left of those that waited at the start.
    mutating func caughtUp() { (aloneMax, done) = (0, max(done, committed)) }

    /// - Parameter isTransient: whether the failure has nothing to do with the entries.
    /// - Returns: whether one entry has failed alone too often.
    mutating func failed(isTransient: Bool, at now: ContinuousClock.Instant) -> Bool {
        if let tried, !isTransient {
            if tried.count > 1 {
                share = tried.count / 2
                notBefore = now + .milliseconds(20)
                return false
            }
            failures = stuckAt == tried.first ? failures + 1 : 1
            stuckAt = tried.first
        }
        notBefore = now + min(.milliseconds(50 << min(waits, 10)), waitMax)
        waits += 1
        return !isTransient && failures >= Self.failuresMax
    }
}
