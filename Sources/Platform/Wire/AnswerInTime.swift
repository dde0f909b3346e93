import Reactor

/// Decides when a server answers for a handler that is too slow. The caller then gets the server's answer, with a time
/// to retry, before its own deadline passes.
@ReactorActor
final class AnswerInTime<Token> {
    /// Longer deadlines are checked four times per second, which would be too coarse for shorter ones.
    private static var shortDeadline: Duration { .seconds(2) }
    /// For deadlines below this, the caller's own timer is good enough.
    private static var shortestDeadline: Duration { .milliseconds(100) }

    private var long = DeadlineBuckets<Token>(width: .milliseconds(250), start: .now)
    private var short = DeadlineBuckets<Token>(width: .milliseconds(25), start: .now)
    private var timer: (at: ContinuousClock.Instant, timer: Reactor.Timer)?
    private let onDue: ([Token]) -> Void

    init(_ onDue: @escaping ([Token]) -> Void) { self.onDue = onDue }

    /// - Parameter deadline: how long the caller waits, from now.
    func add(_ token: Token, deadline: Duration) {
        guard deadline >= Self.shortestDeadline else { return }
        let due = ContinuousClock.now + deadline.untilAnswered
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
        if !due.isEmpty { onDue(due) }
        setTimer()
    }
}

extension Duration {
    /// Of a deadline: after which time the server answers for a handler. That is a second before the deadline, or a
    /// quarter of a short one.
    package var untilAnswered: Duration { self - min(.seconds(1), self / 4) }
}
