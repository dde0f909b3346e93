import ParleyKit

/// What can be done with a message, as its menu shows it.
public enum MessageAction: String, Identifiable, Hashable, Sendable, CaseIterable {
    case reply, thread, copy, edit, star, unstar, remind, open, retry, discard, cancelUpload, deleteForMe, deleteForAll

    public var id: String { rawValue }

    public var title: String {
        switch self {
        case .reply: "Reply"
        case .thread: "Show thread"
        case .copy: "Copy"
        case .edit: "Edit"
        case .star: "Star"
        case .unstar: "Remove star"
        case .remind: "Remind me"
        case .open: "Open file"
        case .retry: "Try again"
        case .discard: "Discard"
        case .cancelUpload: "Cancel sending"
        case .deleteForMe: "Delete for me"
        case .deleteForAll: "Delete for everyone"
        }
    }

    /// An SF Symbol.
    public var symbol: String {
        switch self {
        case .reply: "arrowshape.turn.up.left"
        case .thread: "bubble.left.and.bubble.right"
        case .copy: "doc.on.doc"
        case .edit: "pencil"
        case .star: "star"
        case .unstar: "star.slash"
        case .remind: "bell"
        case .open: "doc"
        case .retry: "arrow.clockwise"
        case .discard, .cancelUpload: "xmark"
        case .deleteForMe, .deleteForAll: "trash"
        }
    }

    public var isDestructive: Bool { self == .discard || self == .deleteForMe || self == .deleteForAll }
}

extension ChatModel {
    /// The emoji that are offered.
    public static let emoji = ["👍", "❤️", "😂", "😮", "😢", "🙏"]

    /// What can be done with a message now.
    public func actions(for id: MessageID) -> [MessageAction] {
        guard let message = chat.message(id) else { return [] }
        guard !message.isDeleted else { return [.deleteForMe] }
        let isMine = message.sender == parley.user
        var actions: [MessageAction] = []
        if case .failed = message.syncStatus { actions += [.retry, .discard] }
        guard message.seq != nil else {
            let isUploading = message.progress != nil && message.syncStatus == .pending
            return actions + (isUploading ? [.cancelUpload] : []) + (message.text.isEmpty ? [] : [.copy])
        }
        if canWrite { actions.append(.reply) }
        if message.thread != nil { actions.append(.thread) }
        if message.attachment != nil { actions.append(.open) }
        if !message.text.isEmpty { actions.append(.copy) }
        if isMine, message.kind == .text, canWrite { actions.append(.edit) }
        actions += [message.isStarred ? .unstar : .star, .remind, .deleteForMe]
        if isMine { actions.append(.deleteForAll) }
        return actions
    }

    /// Does what needs no other screen. Copying, the thread and the reminder are the view's.
    public func perform(_ action: MessageAction, on id: MessageID) async {
        switch action {
        case .reply: (replyingTo, editing) = (id, nil)
        case .edit: (replyingTo, editing, editedText) = (nil, id, chat.message(id)?.text ?? "")
        case .star, .unstar:
            await act(on: id) { message async throws(Refusal) in try await self.chat.star(message, action == .star) }
        case .deleteForMe: await act(on: id) { message async throws(Refusal) in try await self.chat.hide(message) }
        case .deleteForAll: await delete(id)
        case .cancelUpload: await delete(id)
        case .retry: await retry(id)
        case .discard: await discard(id)
        case .open: await open(id)
        case .copy, .thread, .remind: break
        }
    }

    /// Adds my reaction, or removes it.
    public func toggle(_ emoji: String, on id: MessageID) async {
        await act(on: id) { message async throws(Refusal) in
            if message.reactions.contains(where: { $0.emoji == emoji && $0.isMine }) {
                try await self.chat.removeReaction(emoji, from: message)
            } else {
                try await self.chat.react(emoji, to: message)
            }
        }
    }

    /// Deletes a message for everyone. One that is on its way is not sent.
    public func delete(_ id: MessageID) async {
        await act(on: id) { message async throws(Refusal) in try await self.chat.delete(message) }
    }

    /// Sends what the server refused again.
    public func retry(_ id: MessageID) async {
        guard let unsent = unsent(id) else { return }
        await attempt { () async throws(Refusal) in try await self.parley.retry(unsent) }
    }

    /// Forgets what the server refused.
    public func discard(_ id: MessageID) async {
        guard let unsent = unsent(id) else { return }
        await attempt { () async throws(Refusal) in try await self.parley.drop(unsent) }
    }

    private func unsent(_ id: MessageID) -> Unsent.ID? { parley.unsent.first { $0.message == id }?.id }

    private func act(on id: MessageID, _ body: (Message) async throws(Refusal) -> Void) async {
        guard let message = chat.message(id) else { return }
        await attempt { () async throws(Refusal) in try await body(message) }
    }
}
