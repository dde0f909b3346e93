import Foundation
import ParleyClient

/// What was waited for in vain.
public struct NeverHappened: Error, CustomStringConvertible {
    public var description: String

    public init(description: String) { self.description = description }
}

/// By how much everything may take longer than usual: `PARLEY_TEST_PATIENCE`, for builds that are slow on purpose, such
/// as those of the sanitizers. 1 unless it says otherwise.
public let patience: Int = max(1, ProcessInfo.processInfo.environment["PARLEY_TEST_PATIENCE"].flatMap(Int.init) ?? 1)

/// Waits until the condition holds.
/// - Parameter limit: how long at most; ``patience`` times that.
/// - Throws: ``NeverHappened`` when it does not within `limit`.
public func eventually(
    within limit: Duration = .seconds(20), _ what: String, _ condition: () async throws -> Bool
) async throws {
    let limit = limit * patience
    let end = ContinuousClock.now + limit
    while true {
        if try await condition() { return }
        guard ContinuousClock.now < end else { throw NeverHappened(description: "\(what): not within \(limit)") }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// Runs `body`, which may block, on a thread of its own, and not on one that all tests share.
public func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}

/// How late this process's own tasks run: what a machine with too much to do adds to every time that a test measures.
public actor Lag {
    private var worst: Duration = .zero
    private var watch: Task<Void, Never>?

    public init() {}

    /// Measures from now on, until ``stop()``.
    public func start() {
        watch = Task {
            while !Task.isCancelled {
                let due = ContinuousClock.now + .milliseconds(50)
                try? await Task.sleep(until: due, clock: .continuous)
                worst = max(worst, .now - due)
            }
        }
    }

    /// Ends measuring.
    /// - Returns: the longest that a task ran late.
    public func stop() -> Duration {
        watch?.cancel()
        return worst
    }
}
