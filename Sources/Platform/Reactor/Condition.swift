/// Lets tasks wait until something is true, without polling: whoever may have made it true calls ``changed()``.
@ReactorActor
public final class Condition {
    private let isMet: @ReactorActor () -> Bool
    private var waits: [Wait] = []

    public init(_ isMet: @escaping @ReactorActor () -> Bool) { self.isMet = isMet }

    /// Lets the waiting tasks go on if the condition is met. Costs next to nothing while none waits.
    public func changed() {
        guard !waits.isEmpty, isMet() else { return }
        for wait in waits { wait.end(true) }
        waits = []
    }

    /// Returns once the condition is met, `limit` has passed, or the task is cancelled.
    /// - Returns: whether the condition was met.
    @discardableResult
    public func wait(atMost limit: Duration) async -> Bool {
        guard !isMet() else { return true }
        let wait = Wait()
        waits.append(wait)
        defer { waits.removeAll { $0 === wait } }
        return await wait.value(atMost: limit)
    }
}

/// One task that is suspended until it is woken or cancelled, or a time has passed.
@ReactorActor
final class Wait {
    private var continuation: CheckedContinuation<Bool, Never>?
    private var timer: Reactor.Timer?

    /// Suspends the task. Call it once.
    /// - Returns: what ``end(_:)`` was called with; false after `limit` or if the task is cancelled.
    func value(atMost limit: Duration) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.continuation = continuation
                timer = Reactor.shared.after(limit) { self.end(false) }
                if Task.isCancelled { end(false) }
            }
        } onCancel: {
            Task.onLoop { self.end(false) }
        }
    }

    func end(_ value: Bool) {
        if let timer { Reactor.shared.cancel(timer) }
        continuation?.resume(returning: value)
        continuation = nil
    }
}
