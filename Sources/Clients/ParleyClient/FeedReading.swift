/// The requests of the feed: it reads changes page by page and delivers them.
extension ConversationFeed {
    func syncConversations() async throws(ParleyError) {
        var more = true
        while more, !isStopped {
            let since = conversations.position(of: "") ?? 0
            let before = restores
            let page = try await client.syncConversations(epoch: conversations.epoch, since: since, limit: 200)
            guard restores == before else { continue }
            if conversations.enter(epoch: page.epoch) || page.startOver {
                startOver()
                add(.inbox)
            }
            if conversations.position(of: "") == nil { conversations.start("", at: 0) }
            for conversation in page.conversations { deliver(conversation) }
            for conversation in conversations.repaired("", to: page.position, at: .now).compactMap(\.self) {
                deliver(conversation)
            }
            more = page.more
        }
    }

    func syncInbox() async throws(ParleyError) {
        var more = true
        var since = own.position(of: "") ?? 0
        while more, !isStopped {
            let before = restores
            let page = try await client.syncMessaging(
                epoch: messages.epoch, cursor: cursor, ownPosition: since, limit: 200)
            guard restores == before else {
                since = 0
                continue
            }
            if messages.enter(epoch: page.epoch) || page.startOver {
                startOver()
                add(.conversations)
            }
            (cursor, since) = (page.cursor, page.ownPosition)
            for entry in page.entries { follow(entry) }
            for state in page.messageStates { deliver(state) }
            more = page.more
        }
        // The position holds only after all pages.
        if own.position(of: "") == nil { own.start("", at: since) }
        deliver(own.repaired("", to: since, at: .now))
        isStartingOver = false
        guard !inboxIsKnown else { return }
        inboxIsKnown = true
        let updates = early
        early = []
        for update in updates { received(update) }
    }

    /// Delivers an inbox entry and follows its conversation.
    func follow(_ entry: Parley_V1_InboxEntry) {
        put(.inbox(entry))
        let stream = Self.stream(of: entry.conversation)
        if let position = messages.position(of: stream) {
            if entry.position > position { add(.changes(entry.conversation)) }
            return
        }
        messages.start(stream, at: entry.position)
        if beginning == .now, !inboxIsKnown, !isStartingOver {
            following[entry.conversation] = Following(next: entry.lastSeq + 1)
        } else {
            following[entry.conversation] = Following()
            add(.load(entry.conversation))
        }
    }

    /// Drops everything held, because the server may no longer have it. One service's epoch is enough: all services are
    /// restored together.
    func startOver() {
        restores += 1
        for conversation in known.union(following.keys).sorted() { put(.startedOver(conversation: conversation)) }
        isStartingOver = !following.isEmpty || isStartingOver
        (following, known) = ([:], [])
        messages.forgetAll()
        conversations.forgetAll()
        own.forgetAll()
        cursor = ""
    }

    /// Reads the messages of a conversation that changed since the position held.
    func readChanges(of conversation: String) async throws(ParleyError) {
        let stream = Self.stream(of: conversation)
        var more = true
        while more, !isStopped {
            guard let since = messages.position(of: stream) else { return }
            let page: Parley_V1_GetChangesReply
            do throws(ParleyError) {
                page = try await client.changes(of: conversation, epoch: messages.epoch, since: since, limit: 200)
            } catch {
                messages.failed(stream, at: .now)
                throw error
            }
            guard page.epoch == messages.epoch else { return add(.inbox) }
            if page.startOver {
                // The server was restored, or no longer has the changes since this position: what is held may be wrong.
                messages.start(stream, at: page.position)
                put(.startedOver(conversation: conversation))
                restores += 1
                following[conversation] = Following()
                return add(.load(conversation))
            }
            for message in page.messages { deliver(message, isReply: true) }
            deliver(messages.repaired(stream, to: page.position, at: .now))
            more = page.more
        }
        readMissing(of: conversation)
    }

    /// Reads the history of a conversation from the next message to deliver.
    func load(_ conversation: String) async throws(ParleyError) {
        var more = true
        while more, !isStopped {
            guard let next = following[conversation]?.next else {
                more = try await loadBeginning(of: conversation)
                continue
            }
            let before = restores
            let page = try await client.history(of: conversation, .after(next - 1), limit: 200)
            guard restores == before else { return add(.load(conversation)) }
            take(page, of: conversation)
            more = page.moreAfter && !page.messages.isEmpty
        }
    }

    /// Reads the first page of a conversation, as ``beginning`` says.
    /// - Returns: whether there are more messages after it.
    func loadBeginning(of conversation: String) async throws(ParleyError) -> Bool {
        let before = restores
        let newest: UInt32? = if case .newest(let count) = beginning, !isStartingOver { count } else { nil }
        let page = try await client.history(
            of: conversation, newest == nil ? .after(0) : .newest, limit: min(newest ?? 200, 200))
        guard restores == before else { return true }
        guard following[conversation] != nil else { return false }
        following[conversation]?.next = page.messages.first?.seq ?? page.lastSeq + 1
        take(page, of: conversation)
        return page.moreAfter && !page.messages.isEmpty
    }

    /// Takes a page that begins with the first existing message from `next` on.
    func take(_ page: Parley_V1_GetHistoryReply, of conversation: String) {
        guard var state = following.removeValue(forKey: conversation) else { return }
        defer { following[conversation] = state }
        for message in page.messages { state.hold(message, isReply: true) }
        if let next = state.next {
            // Messages that the server leaves out from `next` on will never come: do not wait for them.
            let first = page.messages.first?.seq ?? state.waiting.keys.min() ?? next
            let reached = page.messages.isEmpty ? next : first
            state.next = max(next, reached)
            state.waiting = state.waiting.filter { $0.key >= state.next ?? 0 }
            state.reactions = state.reactions.filter { $0.key >= state.next ?? 0 }
            state.messageStates = state.messageStates.filter { $0.key >= state.next ?? 0 }
        }
        drain(&state)
    }
}
