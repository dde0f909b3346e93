import Observation

/// A thread: its first message and all replies, in order. It changes as they do, as long as an app holds it.
///
///     let thread = chat.thread(from: message)
///     await thread.load()
///     for reply in thread.messages.dropFirst() { show(reply.text) }
@MainActor
@Observable
public final class MessageThread {
    /// The first message, then the replies that nobody deleted for me.
    public private(set) var messages: [Message] = []
    /// Why the server was not asked, or did not answer: what is shown is what the device has. Nil: it answered.
    public private(set) var problem: Refusal?

    @ObservationIgnored private let conversation: Conversation
    @ObservationIgnored private let root: Message
    @ObservationIgnored private var following: Task<Void, Never>?

    init(of root: Message, in conversation: Conversation, changes: AsyncStream<ConversationChange>?) {
        (self.root, self.conversation) = (root, conversation)
        take(conversation.messages)
        guard let changes else { return }
        following = Task { [weak self] in
            for await change in changes {
                guard let self else { return }
                take(change)
            }
        }
    }

    deinit { following?.cancel() }

    /// Reads it from the server.
    public func load() async {
        do throws(Refusal) {
            take(try await conversation.readThread(of: root))
            problem = nil
        } catch {
            problem = error
        }
    }

    private var first: Int64? { root.threadStart ?? root.seq }

    private func belongs(_ message: Message) -> Bool {
        message.seq == first || (message.threadStart != nil && message.threadStart == first)
            // What answers one of its messages, also before it is sent.
            || (message.replyTo != nil && messages.contains { $0.seq == message.replyTo })
    }

    private func take(_ found: [Message]) {
        var known = messages
        for message in found where belongs(message) {
            if let index = known.firstIndex(where: { $0.id == message.id }) {
                known[index] = message
            } else {
                known.append(message)
            }
        }
        show(known)
    }

    private func show(_ known: [Message]) {
        let shown = known.filter { !$0.isHidden }.sorted { ($0.seq ?? .max, $0.sentAt) < ($1.seq ?? .max, $1.sentAt) }
        if shown != messages { messages = shown }
    }

    private func take(_ change: ConversationChange) {
        guard change.conversation == conversation.id else { return }
        switch change {
        case .appended(let message), .changed(let message): take([message])
        case .removed(let ids, _): show(messages.filter { !ids.contains($0.id) })
        case .status(_, let id, _):
            if let message = conversation.messages.first(where: { $0.id == id }) { take([message]) }
        case .gone: show([])
        case .updated, .migrated: break
        }
    }
}

extension Conversation {
    /// Returns the thread that a message begins or belongs to, with what is shown of it here.
    public func thread(from message: Message) -> MessageThread {
        MessageThread(of: message, in: self, changes: reader?.changes)
    }
}
