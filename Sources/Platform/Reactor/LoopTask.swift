// Tasks that never leave the loop's thread.
//
// When a plain `Task { @ReactorActor in … }` is resumed, Swift queues it on its thread pool first, which then hands it
// back to the loop. That costs two changes of thread for each answer of the database, and tasks that are resumed in one
// order may go on in another. A task that prefers the loop as its executor is queued on the loop directly.

/// The loop as the executor that tasks prefer.
final class LoopExecutor: TaskExecutor {
    static let shared = LoopExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        Reactor.shared.add(Reactor.Job(job: UnownedJob(job), prefersLoop: true))
    }
}

extension Task where Success: Sendable, Failure == Never {
    /// Starts a task on the loop, in this turn if the caller is on the loop.
    @discardableResult
    public static func onLoop(_ body: @escaping @ReactorActor () async -> Success) -> Task {
        // A closure without an actor begins on the preferred executor, from where `body` is a plain call.
        Task(executorPreference: LoopExecutor.shared) { await body() }
    }
}

extension Task where Success: Sendable, Failure == any Error {
    /// Starts a task on the loop, in this turn if the caller is on the loop.
    @discardableResult
    public static func onLoop(_ body: @escaping @ReactorActor () async throws -> Success) -> Task {
        // A closure without an actor begins on the preferred executor, from where `body` is a plain call.
        Task(executorPreference: LoopExecutor.shared) { try await body() }
    }
}
