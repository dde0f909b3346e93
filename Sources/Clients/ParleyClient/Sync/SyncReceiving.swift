/// Updates: the gap rule, and what each kind changes.
extension SyncMachine {
    /// Takes an Update with a position, and applies it and those that follow it, unless an earlier one is missing.
    mutating func receive(
        _ content: Update.Content, stream name: String, at position: Int64, _ now: ContinuousClock.Instant
    ) {
        guard position > 0, options.services.contains(String(StoredStream(name).service)) else { return }
        // Until it comes back, nothing of a conversation that is gone is held.
        if let conversation = StoredStream(name).conversation, records[conversation]?.section == .gone { return }
        follow(name)
        let heldMax = options.heldMax
        streams[name]?.hold(content, at: position, max: heldMax)
        wake(name)
        advance(name, now)
    }

    /// Follows a stream from its beginning, if it is not followed.
    private mutating func follow(_ name: String) {
        guard streams[name] == nil else { return }
        var stream = SyncStream(StoredStream(name))
        if let conversation = stream.stored.conversation, let own = ownStream(of: conversation) {
            stream.stored.epoch = streams[own]?.stored.epoch ?? ""
        }
        streams[name] = stream
    }

    /// Whether Updates of a stream are held, since a reply is on its way that has what came before.
    private func mustWait(_ stream: SyncStream) -> Bool {
        let name = stream.stored.name
        let isSyncing =
            stream.stored.conversation == nil ? unsynced.contains(name) : !unsynced.isDisjoint(with: ownStreams)
        // Between two pages too: reactions may be to a message that the next page brings.
        return isSyncing || stream.stored.isBehind || asking.isUnderWay(.stream(name))
    }

    /// Applies the held Updates that follow without a gap. If some remain, the missing ones are requested in a moment.
    mutating func advance(_ name: String, _ now: ContinuousClock.Instant) {
        guard let stream = streams[name] else { return }
        let hadGap = gaps.contains(name)
        if stream.hasGap { gaps.insert(name) }
        guard !mustWait(stream) else { return }
        var moved = false
        while let content = streams[name]?.next() {
            if case .reactions(let reactions) = content, reactions.changes.isEmpty {
                // Published again: only a reply has my own reactions.
                streams[name]?.putBack(content)
                streams[name]?.stored.isBehind = true
                changedStreams.insert(name)
                asking.add(.stream(name))
                return
            }
            moved = true
            apply(content, of: stream.stored)
        }
        if moved { changedStreams.insert(name) }
        guard streams[name]?.hasGap ?? false else {
            gaps.remove(name)
            streams[name]?.dueAt = nil
            return
        }
        // After a refusal the request is repeated when it may be.
        guard !asking.isPlanned(.stream(name)) else { return }
        // After a step the Update that is missing now gets the full wait.
        let (isDue, due) = (streams[name]?.dueAt != nil, now + options.patience)
        guard moved || !hadGap || !isDue else { return }
        streams[name]?.dueAt = due
        nextDue = nextDue.map { min($0, due) } ?? due
    }

    /// Applies the Updates that waited until a service was synced.
    mutating func advanceGaps(_ now: ContinuousClock.Instant) {
        for name in gaps.sorted() { advance(name, now) }
    }

    mutating func change(_ conversation: String, _ body: (inout ConversationRecord) -> Void) {
        body(&records[conversation, default: ConversationRecord(conversation)])
        changedRecords.insert(conversation)
    }

    // MARK: Applying

    mutating func apply(unordered content: Update.Content, _ now: ContinuousClock.Instant) {
        switch content {
        case .receipt(let receipt):
            if isOfKnownEpoch(receipt.conversation) { actions.append(.store(.receipt(receipt))) }
        case .readCount(let count):
            if isOfKnownEpoch(count.conversation) { actions.append(.store(.readCount(count))) }
        case .presenceState(let state): actions.append(.tell(.presence(state)))
        case .typing(let state): take(state, at: now)
        case .ownPresence(let state): actions.append(.tell(.ownPresence(state)))
        case .pushSettings(let state): actions.append(.tell(.pushSettings(state)))
        default: break
        }
    }

    private mutating func apply(_ content: Update.Content, of stream: StoredStream) {
        switch content {
        case .conversation(let conversation): apply(conversation)
        case .message(let message): store(message, from: .update)
        case .reactions(let reactions):
            if reactions.seq > records[reactions.conversation]?.unread.state.clearedSeq ?? 0 {
                store(.reactions(reactions), of: reactions.conversation)
            }
        case .messageState(let state): store(.messageState(state), of: state.conversation)
        case .inboxState(let state):
            take(state)
            note(stream.cell, of: state.conversation)
        case .receipt(let receipt): actions.append(.store(.receipt(receipt)))
        case .readCount(let count): actions.append(.store(.readCount(count)))
        case .presenceState, .ownPresence, .typing, .pushSettings, .other: break
        case .block:
            actions.append(.store(.put(content)))
            doubtMentions()
        default: actions.append(.store(.put(content)))
        }
    }

    /// Stores what belongs to a message. A reply that is on its way may bring the message as it was before.
    mutating func store(_ change: SyncChange, of conversation: String) {
        actions.append(.store(change))
        if isReading(conversation) { streams[StoredStream.messages(of: conversation)]?.meanwhile.append(change) }
    }

    /// Whether a reply with messages of a conversation is on its way.
    func isReading(_ conversation: String) -> Bool {
        let requests: [Subject] = [
            .stream(StoredStream.messages(of: conversation)), .earlier(conversation: conversation),
            .later(conversation: conversation),
        ]
        return requests.contains(where: asking.isUnderWay)
    }

    /// Stores a message, new or changed, unless I cleared it.
    mutating func store(_ message: Parley_V1_Message, from source: SyncSource) {
        guard message.seq > records[message.conversation]?.unread.state.clearedSeq ?? 0 else { return }
        endTyping(by: message)
        actions.append(.store(.message(message, from: source)))
        let me = me
        change(message.conversation) { record in
            record.unread.note(message, by: me)
            record.newest.note(message.seq, sentAt: message.sentAtUs)
            // Without an earlier one, the stream is followed from its beginning.
            if message.seq > record.unread.heldTo {
                record.unread.hold(from: record.unread.heldFrom ?? 1, to: message.seq)
            }
        }
    }

    /// Notes the cell that a conversation is in.
    mutating func note(_ cell: Substring, of conversation: String) {
        guard records[conversation]?.cell ?? "" != cell else { return }
        change(conversation) { $0.cell = String(cell) }
    }

    /// Takes my state of a conversation, unless the held one is newer.
    mutating func take(_ state: Parley_V1_InboxState) {
        let before = records[state.conversation]?.unread.state ?? Parley_V1_InboxState()
        guard records[state.conversation]?.section != .gone,
            (state.ownPosition, state.countedPosition) >= (before.ownPosition, before.countedPosition)
        else { return }
        change(state.conversation) { $0.unread.take(state) }
        actions.append(.store(.inboxState(state)))
        if state.clearedSeq > before.clearedSeq {
            actions.append(.store(.clear(conversation: state.conversation, upTo: state.clearedSeq)))
        }
        if state.renewedPosition > before.renewedPosition { readAgain(state.conversation) }
    }

    /// Takes a conversation: it may become mine, stop being mine, or be gone.
    mutating func apply(_ conversation: Parley_V1_Conversation) {
        let id = conversation.id
        let before = records[id] ?? ConversationRecord(id)
        guard conversation.position > before.position else { return }
        unseen?.remove(id)
        change(id) { record in
            (record.position, record.section) = (conversation.position, conversation.section)
            record.hasLeft = conversation.leftAtUs != 0
        }
        let isMine = records[id]?.isMine ?? false
        if isMine, lookedAt.last == id { readReceipts(of: id) }
        // Whether it went and came back unseen, perhaps while its service starts over.
        let wasShown = before.section != .unspecified && before.section != .gone && !before.hasLeft
        let hasReturned = isMine && wasShown && conversation.returnedPosition > before.position
        if conversation.section == .gone {
            drop(id)
            change(id) { $0.wasLost = true }
            actions += [.store(.dropConversation(id)), .tell(.gone(conversation))]
            return
        }
        actions.append(.store(.put(.conversation(conversation))))
        guard options.services.contains("messaging") else { return }
        let name = StoredStream.messages(of: id)
        if isMine, !before.isMine || hasReturned {
            let holdsNothing = streams[name] == nil
            // Of one that has gone, the position may be of another epoch.
            let isBack = before.position != 0 || before.section == .gone
            if isBack {
                // Mine again: what I may read starts anew. No Update brings back a dropped inbox state.
                drop(id)
                actions.append(.store(.dropMessages(conversation: id)))
            }
            if hasReturned || (isBack && before.wasLost) { uncounted.insert(id) }
            if !uncounted.isEmpty { asking.add(.inboxStates) }
            // At the very first sync, the pages of the inbox say where each conversation stands.
            if isBack || (holdsNothing && !isFirstSync) { requestChanges(of: name) }
        } else if before.isMine, !isMine {
            // No more of its Updates arrive, but earlier messages may still be missing.
            change(id) { record in
                record.wasLost = true
                record.unread.changeWindow()
            }
            if streams[name] != nil { requestChanges(of: name) }
        }
    }

    /// Whom I block has changed, and whose mentions count with it.
    mutating func doubtMentions() {
        for (id, record) in records where record.newest.seq > record.unread.readUpTo {
            change(id) { $0.unread.changeWindow() }
        }
    }

    /// Whether the inbox is being listed, page after page, as nothing was held.
    var isFirstSync: Bool {
        ownStreams.contains { name in
            unsynced.contains(name) && streams[name].map { $0.stored.cursor.isEmpty || $0.isListing } ?? true
        }
    }

    /// Requests the changes of a stream of messages after its position.
    mutating func requestChanges(of name: String) {
        follow(name)
        streams[name]?.stored.isBehind = true
        changedStreams.insert(name)
        asking.add(.stream(name))
    }

    /// Forgets what is known of a conversation's messages.
    private mutating func drop(_ id: String) {
        forget(StoredStream.messages(of: id))
        forgetReceipts(of: id)
        change(id) { record in (record.unread, record.newest) = (UnreadBasis(), Newest()) }
    }

    /// Stops following a stream.
    mutating func forget(_ name: String) {
        asking.forget(.stream(name))
        gaps.remove(name)
        guard streams.removeValue(forKey: name) != nil else { return }
        actions.append(.store(.forgetStream(name)))
    }
}
