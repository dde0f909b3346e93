import NIOCore
import NIOPosix
import Synchronization

/// Measures how late this process runs: its tasks and the event loops of its clients. A busy machine adds both to every
/// time that a test measures, since an answer passes through an event loop and then resumes a task.
public actor Lag {
    private var worst: Duration = .zero
    private var watch: Task<Void, Never>?
    private var loops: [LoopLag] = []

    public init() {}

    /// Starts measuring, until ``stop()``.
    public func start() {
        watch = Task {
            while !Task.isCancelled {
                let due = ContinuousClock.now + .milliseconds(50)
                try? await Task.sleep(until: due, clock: .continuous)
                worst = max(worst, .now - due)
            }
        }
        loops = MultiThreadedEventLoopGroup.singleton.makeIterator().map(LoopLag.init)
    }

    /// Stops measuring.
    /// - Returns: the longest delay of an event loop and then a task.
    public func stop() -> Duration {
        watch?.cancel()
        return worst + (loops.map { $0.stop() }.max() ?? .zero)
    }
}

/// Measures how late one event loop runs.
private final class LoopLag: Sendable {
    private let worst = Mutex(Duration.zero)
    private let due = Mutex(ContinuousClock.now + .milliseconds(50))
    private let task = Mutex<RepeatedTask?>(nil)

    init(_ loop: any EventLoop) {
        let repeated = loop.scheduleRepeatedTask(initialDelay: .milliseconds(50), delay: .milliseconds(50)) {
            [weak self] _ in self?.ran()
        }
        task.withLock { $0 = repeated }
    }

    private func ran() {
        let late = due.withLock { due in
            defer { due = .now + .milliseconds(50) }
            return ContinuousClock.now - due
        }
        worst.withLock { $0 = max($0, late) }
    }

    func stop() -> Duration {
        task.withLock { $0?.cancel() }
        return worst.withLock { $0 }
    }
}
