import Foundation
import ParleyClient

/// The error of a test that waited for something in vain.
public struct NeverHappened: Error, CustomStringConvertible {
    public var description: String

    public init(description: String) { self.description = description }
}

/// The factor by which all time limits are longer: `PARLEY_TEST_PATIENCE`, for slow builds such as those with
/// sanitizers. 1 by default.
public let patience: Int = max(1, ProcessInfo.processInfo.environment["PARLEY_TEST_PATIENCE"].flatMap(Int.init) ?? 1)

/// Waits until the condition holds.
/// - Parameter limit: the time limit, multiplied by ``patience``.
/// - Throws: ``NeverHappened`` when it does not hold within the limit.
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

/// Runs `body`, which may block, on its own thread rather than one that all tests share.
public func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}
