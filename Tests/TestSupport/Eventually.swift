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

/// How long a test waits for something unless it says otherwise: several times what it takes on a machine that does
/// much else, where whoever follows a journal is far behind for a while.
public let defaultLimit: Duration = .seconds(60)

/// Waits until the condition holds.
/// - Parameter limit: the time limit, multiplied by ``patience``.
/// - Throws: ``NeverHappened`` when it does not hold within the limit.
public func eventually(
    isolation: isolated (any Actor)? = #isolation, within limit: Duration = defaultLimit, _ what: String,
    _ condition: () async throws -> Bool
) async throws {
    let (limit, start) = (limit * patience, ContinuousClock.now)
    while true {
        if try await condition() { return }
        let waited = ContinuousClock.now - start
        guard waited < limit else { throw NeverHappened(description: "\(what): not within \(limit)") }
        try await Task.sleep(for: pause(after: waited))
    }
}

/// Returns after which pause a condition is looked at again: an eighth of what was waited for it, so that what takes
/// long is not slowed down by those who wait for it.
public func pause(after waited: Duration) -> Duration { min(max(.milliseconds(5), waited / 8), .milliseconds(250)) }

/// Waits until the condition at a place of a test holds.
/// - Throws: ``NeverHappened`` when it does not hold within ``defaultLimit``.
public func eventually(
    isolation: isolated (any Actor)? = #isolation, file: String = #fileID, line: Int = #line,
    _ condition: () async throws -> Bool
) async throws {
    try await eventually("the condition of \(file):\(line)", condition)
}

/// Runs `body`, which may block, on its own thread rather than one that all tests share.
public func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}

/// Waits for what `body` returns, for a limited time. If `body` takes longer, it is left alone.
/// - Parameter limit: the time limit, multiplied by ``patience``.
/// - Throws: ``NeverHappened`` when it takes longer, and what `body` throws.
@discardableResult
public func limited<T: Sendable>(
    within limit: Duration = defaultLimit, _ what: String, _ body: @escaping @Sendable () async throws -> T
) async throws -> T {
    let limit = limit * patience
    let (results, continuation) = AsyncThrowingStream<T, any Error>.makeStream()
    let tasks = [
        Task {
            do {
                continuation.yield(try await body())
            } catch {
                continuation.finish(throwing: error)
            }
        },
        Task {
            try await Task.sleep(for: limit)
            continuation.finish(throwing: NeverHappened(description: "\(what): not within \(limit)"))
        },
    ]
    defer { for task in tasks { task.cancel() } }
    for try await result in results { return result }
    throw CancellationError()
}

/// Returns what comes from a sequence until it is complete.
/// - Parameter limit: the time limit, multiplied by ``patience``.
/// - Throws: ``NeverHappened`` when it is not complete within the limit.
public func received<S: AsyncSequence & Sendable>(
    within limit: Duration = defaultLimit, _ what: String, from sequence: S,
    until isComplete: @escaping @Sendable ([S.Element]) -> Bool
) async throws -> [S.Element] where S.Element: Sendable {
    try await limited(within: limit, what) {
        var elements: [S.Element] = []
        for try await element in sequence {
            elements.append(element)
            if isComplete(elements) { break }
        }
        return elements
    }
}
