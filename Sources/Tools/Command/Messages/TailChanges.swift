import ParleyClient

/// Prints changes to messages for `parley tail`.
struct TailChanges {
    let showsReceipts: Bool
    let showsTyping: Bool
    let isTitled: Bool
    let style: Style
    /// The edit and delete times already shown, by conversation and seq, because a change may arrive twice.
    private var shown: [String: [Int64: [Int64]]] = [:]

    /// Who is typing, by conversation.
    private var typing: [String: [String]] = [:]

    private struct ChangeJSON: Encodable {
        var type = "changed"
        var message: MessageJSON
    }

    private struct ReactionsJSON: Encodable {
        struct Change: Encodable {
            var user: String
            var username: String
            var emoji: String
            var removed: Bool
        }

        var type = "reactions"
        var conversation: String
        var seq: Int64
        var reactions: [MessageJSON.ReactionJSON]
        var changes: [Change]
    }

    private struct ReadCountJSON: Encodable {
        var type = "read_count"
        var conversation: String
        var seq: Int64
        var read: Int64
        var delivered: Int64
    }

    private struct TypingJSON: Encodable {
        struct Typist: Encodable {
            var user: String
            var username: String
        }

        var type = "typing"
        var conversation: String
        var users: [Typist]
    }

    init(showsReceipts: Bool, showsTyping: Bool, isTitled: Bool, style: Style) {
        (self.showsReceipts, self.showsTyping) = (showsReceipts, showsTyping)
        (self.isTitled, self.style) = (isTitled, style)
    }

    /// Returns the conversation of an item; nil if the item is shown for every conversation.
    func conversation(of item: ConversationFeed.Item) -> String? {
        switch item {
        case .message(let message), .changed(let message): message.conversation
        case .reactions(let reactions): reactions.conversation
        case .receipt(let receipt): receipt.conversation
        case .readCount(let count): count.conversation
        case .typing(let conversation, _): conversation
        default: nil
        }
    }

    /// Prints a change as text or JSON.
    mutating func show(_ item: ConversationFeed.Item, for me: Person) async {
        switch item {
        case .changed(let message): await show(message, for: me)
        case .reactions(let reactions): await show(reactions, for: me)
        case .receipt(let receipt) where showsReceipts && receipt.user != me.user: await show(receipt, for: me)
        case .readCount(let count) where showsReceipts:
            if me.isJSON {
                return Output.json(
                    ReadCountJSON(
                        conversation: count.conversation, seq: count.seq, read: count.read, delivered: count.delivered))
            }
            await line("message \(count.seq) was read by \(count.read)", in: count.conversation, for: me)
        case .typing(let conversation, let users) where showsTyping: await show(users, typingIn: conversation, for: me)
        default: break
        }
    }

    private mutating func show(_ users: [String], typingIn conversation: String, for me: Person) async {
        let others = users.filter { $0 != me.user }
        let names = await me.names.usernames(of: others)
        let earlier = typing.updateValue(others, forKey: conversation) ?? []
        if others.isEmpty { typing[conversation] = nil }
        if me.isJSON {
            return Output.json(
                TypingJSON(
                    conversation: conversation, users: others.map { .init(user: $0, username: names[$0] ?? $0) }))
        }
        for user in others where !earlier.contains(user) {
            await line("\(names[user] ?? user) is typing", in: conversation, for: me)
        }
    }

    private mutating func show(_ message: Parley_V1_Message, for me: Person) async {
        let times = [message.editedAtUs, message.deletedAtUs]
        // Other changes have their own items.
        guard times != [0, 0], shown[message.conversation]?[message.seq] != times else { return }
        // Bounds the memory. After this, a change that arrives twice may be shown twice.
        if shown[message.conversation]?.count ?? 0 >= 10_000 { shown[message.conversation] = nil }
        shown[message.conversation, default: [:]][message.seq] = times
        let sender = await me.names.sender(of: message)
        if me.isJSON {
            let title = await me.names.title(message.conversation)
            return Output.json(ChangeJSON(message: MessageJSON(message, title: title, sender: sender)))
        }
        let words =
            message.deletedAtUs != 0
            ? "message \(message.seq) of \(PlainText.shown(sender)) was deleted"
            : "\(PlainText.shown(sender)) edited message \(message.seq): \(PlainText.shown(message.text))"
        await line(words, in: message.conversation, for: me)
    }

    private func show(_ reactions: Parley_V1_Reactions, for me: Person) async {
        let names = await me.names.usernames(of: reactions.changes.map(\.user))
        if me.isJSON {
            return Output.json(
                ReactionsJSON(
                    conversation: reactions.conversation, seq: reactions.seq,
                    reactions: reactions.counts.map(MessageJSON.ReactionJSON.init),
                    changes: reactions.changes.map {
                        .init(
                            user: $0.user, username: names[$0.user] ?? $0.user, emoji: $0.emoji, removed: $0.removed)
                    }))
        }
        for change in reactions.changes {
            let (name, emoji) = (names[change.user] ?? change.user, PlainText.shown(change.emoji))
            await line(
                change.removed
                    ? "\(name) removed \(emoji) from message \(reactions.seq)"
                    : "\(name) added \(emoji) to message \(reactions.seq)", in: reactions.conversation, for: me)
        }
    }

    private func show(_ receipt: Parley_V1_Receipt, for me: Person) async {
        let name = await me.names.usernames(of: [receipt.user])[receipt.user] ?? receipt.user
        if me.isJSON { return Output.json(ReceiptJSON(receipt, username: name)) }
        let isRead = receipt.readSeq >= receipt.deliveredSeq
        await line(
            isRead
                ? "\(name) has read up to message \(receipt.readSeq)"
                : "message \(receipt.deliveredSeq) was delivered to \(name)", in: receipt.conversation, for: me)
    }

    private func line(_ words: String, in conversation: String, for me: Person) async {
        let title = isTitled ? "[\(PlainText.shown(await me.names.title(conversation)))] " : ""
        Output.line(style.dim("\(Times.short(Times.now())) \(title)* \(words)"))
    }
}
