import ParleyClient

/// When to tell the server that I am writing in a conversation. Pure.
struct Composing {
    /// The server forgets it 3 s after the last signal.
    static let lifetime = Duration.seconds(3)
    static let interval = Duration.seconds(2)

    private var signalledAt: ContinuousClock.Instant?

    /// Returns whether to say now that I am writing.
    mutating func isDue(at now: ContinuousClock.Instant) -> Bool {
        guard signalledAt.map({ now - $0 >= Self.interval }) ?? true else { return false }
        signalledAt = now
        return true
    }

    /// Returns whether to say now that I stopped.
    mutating func stops(at now: ContinuousClock.Instant) -> Bool {
        defer { signalledAt = nil }
        return signalledAt.map { now - $0 < Self.lifetime } ?? false
    }
}

/// Sends that I write, or stopped, in the order in which it happened: the next once the last is answered, and of what
/// waits only the latest of each conversation.
@MainActor
final class ComposingSignals {
    private var waiting: [(isTyping: Bool, conversation: ConversationID)] = []
    private var isSending = false
    private let transmit: @MainActor (Bool, ConversationID) async -> Void

    init(_ transmit: @escaping @MainActor (Bool, ConversationID) async -> Void) { self.transmit = transmit }

    func send(_ isTyping: Bool, in id: ConversationID) {
        waiting.removeAll { $0.conversation == id }
        waiting.append((isTyping, id))
        guard !isSending else { return }
        isSending = true
        Task {
            while !waiting.isEmpty {
                let next = waiting.removeFirst()
                await transmit(next.isTyping, next.conversation)
            }
            isSending = false
        }
    }
}

extension Conversation {
    /// Shows the others that I am writing. Call it with each keystroke; the server is told every 2 s at most. It ends
    /// at most 3 s after the last call, with ``stopComposing()``, and when I send a message. Without a connection it
    /// does nothing.
    public func composing() {
        if composer.isDue(at: .now) { reader?.setTyping(true, in: id) }
    }

    /// Shows the others that I stopped writing, such as when the text is empty again or the screen closes.
    public func stopComposing() {
        if composer.stops(at: .now) { reader?.setTyping(false, in: id) }
    }
}

extension Parley {
    func newComposingSignals() -> ComposingSignals {
        // What is refused or lost is not worth repeating.
        ComposingSignals { [weak self] isTyping, id in
            guard let client = self?.client else { return }
            try? await client.setTyping(isTyping, in: id.rawValue)
        }
    }

    func setTyping(_ isTyping: Bool, in id: ConversationID) {
        onComposing?(isTyping, id)
        if connection == .online { composingSignals.send(isTyping, in: id) }
    }
}
