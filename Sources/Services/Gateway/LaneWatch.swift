import Schema

/// What a gateway has heard of the lanes of one service, and so what it missed and must ask for. Pure: what is heard
/// and the time go in; questions for `Journal.Replay` come out.
///
/// Within a lane numbers are dense: a jump between Updates, or a heartbeat that says more than was heard, is a loss,
/// unless it comes within ``Bounds/grace``: another replica's heartbeat may overtake the Updates of a lane's owner, and
/// a lane may have moved to another replica.
struct LaneWatch {
    typealias Instant = ContinuousClock.Instant

    struct Bounds {
        /// How late an Update may be before it is asked for.
        var grace: Duration = .milliseconds(300)
        /// With more than this missing in a lane, whose sessions must start over is asked, not the Updates.
        var replayMax: Int64 = 10_000
        /// Ranges remembered of a lane; beyond, what lies between them is asked for once more.
        var rangesMax = 64
        /// The waits after a question that was not answered grow from the first to the last.
        var retryFirst: Duration = .milliseconds(200)
        var retryLast: Duration = .seconds(5)
    }

    /// What a heartbeat meant for the sessions there are.
    enum Heard: Equatable {
        case usual
        /// The first one: from here on what is missed will be noticed; what was missed before it is not known.
        case first
        /// The numbers are of another epoch: nothing held can be compared with them.
        case startedOver
    }

    /// To be asked of any replica, one at a time for a lane.
    struct Question: Equatable {
        var lane: UInt32
        var from: Int64
        var to: Int64
        /// Too far behind: only whose sessions are concerned.
        var accountsOnly: Bool
        /// When the first of it was noticed.
        var since: Instant
        /// How many of these numbers no question asked for before.
        var newlyMissed: Int64
        fileprivate var era: Int
    }

    private struct Missing: Equatable {
        var from: Int64
        var to: Int64
        var since: Instant
        var wasAsked = false

        var count: Int64 { to - from + 1 }
    }

    private struct Lane {
        /// All up to this one was heard, or is in `missing`.
        var heard: Int64 = 0
        /// In order, apart from each other.
        var missing: [Missing] = []
        var isAsking = false
        var failures = 0
        var notBefore: Instant?
    }

    private let bounds: Bounds
    private var lanes: [UInt32: Lane] = [:]
    private var epoch: String?
    /// The last ones that were over.
    private var leftEpochs: [String] = []
    /// Counts epochs: an answer to a question of an earlier one says nothing.
    private var era = 0

    init(_ bounds: Bounds = Bounds()) { self.bounds = bounds }

    /// A heartbeat was heard: from here on losses are noticed.
    var isKnown: Bool { epoch != nil }

    /// Numbers that were not heard, in all lanes.
    var missingCount: Int64 { lanes.values.reduce(0) { $0 + $1.missing.reduce(0) { $0 + $1.count } } }

    // MARK: What is heard

    /// An Update came, under this number of a lane.
    /// - Returns: whether it shows that others are missing.
    mutating func received(_ lane: UInt32, _ number: Int64, at now: Instant) -> Bool {
        guard lane != 0 else { return false }
        let heard = lanes[lane, default: Lane()].heard
        if number > heard {
            lanes[lane, default: Lane()].heard = number
            guard isKnown, number > heard + 1 else { return false }
            note(heard + 1, number - 1, of: lane, at: now)
            return true
        }
        if lanes[lane]?.missing.isEmpty == false { forget(number, number, of: lane) }
        return false
    }

    /// A heartbeat, of any replica, or the same in answer to a question.
    mutating func received(_ heartbeat: Heartbeat, at now: Instant) -> Heard {
        // A replica that has not noticed yet says nothing that counts.
        guard !leftEpochs.contains(heartbeat.epoch) else { return .usual }
        guard let epoch, epoch == heartbeat.epoch else { return begin(heartbeat) }
        for told in heartbeat.lanes where told.lane != 0 {
            let heard = lanes[told.lane, default: Lane()].heard
            guard told.number > heard else { continue }
            lanes[told.lane, default: Lane()].heard = told.number
            note(heard + 1, told.number, of: told.lane, at: now)
        }
        return .usual
    }

    private mutating func begin(_ heartbeat: Heartbeat) -> Heard {
        let isFirst = epoch == nil
        if let epoch { leftEpochs = leftEpochs.suffix(7) + [epoch] }
        epoch = heartbeat.epoch
        era += 1
        // What came before the first heartbeat may be ahead of it; of another epoch's numbers nothing is kept.
        let before = isFirst ? lanes : [:]
        lanes = before.mapValues { Lane(heard: $0.heard) }
        for told in heartbeat.lanes where told.lane != 0 {
            lanes[told.lane] = Lane(heard: max(told.number, before[told.lane]?.heard ?? 0))
        }
        return isFirst ? .first : .startedOver
    }

    // MARK: Questions

    /// What is to be asked now. Each question is given once, until ``answered(_:through:at:)`` or ``failed(_:at:)``.
    mutating func due(at now: Instant) -> [Question] {
        var questions: [Question] = []
        for lane in lanes.keys.sorted() {
            if let question = question(about: lane, at: now) { questions.append(question) }
        }
        return questions
    }

    /// When ``due(at:)`` will have something; nil: nothing is missing, or all of it is being asked for.
    var nextDue: Instant? {
        lanes.values.lazy.compactMap { lane in
            guard !lane.isAsking, let first = lane.missing.lazy.map(\.since).min() else { return nil }
            return max(first + bounds.grace, lane.notBefore ?? first)
        }.min()
    }

    private mutating func question(about number: UInt32, at now: Instant) -> Question? {
        guard let lane = lanes[number], !lane.isAsking, lane.notBefore.map({ $0 <= now }) ?? true,
            let first = lane.missing.firstIndex(where: { $0.since + bounds.grace <= now })
        else { return nil }
        let isTooFar = lane.missing.reduce(0) { $0 + $1.count } > bounds.replayMax
        var range = isTooFar ? lane.missing.indices : first..<first + 1
        while !isTooFar, range.upperBound < lane.missing.count {
            let next = lane.missing[range.upperBound]
            guard next.from == lane.missing[range.upperBound - 1].to + 1, next.since + bounds.grace <= now else {
                break
            }
            range = range.lowerBound..<range.upperBound + 1
        }
        let asked = lane.missing[range]
        for index in range { lanes[number]?.missing[index].wasAsked = true }
        lanes[number]?.isAsking = true
        return Question(
            lane: number, from: lane.missing[range.lowerBound].from, to: lane.missing[range.upperBound - 1].to,
            accountsOnly: isTooFar, since: asked.lazy.map(\.since).min() ?? now,
            newlyMissed: asked.reduce(0) { $0 + ($1.wasAsked ? 0 : $1.count) }, era: era)
    }

    /// All up to `through`, with it, was told; the rest is due at once.
    /// - Returns: whether it says anything: it is of this epoch, and went on.
    @discardableResult
    mutating func answered(_ question: Question, through: Int64, at now: Instant) -> Bool {
        guard question.era == era else { return false }
        guard through >= question.from else {
            failed(question, at: now)
            return false
        }
        lanes[question.lane]?.isAsking = false
        lanes[question.lane]?.failures = 0
        lanes[question.lane]?.notBefore = nil
        forget(question.from, min(through, question.to), of: question.lane)
        return true
    }

    /// No answer, or a refusal: it will be due again, after a wait that grows.
    mutating func failed(_ question: Question, at now: Instant) {
        guard question.era == era, let failures = lanes[question.lane]?.failures else { return }
        lanes[question.lane]?.isAsking = false
        lanes[question.lane]?.failures = failures + 1
        lanes[question.lane]?.notBefore = now + min(bounds.retryFirst * (1 << min(failures, 10)), bounds.retryLast)
    }

    /// The answer to this question still says something.
    func isCurrent(_ question: Question) -> Bool { question.era == era }

    // MARK: Ranges

    private mutating func note(_ from: Int64, _ to: Int64, of lane: UInt32, at now: Instant) {
        lanes[lane]?.missing.append(Missing(from: from, to: to, since: now))
        bound(lane)
    }

    private mutating func forget(_ from: Int64, _ to: Int64, of lane: UInt32) {
        guard let missing = lanes[lane]?.missing else { return }
        var kept: [Missing] = []
        for range in missing {
            guard range.from <= to, range.to >= from else {
                kept.append(range)
                continue
            }
            var before = range
            var after = range
            (before.to, after.from) = (from - 1, to + 1)
            if before.from <= before.to { kept.append(before) }
            if after.from <= after.to { kept.append(after) }
        }
        lanes[lane]?.missing = kept
        bound(lane)
    }

    /// Of too many ranges one is made.
    private mutating func bound(_ lane: UInt32) {
        guard let missing = lanes[lane]?.missing, missing.count > bounds.rangesMax, let first = missing.first,
            let last = missing.last
        else { return }
        lanes[lane]?.missing = [
            Missing(
                from: first.from, to: last.to, since: missing.lazy.map(\.since).min() ?? first.since,
                wasAsked: missing.allSatisfy(\.wasAsked))
        ]
    }
}
