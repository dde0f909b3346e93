import Synchronization

/// Hands what happens on other threads to the one task that plays a case, in order.
final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var items: [Element] = []
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func put(_ item: Element) {
        let waiter = state.withLock { state in
            state.items.append(item)
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Returns the next item; nil when the time has come or the task was cancelled.
    func next(until end: ContinuousClock.Instant) async -> Element? {
        if let item = pop() { return item }
        if end <= .now || Task.isCancelled { return nil }
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.arrival() }
            group.addTask { try? await Task.sleep(until: end) }
            await group.next()
            group.cancelAll()
            await group.waitForAll()
            return pop()
        }
    }

    private func pop() -> Element? {
        state.withLock { $0.items.isEmpty ? nil : $0.items.removeFirst() }
    }

    /// Waits until there is an item, or until the task is cancelled.
    private func arrival() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if !state.items.isEmpty || Task.isCancelled { return true }
                    state.waiter = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiter.take() }?.resume()
        }
    }
}
