/// Decides when the load ends: after its scheduled time, once it has done what the audit requires. Pure.
///
/// A slow machine gets the time that it needs. The load is given up only if nothing at all is done for a long while, or
/// at a limit that no machine should reach.
struct LoadEnding {
    enum Decision: Hashable, Sendable {
        /// With what is missing.
        case goOn(String)
        case enough
        /// With what was missing, and how long the load took.
        case givenUp(String)
    }

    /// How long nothing may be done before the load is given up.
    static let patience = Duration.seconds(60)

    private let scheduled: Duration
    /// The most that was done of each measure so far.
    private var most: [Int] = []
    private var progressAt: Duration

    /// - Parameter seconds: the scheduled duration of the load.
    init(seconds: Int) {
        scheduled = .seconds(seconds)
        progressAt = scheduled
    }

    /// The limit of the load. The limits of `Tests/tier` leave room for it.
    var longest: Duration { scheduled * 3 + .seconds(180) }

    /// - Parameters:
    ///   - elapsed: the time since the load began.
    ///   - measures: what was done by then; the same measures each time.
    mutating func decide(after elapsed: Duration, _ measures: [Audit.Measure]) -> Decision {
        let missing = measures.filter { !$0.isReached }.map(\.shortage).joined(separator: "; ")
        if missing.isEmpty { return .enough }
        let numbers = measures.map(\.number)
        if most.isEmpty || zip(numbers, most).contains(where: >) { progressAt = max(elapsed, scheduled) }
        most = most.isEmpty ? numbers : zip(numbers, most).map(max)
        let why: String
        if elapsed >= longest {
            why = "the most that it may take"
        } else if elapsed - progressAt >= Self.patience {
            why = "nothing was done for \((elapsed - progressAt).components.seconds) s"
        } else {
            return .goOn(missing)
        }
        return .givenUp("the load was given up after \(elapsed.components.seconds) s (\(why)); missing: \(missing)")
    }
}
