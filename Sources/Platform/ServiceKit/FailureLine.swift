import Logging
import Reactor
import Wire

/// A warning about failures that repeat, logged every ten seconds at most with the latest error.
@ReactorActor
final class FailureLine {
    private let text: Logger.Message
    private let log: Logger
    private var throttle = LogThrottle(every: .seconds(10))

    init(_ text: Logger.Message, _ log: Logger) { (self.text, self.log) = (text, log) }

    func write(_ error: any Error) {
        guard let more = throttle.pass(at: .now) else { return }
        log.warning(text, metadata: ["error": "\(error)", "more": "\(more)"])
    }
}
