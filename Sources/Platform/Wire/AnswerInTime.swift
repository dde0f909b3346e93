import Reactor

/// When a server tells a caller that its handler will not answer in time, so that the caller hears it from whoever
/// works on it, with when to come back, and not from a timer of its own.
@ReactorActor
final class AnswerInTime<Token> {
    /// Long deadlines are looked at four times a second, for short ones that would be too coarse.
    private static var shortDeadline: Duration { .seconds(2) }
    /// Below this, the caller's own deadline is as good.
    private static var shortestDeadline: Duration { .milliseconds(100) }

    private var long = DeadlineBuckets<Token>(width: .milliseconds(250), start: .now)
    private var short = DeadlineBuckets<Token>(width: .milliseconds(25), start: .now)
    private var timer: (at: ContinuousClock.Instant, timer: Reactor.Timer)?
    private let tell: ([Token]) -> Void

    init(_ tell: @escaping ([Token]) -> Void) { self.tell = tell }

    /// How long before a deadline its caller is told: a second, for short ones a quarter of it.
    static func margin(of deadline: Duration) -> Duration { min(.seconds(1), deadline / 4) }

    /// - Parameter deadline: how long the caller waits, from now.
    func add(_ token: Token, deadline: Duration) {
        guard deadline >= Self.shortestDeadline else { return }
        let due = ContinuousClock.now + (deadline - Self.margin(of: deadline))
        if deadline < Self.shortDeadline { short.add(token, due: due) } else { long.add(token, due: due) }
        setTimer()
    }

    func cancel() {
        if let timer { Reactor.shared.cancel(timer.timer) }
        timer = nil
    }

    private func setTimer() {
        guard let next = [long.next, short.next].compactMap(\.self).min() else { return }
        if let timer {
            if timer.at <= next { return }
            Reactor.shared.cancel(timer.timer)
        }
        timer = (next, Reactor.shared.after(next - .now) { [weak self] in self?.sweep() })
    }

    private func sweep() {
        timer = nil
        let now = ContinuousClock.now
        let due = short.due(at: now) + long.due(at: now)
        if !due.isEmpty { tell(due) }
        setTimer()
    }
}
