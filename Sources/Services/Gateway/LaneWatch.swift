import Schema

/// Tracks which numbers of one service's lanes a gateway has received, and which it missed and must request. Pure:
/// Updates, heartbeats and the time go in; questions for `Journal.Replay` come out.
///
/// Numbers within a lane are dense. A gap between Updates, or a heartbeat ahead of them, shows missing Updates. They
/// count as lost unless they arrive within ``Bounds/grace``. Until then they may only be late: another replica's
/// heartbeat may overtake the Updates of a lane's owner, and a lane may have moved to another replica.
struct LaneWatch {
    typealias Instant = ContinuousClock.Instant

    struct Bounds {
        /// How late an Update may be before it is requested.
        var grace: Duration = .milliseconds(300)
        /// If a lane misses more Updates than this, only the accounts whose sessions must start over are requested.
        var replayMax: Int64 = 10_000
        /// Missing ranges kept per lane. Beyond this they are merged, and the numbers between them are requested again.
        var rangesMax = 64
        /// The wait after a question without an answer, which grows from `retryFirst` to `retryLast`.
        var retryFirst: Duration = .milliseconds(200)
        var retryLast: Duration = .seconds(5)
    }

    /// What a heartbeat means for the existing sessions.
    enum Heard: Equatable {
        case usual
        /// The first heartbeat. From now on losses are noticed; earlier ones remain unknown.
        case first
        /// The numbers belong to another epoch and cannot be compared with the known ones.
        case startedOver
    }

    /// A request for missing numbers, answered by any replica. Each lane has at most one at a time.
    struct Question: Equatable {
        var lane: UInt32
        var from: Int64
        var to: Int64
        /// Whether the gateway is too far behind and requests only the accounts concerned.
        var accountsOnly: Bool
        /// When the first of these numbers was noticed missing.
        var since: Instant
        /// How many of these numbers were not requested before.
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
        /// Every number up to this one was received, or is in `missing`.
        var heard: Int64 = 0
        /// In order, without overlaps.
        var missing: [Missing] = []
        var isAsking = false
        var failures = 0
        var notBefore: Instant?
    }

    private let bounds: Bounds
    private var lanes: [UInt32: Lane] = [:]
    private var epoch: String?
    /// The most recent past epochs.
    private var leftEpochs: [String] = []
    /// The number of epochs seen so far. Answers to questions from an earlier epoch are ignored.
    private var era = 0

    init(_ bounds: Bounds = Bounds()) { self.bounds = bounds }

    /// Whether a heartbeat was received, so that losses are noticed.
    var isKnown: Bool { epoch != nil }

    /// How many numbers are missing in all lanes.
    var missingCount: Int64 { lanes.values.reduce(0) { $0 + $1.missing.reduce(0) { $0 + $1.count } } }

    // MARK: Receiving

    /// Records an Update under its number in a lane.
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

    /// Records a heartbeat of any replica, or a reply with the same content.
    mutating func received(_ heartbeat: Heartbeat, at now: Instant) -> Heard {
        // This replica has not noticed the new epoch yet.
        guard !leftEpochs.contains(heartbeat.epoch) else { return .usual }
        guard let epoch, epoch == heartbeat.epoch else { return begin(heartbeat) }
        for reported in heartbeat.lanes where reported.lane != 0 {
            let heard = lanes[reported.lane, default: Lane()].heard
            guard reported.number > heard else { continue }
            lanes[reported.lane, default: Lane()].heard = reported.number
            note(heard + 1, reported.number, of: reported.lane, at: now)
        }
        return .usual
    }

    private mutating func begin(_ heartbeat: Heartbeat) -> Heard {
        let isFirst = epoch == nil
        if let epoch { leftEpochs = leftEpochs.suffix(7) + [epoch] }
        epoch = heartbeat.epoch
        era += 1
        // Updates before the first heartbeat may be ahead of it. Numbers of another epoch are discarded.
        let before = isFirst ? lanes : [:]
        lanes = before.mapValues { Lane(heard: $0.heard) }
        for reported in heartbeat.lanes where reported.lane != 0 {
            lanes[reported.lane] = Lane(heard: max(reported.number, before[reported.lane]?.heard ?? 0))
        }
        return isFirst ? .first : .startedOver
    }

    // MARK: Questions

    /// Returns the questions to send now, each once until ``answered(_:through:at:)`` or ``failed(_:at:)``.
    mutating func due(at now: Instant) -> [Question] {
        var questions: [Question] = []
        for lane in lanes.keys.sorted() {
            if let question = question(about: lane, at: now) { questions.append(question) }
        }
        return questions
    }

    /// When ``due(at:)`` next returns a question; nil if nothing is missing or all of it is being requested.
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

    /// Records that the answer covered every number up to and including `through`; the rest is due immediately.
    /// - Returns: whether the answer is of this epoch and made progress.
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

    /// Records a missing answer or a refusal. The question is due again after a wait that grows.
    mutating func failed(_ question: Question, at now: Instant) {
        guard question.era == era, let failures = lanes[question.lane]?.failures else { return }
        lanes[question.lane]?.isAsking = false
        lanes[question.lane]?.failures = failures + 1
        lanes[question.lane]?.notBefore = now + min(bounds.retryFirst * (1 << min(failures, 10)), bounds.retryLast)
    }

    /// Whether this question belongs to the current epoch.
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

    /// Merges the ranges of a lane into one if there are too many.
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
