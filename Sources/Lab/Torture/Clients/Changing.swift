import ParleyClient

// Changes of messages, and the person's own state of messages and conversations.
extension Person {
    // MARK: Messages

    func edit(_ choice: Choice) async {
        await edit(choice, mustBeRefused: false) { [user] in $0.sender == user && !$0.hasMedia }
    }

    func editBadly(_ choice: Choice) async {
        await edit(choice, mustBeRefused: true) { [user] in $0.sender != user && !$0.hasMedia }
    }

    private func edit(
        _ choice: Choice, mustBeRefused: Bool, _ isRight: (Parley_V1_Message) -> Bool
    ) async {
        guard let message = await message(choice, isRight) else { return }
        let text = text(choice)
        let client = residents[choice.which[2] % 2].client
        let (span, outcome) = await recorder.call(name, "edit \(message.conversation) \(message.seq)") {
            () throws(ParleyError) in try await client.edit(message.seq, of: message.conversation, text: text)
        }
        recorder.write(
            .init(.text, in: message.conversation, seq: message.seq), message: message.id.hexDigits,
            .init(by: user, text, span, Outcome(outcome, \.text), mustBeRefused: mustBeRefused))
    }

    /// Deletes one of the person's messages, or any in a group that they own.
    func delete(_ choice: Choice) async {
        let owned = Set(world.groups(of: user).map(\.id))
        let right = { [user] (message: Parley_V1_Message) in
            message.sender == user || owned.contains(message.conversation)
        }
        guard let message = await message(choice, right) else { return }
        let client = residents[choice.which[2] % 2].client
        let (span, outcome) = await recorder.call(name, "delete \(message.conversation) \(message.seq)") {
            () throws(ParleyError) in try await client.delete(message.seq, of: message.conversation)
        }
        recorder.write(
            .init(.text, in: message.conversation, seq: message.seq), message: message.id.hexDigits,
            .init(
                by: user, ValueFact.deleted, span,
                Outcome(outcome) { $0.deletedAtUs != 0 && $0.text.isEmpty ? ValueFact.deleted : $0.text }))
    }

    private static let emoji = ["👍", "❤️", "😂", "🎉", "😮"]

    func react(_ choice: Choice) async {
        guard let message = await message(choice, { _ in true }) else { return }
        let emoji = Self.emoji[choice.which[2] % Self.emoji.count]
        let isRemoved = choice.which[3] % 3 == 0
        let client = residents[choice.which[3] % 2].client
        let (span, outcome) = await recorder.call(
            name, "\(isRemoved ? "unreact" : "react") \(emoji) to \(message.conversation) \(message.seq)"
        ) { () throws(ParleyError) in
            try await client.react(emoji, to: message.seq, of: message.conversation, remove: isRemoved)
        }
        let value = isRemoved ? ValueFact.no : ValueFact.yes
        recorder.write(
            .init(.reaction, of: user, in: message.conversation, seq: message.seq, object: emoji),
            .init(
                by: user, value, span,
                // The counts are everybody's. Without a reaction of this kind the person's own is missing, too.
                Outcome(outcome) { reply in
                    reply.counts.contains { $0.emoji == emoji } ? value : ValueFact.no
                }))
    }

    func star(_ choice: Choice) async {
        guard let message = await message(choice, { _ in true }) else { return }
        let value = choice.which[3] % 3 != 0
        let client = residents[choice.which[2] % 2].client
        let (span, outcome) = await recorder.call(name, "star \(message.conversation) \(message.seq) \(value)") {
            () throws(ParleyError) in
            try await client.star([message.seq], of: message.conversation, starred: value)
        }
        recorder.write(
            .init(.star, of: user, in: message.conversation, seq: message.seq),
            .init(
                by: user, Self.answer(value), span, Outcome(outcome) { Self.answer($0.first?.starred ?? false) }))
    }

    // MARK: Conversations

    func markRead(_ choice: Choice) async {
        guard let conversation = choice.pick(await residents[0].writable) else { return }
        let newest = await residents[0].newestSeq(of: conversation)
        guard newest > 0 else { return }
        let seq = max(newest - Int64(choice.which[1] % 3), 1)
        let client = residents[choice.which[2] % 2].client
        let (_, outcome) = await recorder.call(name, "mark \(conversation) \(seq) as read") { () throws(ParleyError) in
            try await client.markRead(conversation, upTo: seq)
        }
        switch outcome {
        case .success(let state):
            // Without a state the conversation is no longer the person's.
            recorder.readMark(of: user, in: conversation, seq, isAcknowledged: state != nil)
            if let state, state.readSeq < seq {
                recorder.trouble("\(name) marked \(conversation) as read up to \(seq), the reply has \(state.readSeq)")
            }
        case .failure(let error) where error.isDefinite: break
        case .failure: recorder.readMark(of: user, in: conversation, seq, isAcknowledged: false)
        }
    }

    func pin(_ choice: Choice) async {
        await set(.pin, choice, \.pinnedAtUs) { (client, conversation, value) throws(ParleyError) in
            try await client.updateInboxState(conversation, pinned: value)
        }
    }

    func mute(_ choice: Choice) async {
        await set(.mute, choice, \.mutedUntilUs) { (client, conversation, value) throws(ParleyError) in
            if value { try await client.mute(conversation) } else { try await client.unmute(conversation) }
        }
    }

    private func set(
        _ kind: ValueFact.Kind, _ choice: Choice, _ field: KeyPath<Parley_V1_InboxState, Int64>,
        _ request: (ParleyClient, String, Bool) async throws(ParleyError) -> Parley_V1_InboxState
    ) async {
        guard let conversation = choice.pick(await residents[0].writable) else { return }
        let value = choice.which[1] % 2 == 0
        let client = residents[choice.which[2] % 2].client
        let (span, outcome) = await recorder.call(name, "\(kind) \(conversation) \(value)") {
            () throws(ParleyError) in try await request(client, conversation, value)
        }
        recorder.write(
            .init(kind, of: user, in: conversation),
            .init(by: user, Self.answer(value), span, Outcome(outcome) { Self.answer($0[keyPath: field] != 0) }))
    }

    static func answer(_ value: Bool) -> String { value ? ValueFact.yes : ValueFact.no }

    /// Returns a message that the first device holds in a conversation where the person may write.
    private func message(_ choice: Choice, _ isRight: (Parley_V1_Message) -> Bool) async -> Parley_V1_Message? {
        guard let conversation = choice.pick(await residents[0].writable) else { return nil }
        return choice.pick(await residents[0].messages(of: conversation).filter(isRight), by: 1)
    }
}
