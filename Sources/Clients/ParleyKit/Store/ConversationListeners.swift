/// Those who follow all conversations.
@MainActor
final class ConversationListeners {
    /// Called with each change before the function that made it returns.
    var first: (@MainActor (ConversationChange) -> Void)?
    private var last = 0
    private var listeners: [Int: AsyncStream<ConversationChange>.Continuation] = [:]

    /// The changes from now on. One whose reader is more than 10,000 changes behind ends.
    var stream: AsyncStream<ConversationChange> {
        last += 1
        let number = last
        let (stream, continuation) = AsyncStream.makeStream(
            of: ConversationChange.self, bufferingPolicy: .bufferingOldest(10_000))
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.listeners[number] = nil }
        }
        listeners[number] = continuation
        return stream
    }

    /// - Parameter change: made only if somebody listens.
    func tell(_ change: @autoclosure () -> ConversationChange) {
        guard first != nil || !listeners.isEmpty else { return }
        let change = change()
        first?(change)
        for (number, listener) in listeners {
            if case .dropped = listener.yield(change) {
                listener.finish()
                listeners[number] = nil
            }
        }
    }

    func finish() {
        for listener in listeners.values { listener.finish() }
        (listeners, first) = ([:], nil)
    }
}
