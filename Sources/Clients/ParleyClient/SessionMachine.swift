/// Decides when a client opens a session, how long it waits before, and when it gives up: a value without I/O.
/// ``ParleyClient`` is the shell around it.
///
///     var machine = SessionMachine(backoff: Backoff())
///     switch machine.ended(.wait, problem, after: .seconds(20)) {
///     case .open(let wait, let refreshFirst): …           // `failed`, when that does not work
///     case .stop(let problem): …
///     }
public struct SessionMachine: Sendable {
    public enum Step: Sendable, Equatable {
        /// Open a session after a wait, first with a new access token if it says so.
        case open(after: Duration, refreshFirst: Bool)
        /// Another attempt would end the same way, or the person has to sign in.
        case stop(ParleyError)
    }

    /// How many attempts there were since the last session that lasted.
    public private(set) var attempt = 0
    private let backoff: Backoff
    private var random: Random

    /// A session that lasted longer than this counts as one that worked.
    static let lastingFrom = Duration.seconds(5)

    /// - Parameter seed: of the random waits.
    public init(backoff: Backoff, seed: UInt64 = .random(in: 0 ... .max)) {
        (self.backoff, random) = (backoff, Random(state: seed))
    }

    // MARK: Inputs

    /// A session ended.
    /// - Parameter lived: how long it lasted.
    public mutating func ended(
        _ reaction: LinkClosed.Reaction, _ problem: ParleyError, after lived: Duration
    ) -> Step {
        if lived > Self.lastingFrom { attempt = 0 }
        return next(reaction, problem)
    }

    /// An attempt to open a session failed.
    public mutating func failed(_ reaction: LinkClosed.Reaction, _ problem: ParleyError) -> Step {
        next(reaction, problem)
    }

    private mutating func next(_ reaction: LinkClosed.Reaction, _ problem: ParleyError) -> Step {
        var wait = Duration.zero
        switch reaction {
        case .never, .signInAgain: return .stop(problem)
        case .atOnce where attempt == 0: break
        // A gateway may say how long it wants no other session.
        default: wait = .milliseconds(problem.retryAfterMs) + backoff.wait(attempt: attempt, using: &random)
        }
        attempt += 1
        return .open(after: wait, refreshFirst: reaction == .refresh)
    }

    /// Returns how long to wait with refreshing the tokens, in microseconds: until a minute before the first of them
    /// ends, or until a quarter of the time is left.
    public static func refreshAfter(sessionEndsUs: Int64, accessEndsUs: Int64, now: Int64) -> Int64 {
        let left = min(sessionEndsUs, accessEndsUs) - now
        return max(left - min(60_000_000, left / 4), 100_000)
    }

    /// SplitMix64.
    private struct Random: RandomNumberGenerator, Sendable {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }
}
