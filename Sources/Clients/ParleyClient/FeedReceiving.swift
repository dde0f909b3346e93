/// The changes that reach the feed by Updates, or by replies to the app's own requests. Each is delivered in the order
/// of its stream.
extension ConversationFeed {
    func received(_ update: Update) {
        guard inboxIsKnown else {
            // Beyond this number, a second sync brings them.
            if early.count < 10_000 { early.append(update) } else { again.insert(.inbox) }
            return
        }
        switch try? update.content() {
        case .message(let message): received(.message(message), of: message.conversation, position: update.position)
        case .reactions(let reactions) where reactions.changes.isEmpty: receivedAgain(reactions)
        case .reactions(let reactions):
            received(.reactions(reactions), of: reactions.conversation, position: update.position)
        case .inboxState(let state): received(.inboxState(state), position: update.position)
        case .messageState(let state): received(.messageState(state), position: update.position)
        case .conversation(let conversation): received(conversation, position: update.position)
        case .receipt(let receipt): put(.receipt(receipt))
        case .readCount(let count): put(.readCount(count))
        default: if update.position > 0 { countPosition(of: update) }
        }
    }

    /// Takes a message from a reply.
    func received(_ message: Parley_V1_Message) {
        guard inboxIsKnown else {
            // The inbox is read after this reply and includes the message.
            add(.inbox)
            return
        }
        received(.message(message), of: message.conversation, position: message.position)
    }

    func received(_ conversation: Parley_V1_Conversation) {
        received(conversation, position: conversation.position)
    }

    /// Takes an inbox state from a reply. No Update brings this change to the session that caused it.
    func learned(_ state: Parley_V1_InboxState) {
        guard inboxIsKnown else { return add(.inbox) }
        if state.ownPosition > own.position(of: "") ?? 0 {
            received(.inboxState(state), position: state.ownPosition)
        } else {
            put(.inboxState(state))
        }
    }

    func learned(_ state: Parley_V1_MessageState) {
        guard inboxIsKnown else { return add(.inbox) }
        if state.ownPosition > 0 { received(.messageState(state), position: state.ownPosition) }
    }

    func unsure(of conversation: String) {
        addLater(messages.position(of: Self.stream(of: conversation)) == nil ? .inbox : .changes(conversation))
    }

    private func received(_ change: Change, of conversation: String, position: Int64) {
        let stream = Self.stream(of: conversation)
        if messages.position(of: stream) == nil {
            // The conversation is new or became mine now. My window begins at or before this change, and the history,
            // which is read afterwards, has all of it.
            messages.start(stream, at: position - 1)
            let isFirst = if case .message(let message) = change { message.seq == 1 && position == 1 } else { false }
            following[conversation] = Following(next: isFirst ? 1 : nil)
            if !isFirst { add(.load(conversation)) }
        }
        apply(messages.received(change, stream: stream, position: position, at: .now))
    }

    /// Takes reactions that were published again, without the changes that led to them: only a reply has my own.
    private func receivedAgain(_ reactions: Parley_V1_Reactions) {
        guard let position = messages.position(of: Self.stream(of: reactions.conversation)) else { return add(.inbox) }
        if reactions.position > position { add(.changes(reactions.conversation)) }
    }

    private func received(_ change: OwnChange, position: Int64) {
        apply(own.received(change, stream: "", position: position, at: .now))
    }

    private func received(_ conversation: Parley_V1_Conversation, position: Int64) {
        apply(conversations.received(conversation, stream: "", position: position, at: .now))
    }

    /// Counts the position of an Update without content for the feed: it was superseded by a later change of its
    /// stream, or is of a kind that the feed does not deliver.
    private func countPosition(of update: Update) {
        if update.stream.hasPrefix(Self.stream(of: "")) {
            apply(messages.received(nil, stream: update.stream, position: update.position, at: .now))
        } else if update.stream.hasPrefix("messaging/u/") {
            apply(own.received(nil, stream: "", position: update.position, at: .now))
        } else if update.stream.hasPrefix("conversations/u/") {
            apply(conversations.received(nil, stream: "", position: update.position, at: .now))
        }
    }

    private func apply(_ verdict: StreamTracker<Change?>.Verdict) {
        switch verdict {
        case .apply(let ready):
            deliver(ready)
            // After joining again I may not read the messages sent meanwhile. The seqs skip them, but the positions
            // have no gap.
            for conversation in Set(ready.compactMap { $0?.conversation }) { readMissing(of: conversation) }
        case .held: setTimer()
        case .unknown: add(.inbox)
        case .duplicate: break
        }
        checkQuiet()
    }

    private func apply(_ verdict: StreamTracker<OwnChange?>.Verdict) {
        switch verdict {
        case .apply(let ready): deliver(ready)
        case .held: setTimer()
        case .unknown: add(.inbox)
        case .duplicate: break
        }
        checkQuiet()
    }

    private func apply(_ verdict: StreamTracker<Parley_V1_Conversation?>.Verdict) {
        switch verdict {
        case .apply(let ready): for conversation in ready.compactMap(\.self) { deliver(conversation) }
        case .held: setTimer()
        case .unknown: add(.conversations)
        case .duplicate: break
        }
        checkQuiet()
    }

    // MARK: Delivering

    func deliver(_ changes: [Change?]) {
        for change in changes {
            switch change {
            case .message(let message): deliver(message, isReply: false)
            case .reactions(let reactions): deliver(reactions)
            case nil: break
            }
        }
    }

    func deliver(_ changes: [OwnChange?]) {
        for change in changes {
            switch change {
            case .inboxState(let state): put(.inboxState(state))
            case .messageState(let state): deliver(state)
            case nil: break
            }
        }
    }

    /// Delivers a new or changed message, or holds it until those before it are delivered.
    /// - Parameter isReply: whether it comes from a reply, which includes my message state.
    func deliver(_ message: Parley_V1_Message, isReply: Bool) {
        var state = followed(message.conversation)
        defer { following[message.conversation] = state }
        guard let next = state.next, message.seq < next else {
            state.hold(message, isReply: isReply)
            return drain(&state)
        }
        put(.changed(isReply ? message.withOwn : message))
    }

    private func deliver(_ reactions: Parley_V1_Reactions) {
        guard let next = following[reactions.conversation]?.next, reactions.seq < next else {
            var state = followed(reactions.conversation)
            state.reactions[reactions.seq, default: []].append(reactions)
            following[reactions.conversation] = state
            return
        }
        put(.reactions(reactions))
    }

    /// Delivers my state of a message, or holds it until the message is delivered.
    func deliver(_ state: Parley_V1_MessageState) {
        guard let following = following[state.conversation], state.seq >= following.next ?? 0 else {
            return put(.messageState(state))
        }
        guard following.messageStates[state.seq].map({ $0.ownPosition <= state.ownPosition }) ?? true else { return }
        self.following[state.conversation]?.messageStates[state.seq] = state
    }

    func deliver(_ conversation: Parley_V1_Conversation) {
        let (id, stream) = (conversation.id, Self.stream(of: conversation.id))
        known.insert(id)
        put(.conversation(conversation))
        if conversation.section == .gone {
            messages.forget(stream)
            following[id] = nil
        } else if conversation.leftAtUs != 0 {
            // No Updates come from a conversation that I left: request the changes up to the end of my window.
            if messages.position(of: stream) != nil { add(.changes(id)) }
        } else if inboxIsKnown, messages.position(of: stream) == nil {
            // No Update brings the messages written before it became mine, as while I had declined a request.
            messages.start(stream, at: 0)
            following[id] = Following()
            add(.changes(id))
            add(.load(id))
        }
    }

    /// Removes and returns the progress of a conversation; the caller puts it back. A conversation that was dropped
    /// while a change was under way, because I was not a member then, is read again from its beginning.
    private func followed(_ conversation: String) -> Following {
        if let state = following.removeValue(forKey: conversation) { return state }
        add(.load(conversation))
        return Following()
    }

    /// Reads the history by seq if messages are still waiting after all changes have arrived.
    func readMissing(of conversation: String) {
        guard let state = following[conversation], state.next != nil, !state.waiting.isEmpty else { return }
        add(.load(conversation))
    }

    /// Delivers the waiting messages that follow without a gap.
    func drain(_ state: inout Following) {
        while let next = state.next, var message = state.waiting.removeValue(forKey: next) {
            for reactions in state.reactions.removeValue(forKey: next) ?? [] { message.take(reactions, by: me) }
            if let mine = state.messageStates.removeValue(forKey: next) { message.take(mine) }
            if message.own == Parley_V1_OwnMessageState() { message.clearOwn() }
            put(.message(message))
            state.next = next + 1
        }
    }
}

extension ConversationFeed.Following {
    /// Holds a message until the ones before it are delivered. Of two versions the later one is kept. That of a reply
    /// includes the reactions up to its position.
    mutating func hold(_ message: Parley_V1_Message, isReply: Bool) {
        if isReply { reactions[message.seq]?.removeAll { $0.position <= message.position } }
        let message = isReply ? message.withOwn : message
        guard var held = waiting[message.seq] else {
            waiting[message.seq] = message
            return
        }
        held.take(message)
        waiting[message.seq] = held
    }
}

extension Parley_V1_Message {
    /// A message of a reply, in which the absence of `own` means that I have no state of it.
    fileprivate var withOwn: Parley_V1_Message {
        guard !hasOwn else { return self }
        var message = self
        message.own = Parley_V1_OwnMessageState()
        return message
    }
}
