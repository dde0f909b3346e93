/// The requests of a ``SyncMachine``: those to make, those under way and those to repeat, at most one about each
/// subject.
struct SyncAsking: Sendable {
    struct Asked: Sendable {
        var subject: SyncMachine.Subject
        var request: SyncRequest
        /// Whether to ask again after the answer: something may have changed since.
        var again = false
    }

    private(set) var underWay: [Int: Asked] = [:]
    private var numbers: [SyncMachine.Subject: Int] = [:]
    private var queue: [SyncMachine.Subject] = []
    private var queued: Set<SyncMachine.Subject> = []
    /// When to repeat a request that failed.
    private var retries: [SyncMachine.Subject: ContinuousClock.Instant] = [:]
    /// How often a request has failed since it last succeeded.
    private var failures: [SyncMachine.Subject: Int] = [:]
    private var last = 0
    var random: UInt64 = 1
    /// Whether the app is told when the session has synced.
    var announces = false

    /// Whether nothing is to be requested or under way.
    var isIdle: Bool { underWay.isEmpty && queue.isEmpty && retries.isEmpty }

    /// When the next request is repeated, or earlier; nil: none is.
    private(set) var nextRetry: ContinuousClock.Instant?

    func isUnderWay(_ subject: SyncMachine.Subject) -> Bool { numbers[subject] != nil }

    /// Whether something is about to be requested, now or when a refusal lets it.
    func isPlanned(_ subject: SyncMachine.Subject) -> Bool { queued.contains(subject) || retries[subject] != nil }

    /// Requests something, if it is not about to be.
    mutating func add(_ subject: SyncMachine.Subject) {
        retries[subject] = nil
        if let number = numbers[subject] {
            underWay[number]?.again = true
        } else if queued.insert(subject).inserted {
            queue.append(subject)
        }
    }

    mutating func retry(_ subject: SyncMachine.Subject, at time: ContinuousClock.Instant) {
        guard !queued.contains(subject), !isUnderWay(subject) else { return add(subject) }
        plan(subject, at: retries[subject].map { min($0, time) } ?? time)
    }

    private mutating func plan(_ subject: SyncMachine.Subject, at time: ContinuousClock.Instant) {
        retries[subject] = time
        nextRetry = nextRetry.map { min($0, time) } ?? time
    }

    /// Returns the next subject to ask about.
    mutating func next() -> SyncMachine.Subject? {
        guard !queue.isEmpty else { return nil }
        let subject = queue.removeFirst()
        queued.remove(subject)
        return subject
    }

    mutating func begin(_ subject: SyncMachine.Subject, _ request: SyncRequest) -> SyncQuestion {
        last += 1
        underWay[last] = Asked(subject: subject, request: request)
        numbers[subject] = last
        return SyncQuestion(number: last, request: request)
    }

    /// Ends a request; nil: it is of an earlier session.
    mutating func end(_ number: Int) -> Asked? {
        guard let asked = underWay.removeValue(forKey: number) else { return nil }
        numbers[asked.subject] = nil
        return asked
    }

    mutating func succeeded(_ asked: Asked) {
        failures[asked.subject] = nil
        if asked.again { add(asked.subject) }
    }

    /// Repeats a request later.
    /// - Parameter wait: what the server asks for; zero: nothing.
    mutating func failed(
        _ subject: SyncMachine.Subject, _ options: SyncMachine.Options, wait: Duration, at now: ContinuousClock.Instant
    ) {
        let count = failures[subject, default: 0]
        failures[subject] = count + 1
        let backoff = min(options.retryFirst * (1 << min(count, 16)), options.retryLast)
        plan(subject, at: now + max(wait, backoff) * (1 + 0.5 * fraction()))
    }

    /// Moves a request that is about to be made to a later time, as after a failure.
    mutating func postpone(
        _ subject: SyncMachine.Subject, _ options: SyncMachine.Options, at now: ContinuousClock.Instant
    ) {
        queue.removeAll { $0 == subject }
        queued.remove(subject)
        failed(subject, options, wait: .zero, at: now)
    }

    /// Forgets a subject that is no longer of interest. The reply to a request under way changes nothing.
    mutating func forget(_ subject: SyncMachine.Subject) {
        (retries[subject], failures[subject]) = (nil, nil)
        if let number = numbers.removeValue(forKey: subject) { underWay[number] = nil }
    }

    /// Moves the requests whose time has come to the queue.
    mutating func wake(at now: ContinuousClock.Instant) {
        guard let next = nextRetry, next <= now else { return }
        for (subject, _) in retries.filter({ $0.value <= now }).sorted(by: { $0.value < $1.value }) { add(subject) }
        self.nextRetry = retries.values.min()
    }

    /// Forgets everything, since another session begins with its own.
    mutating func forgetAll() {
        (underWay, numbers, queue, queued, retries, failures) = ([:], [:], [], [], [:], [:])
        nextRetry = nil
        announces = true
    }

    /// Returns a random number from 0 to 1 (SplitMix64).
    private mutating func fraction() -> Double {
        random &+= 0x9e37_79b9_7f4a_7c15
        var mixed = random
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53)
    }
}
