import Logging
import Reactor

/// Work that goes on by itself: one round after the other, every so often and whenever it is woken.
///
/// A round that throws is logged and tried again with the next one. It may end early once ``isStopping`` is true.
@ReactorActor
public final class Worker {
    public typealias Round = @ReactorActor () async throws -> Void

    private let interval: Duration
    private var round: Round?
    private var timer: Reactor.Timer?
    private var isWorking = false
    private var isWanted = false
    private var onIdle: [CheckedContinuation<Void, Never>] = []
    private let failure: FailureLine
    /// Whether ``stop()`` was called.
    public private(set) var isStopping = false

    /// - Parameters:
    ///   - interval: the wait after a round.
    ///   - failed: the line that says that a round failed, logged every 10 seconds at most.
    public init(every interval: Duration, log: Logger, failed: Logger.Message) {
        (self.interval, failure) = (interval, FailureLine(failed, log))
    }

    /// Begins the first round at once. ``stop()`` lets go of `round`.
    public func start(_ round: @escaping Round) {
        self.round = round
        wake()
    }

    /// Begins a round now, or right after the current one.
    public func wake() {
        isWanted = true
        guard let round, !isWorking, !isStopping else { return }
        isWorking = true
        if let timer { Reactor.shared.cancel(timer) }
        // Detached: the work is not part of the request that woke it, and appears in no trace.
        Task.immediateDetached { @ReactorActor [self] in
            while isWanted, !isStopping {
                isWanted = false
                do { try await round() } catch { note(error) }
            }
            isWorking = false
            for waiting in onIdle { waiting.resume() }
            onIdle = []
            guard !isStopping else { return }
            timer = Reactor.shared.after(interval) { [weak self] in self?.wake() }
        }
    }

    /// Waits for the round under way and begins no other.
    public func stop() async {
        isStopping = true
        if let timer { Reactor.shared.cancel(timer) }
        if isWorking { await withCheckedContinuation { onIdle.append($0) } }
        round = nil
    }

    /// Logs a failure in a round that goes on.
    public func note(_ error: any Error) { failure.write(error) }
}
