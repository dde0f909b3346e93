import Dispatch
import Foundation
import Synchronization

/// Handles SIGINT, SIGTERM and SIGHUP. The first signal asks to stop, the second ends the process.
package final class Signals: Sendable {
    private struct State {
        var received = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    /// Dispatch objects may be used from any thread, but Dispatch on Linux does not declare them Sendable.
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

    package init() {
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        for source in sources {
            source.setEventHandler { [weak self] in self?.received() }
            source.resume()
        }
    }

    /// Calls `body` for each signal of this number, until the result is cancelled.
    package static func handling(_ number: Int32, _ body: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: body)
        source.resume()
        return source
    }

    package var wereReceived: Bool { state.withLock { $0.received } }

    /// Waits for the first signal.
    /// - Returns: false when the task was cancelled.
    package func first() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.received || Task.isCancelled { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            resumeAll()
        }
        return wereReceived
    }

    private func received() {
        let isSecond = state.withLock { state in
            defer { state.received = true }
            return state.received
        }
        if isSecond { exit(1) }
        resumeAll()
    }

    private func resumeAll() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
