import Foundation

/// What was waited for in vain.
public struct NeverHappened: Error, CustomStringConvertible {
    public var description: String
}

/// Waits until the condition holds.
/// - Throws: ``NeverHappened`` when it does not within `limit`.
public func eventually(
    within limit: Duration = .seconds(20), _ what: String, _ condition: () async throws -> Bool
) async throws {
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
