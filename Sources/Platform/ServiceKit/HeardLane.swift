/// A run of consecutive numbers of one lane that this process heard, and which of them may have an effect. Pure.
///
/// A gap begins a new run: what lies before it is read from the journal.
struct HeardLane {
    /// The most numbers with an effect that may wait. A follower that is further behind reads the journal.
    static let wantedMax = 10_000

    /// The first number of the run.
    private(set) var first: Int64
    /// The last one that was heard.
    private(set) var through: Int64
    /// The last one that was judged; `first - 1` before any was.
    private(set) var judged: Int64
    /// Those that may have an effect, ascending.
    private var wanted: [Int64] = []

    init(_ number: Int64) { (first, through, judged) = (number, number, number - 1) }

    /// Hears the next number.
    /// - Returns: whether it is to be judged; a repeated one is not.
    mutating func hear(_ number: Int64) -> Bool {
        guard number > through else { return false }
        if number == through + 1 { through = number } else { self = HeardLane(number) }
        return true
    }

    /// Notes the verdict on a number. Those of a run come in order; those of an earlier run are ignored.
    mutating func judge(_ number: Int64, isWanted: Bool) {
        guard number == judged + 1, number <= through else { return }
        judged = number
        guard isWanted else { return }
        if wanted.count == Self.wantedMax {
            self = HeardLane(first: number + 1, through: through)
        } else {
            wanted.append(number)
        }
    }

    private init(first: Int64, through: Int64) { (self.first, self.through, judged) = (first, through, first - 1) }

    /// Whether everything after `done` was heard, and something was judged.
    func covers(after done: Int64) -> Bool { first <= done + 1 && judged > done }

    /// The numbers after `done` that may have an effect, at most `limit`.
    func wanted(after done: Int64, limit: Int) -> [Int64] { Array(wanted.drop { $0 <= done }.prefix(limit)) }

    /// Forgets the numbers up to `done`, which took effect.
    mutating func forget(through done: Int64) { wanted.removeFirst(wanted.prefix { $0 <= done }.count) }
}
