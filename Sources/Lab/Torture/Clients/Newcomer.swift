import ParleyClient

/// A person's new device. It signs in after the load and reads everything by plain requests, page by page.
struct Newcomer: Sendable {
    let user: String
    let username: String
    let entrance: Entrance
    let recorder: Recorder

    /// Reads everything the person can read into the recorder's facts.
    /// - Parameter gateway: the index of the gateway to connect to.
    func read(through gateway: Int) async {
        let client = entrance.client(gateway, retriesFor: .seconds(60))
        do throws(ParleyError) {
            try await client.connect()
            try await client.signIn(username: username, password: Person.password)
            let state = try await state(by: client)
            recorder.note { $0.fresh[user] = state }
        } catch {
            recorder.trouble("\(username) could not sign in and read everything after the load: \(error)")
        }
        await client.close()
    }

    private func state(by client: ParleyClient) async throws(ParleyError) -> ClientState {
        var state = ClientState()
        var ids: Set<String> = []
        var page = try await client.syncConversations(limit: 200)
        while true {
            for conversation in page.conversations { state.conversations[conversation.id] = conversation.text }
            guard page.more else { break }
            page = try await client.syncConversations(epoch: page.epoch, since: page.position, limit: 200)
        }
        ids.formUnion(state.conversations.keys)
        var inbox = try await client.syncMessaging(limit: 200)
        while true {
            ids.formUnion(inbox.entries.map(\.conversation))
            for entry in inbox.entries where entry.hasState {
                state.inbox[entry.conversation] = ClientState.Inbox(entry.state)
            }
            guard inbox.more else { break }
            inbox = try await client.syncMessaging(epoch: inbox.epoch, cursor: inbox.cursor, limit: 200)
        }
        for id in ids.sorted() {
            let (history, messages) = try await history(of: id, by: client)
            recorder.note { $0.histories.append(history) }
            if !history.messages.isEmpty { state.messages[id] = history.messages }
            state.add(own: messages)
            try await downloadFiles(of: messages, by: client)
        }
        var entities = try await client.syncEntities(limit: 200)
        while true {
            for reminder in entities.reminders { state.reminders[reminder.key] = reminder.text }
            for decision in entities.decisions where decision.deletedAtUs == 0 {
                state.decisions[decision.id.hexDigits] = .init(decision)
            }
            for event in entities.events where event.deletedAtUs == 0 {
                state.events[event.id.hexDigits] = .init(event)
            }
            guard entities.more else { break }
            entities = try await client.syncEntities(epoch: entities.epoch, since: entities.position, limit: 200)
        }
        var blocked = try await client.blocked(limit: 200)
        while true {
            state.blocked.formUnion(blocked.blocks.map(\.user.id))
            guard blocked.more else { break }
            blocked = try await client.blocked(cursor: blocked.cursor, limit: 200)
        }
        return state
    }

    private func history(
        of conversation: String, by client: ParleyClient
    ) async throws(ParleyError) -> (HistoryFact, [Parley_V1_Message]) {
        var messages: [Parley_V1_Message] = []
        do throws(ParleyError) {
            while true {
                let page = try await client.history(of: conversation, .after(messages.last?.seq ?? 0), limit: 200)
                messages += page.messages
                guard page.moreAfter, !page.messages.isEmpty else {
                    let fact = HistoryFact(
                        reader: user, conversation: conversation, messages: messages.map(StoredMessage.init),
                        lastSeq: page.lastSeq)
                    return (fact, messages)
                }
            }
        } catch {
            guard error.isDefinite, !error.hasCode(.rateLimited) else { throw error }
            let fact = HistoryFact(
                reader: user, conversation: conversation, messages: messages.map(StoredMessage.init), lastSeq: 0,
                refusal: error.code)
            return (fact, messages)
        }
    }
}
