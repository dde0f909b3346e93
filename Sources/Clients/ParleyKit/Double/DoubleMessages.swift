import Foundation
import ParleyClient

/// Messages, as a double answers about them.
extension ParleyDouble {
    func answerAboutMessages(_ answers: inout DoubleAnswers) {
        answers.on(MessagingMethods.sendMessage) { [unowned self] request throws(ParleyError) in
            if request.hasForward { return try await forward(request) }
            let message = await receive(
                request.text, from: me.id, in: ConversationID(rawValue: request.conversation),
                mentions: request.mentions.map(UserID.init(rawValue:)), id: request.id, replyTo: request.replyToSeq,
                kind: request.kind, media: request.hasMedia ? request.media : nil)
            return .with {
                ($0.seq, $0.position) = (message.seq, message.position)
                $0.sentAtUs = message.sentAtUs
            }
        }
        answers.on(MessagingMethods.editMessage) { [unowned self] request throws(ParleyError) in
            let now = Date.now.microseconds
            let edited = await change(request.conversation, request.seq) { message in
                earlierTexts[message.id, default: []].insert(
                    .with { ($0.text, $0.untilUs) = (message.text, now) }, at: 0)
                (message.text, message.editedAtUs) = (request.text, now)
            }
            guard let edited else { throw .missing("message") }
            return .with { $0.message = edited }
        }
        answers.on(MessagingMethods.deleteMessage) { [unowned self] request throws(ParleyError) in
            let now = Date.now.microseconds
            let deleted = await change(request.conversation, request.seq) { ($0.text, $0.deletedAtUs) = ("", now) }
            guard let deleted else { throw .missing("message") }
            return .with { $0.message = deleted }
        }
        answers.on(MessagingMethods.updateReaction) { [unowned self] request throws(ParleyError) in
            let position = await react(
                request.emoji, request.conversation, request.seq, by: me.id, removed: request.remove)
            return .with { $0.position = position }
        }
        answers.on(MessagingMethods.updateMessageState) { [unowned self] request throws(ParleyError) in
            let position = nextPosition()
            let states = request.seqs.map { seq in
                Parley_V1_MessageState.with {
                    ($0.conversation, $0.seq, $0.ownPosition) = (request.conversation, seq, position)
                    ($0.starred, $0.hidden) = (request.starred == .yes, request.hide)
                }
            }
            await commit(states.map { .messageState($0) })
            return .with { $0.states = states }
        }
        answerAboutDetails(&answers)
        // All messages are on the device, which was searched before.
        answers.on(MessagingMethods.searchMessages) { _ throws(ParleyError) in .init() }
    }

    private func forward(
        _ request: Parley_V1_SendMessageRequest
    ) async throws(ParleyError) -> Parley_V1_SendMessageReply {
        let original = await parley.read { try $0.message(request.forward.conversation, request.forward.seq) }
        guard let original = original ?? nil else { throw .missing("message") }
        let copy = await receive(
            original.text, from: me.id, in: ConversationID(rawValue: request.conversation), mentions: [],
            id: request.id,
            kind: original.kind, media: original.hasMedia ? original.media : nil)
        let forwarded = await change(request.conversation, copy.seq) { $0.forwardedFrom = original.sender } ?? copy
        return .with { ($0.seq, $0.position) = (forwarded.seq, forwarded.position) }
    }

    private func answerAboutDetails(_ answers: inout DoubleAnswers) {
        answers.on(MessagingMethods.listReaders) { [unowned self] request throws(ParleyError) in
            let chat = parley.conversation(ConversationID(rawValue: request.conversation))
            return .with { reply in
                reply.readers = chat.receipts.filter { $0.value.deliveredUpTo >= request.seq }.map { user, receipt in
                    .with {
                        ($0.user, $0.delivered) = (user.rawValue, true)
                        $0.readAtUs = receipt.readUpTo >= request.seq ? receipt.readAt?.microseconds ?? 0 : 0
                    }
                }
            }
        }
        answers.on(MessagingMethods.listReactions) { [unowned self] request throws(ParleyError) in
            let id = try await message(request.conversation, request.seq).id
            return .with { $0.reactions = reactions[id] ?? [] }
        }
        answers.on(MessagingMethods.listRevisions) { [unowned self] request throws(ParleyError) in
            let id = try await message(request.conversation, request.seq).id
            return .with { $0.revisions = earlierTexts[id] ?? [] }
        }
        answers.on(MessagingMethods.getThread) { [unowned self] request throws(ParleyError) in
            let chat = parley.conversation(ConversationID(rawValue: request.conversation))
            var thread: [Parley_V1_Message] = []
            for seq in chat.messages.compactMap(\.seq) where seq > request.afterSeq {
                let message = try await message(request.conversation, seq)
                if seq == request.threadSeq || message.threadSeq == request.threadSeq { thread.append(message) }
            }
            let messages = thread
            return .with { $0.messages = messages }
        }
        answers.on(MessagingMethods.clearConversation) { [unowned self] request throws(ParleyError) in
            let newest = records[ConversationID(rawValue: request.conversation)]?.newest.seq ?? 0
            await changeState(request.conversation) { $0.clearedSeq = newest }
            await commit([.clear(conversation: request.conversation, upTo: newest)])
            return .init()
        }
        answers.on(MessagingMethods.getBadge) { [unowned self] _ throws(ParleyError) in
            let unread = parley.inbox.conversations.filter { !$0.isMuted && $0.unread.isUnread }
            return .with {
                $0.badge = Int64(unread.reduce(0) { $0 + max($1.unread.messages, 1) })
                $0.conversations = Int64(unread.count)
                $0.mentions = Int64(unread.reduce(0) { $0 + $1.unread.mentions })
            }
        }
        answers.on(MessagingMethods.getUsage) { _ throws(ParleyError) in .init() }
        answers.on(MessagingMethods.listMentionsAndStars) { [unowned self] request throws(ParleyError) in
            let me = me.id
            let all = conversations.keys.flatMap { parley.conversation($0).messages }.filter { message in
                (request.kind != .mentions && message.isStarred)
                    || (request.kind != .starred && message.mentions.contains(me))
            }
            var found: [Parley_V1_Message] = []
            for message in all.sorted(by: { $0.sentAt > $1.sentAt }) {
                found.append(try await self.message(message.conversation.rawValue, message.seq ?? 0))
            }
            let messages = found
            return .with { $0.messages = messages }
        }
    }

    func message(_ conversation: String, _ seq: Int64) async throws(ParleyError) -> Parley_V1_Message {
        let known = await parley.read { try $0.message(conversation, seq) }
        guard let message = known ?? nil else { throw .missing("message") }
        return message
    }

    @discardableResult
    func react(_ emoji: String, _ conversation: String, _ seq: Int64, by user: UserID, removed: Bool) async -> Int64 {
        await beginChange()
        defer { endChange() }
        let position = nextPosition()
        let known = await parley.read { try $0.message(conversation, seq) }
        guard let message = known ?? nil else { return position }
        reactions[message.id, default: []].removeAll { $0.user == user.rawValue && $0.emoji == emoji }
        if !removed {
            reactions[message.id, default: []].insert(
                .with { ($0.user, $0.emoji, $0.atUs) = (user.rawValue, emoji, Date.now.microseconds) }, at: 0)
        }
        var counts = message.reactions
        let index = counts.firstIndex { $0.emoji == emoji }
        switch (index, removed) {
        case (let index?, true): counts[index].count = counts[index].count > 1 ? counts[index].count - 1 : 0
        case (let index?, false): counts[index].count += 1
        case (nil, true): return position
        case (nil, false): counts.append(.with { ($0.emoji, $0.count) = (emoji, 1) })
        }
        counts.removeAll { $0.count == 0 }
        await commit([
            .reactions(
                .with {
                    ($0.conversation, $0.seq, $0.position, $0.counts) = (conversation, seq, position, counts)
                    $0.changes = [
                        .with { ($0.user, $0.emoji, $0.removed) = (user.rawValue, emoji, removed) }
                    ]
                })
        ])
        return position
    }
}
