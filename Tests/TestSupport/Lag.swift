import NIOCore
import NIOPosix
import Reactor
import Synchronization

/// Measures how late this process runs: its tasks, the event loops of its clients, and the reactor of what it runs of
/// the services. A busy machine adds them to every time that a test measures, since an answer passes through a loop and
/// then resumes a task.
actor Lag {
    private var worst: Duration = .zero
    private var worstOfReactor: Duration = .zero
    private var watches: [Task<Void, Never>] = []
    private var loops: [LoopLag] = []

    /// Starts measuring, until ``stop()``.
    func start() {
        watches = [
            Task {
                while !Task.isCancelled {
                    let due = ContinuousClock.now + .milliseconds(50)
                    try? await Task.sleep(until: due, clock: .continuous)
                    worst = max(worst, .now - due)
                }
            },
            Task { @ReactorActor in
                while !Task.isCancelled {
                    let due = ContinuousClock.now + .milliseconds(50)
                    try? await Reactor.shared.sleep(for: .milliseconds(50))
                    await note(ofReactor: .now - due)
                }
            },
        ]
        loops = MultiThreadedEventLoopGroup.singleton.makeIterator().map(LoopLag.init)
    }

    private func note(ofReactor late: Duration) { worstOfReactor = max(worstOfReactor, late) }

    /// Stops measuring.
    /// - Returns: the longest delay of a loop and then a task.
    func stop() -> Duration {
        for watch in watches { watch.cancel() }
        return worst + max(worstOfReactor, loops.map { $0.stop() }.max() ?? .zero)
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
