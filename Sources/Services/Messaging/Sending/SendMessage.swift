import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Sends a message (M1, M2). Replies once it is committed. Sending the same id again returns the first result.
    /// - Throws: ``Refusal`` `not_member`, `user_blocked`, `accept_first`, `request_pending`, `id_in_use`,
    ///   `id_too_old`, `id_from_future`, `message_not_found`, `attachment_not_found`, `too_large`, `invalid`,
    ///   `quota_reached`, `rate_limited`.
    func sendMessage(_ request: SendMessageRequest, _ call: RequestContext, _ answer: Answer<SendMessageReply>) {
        do {
            let draft = try draft(of: request, call)
            let refusal = limits.refusal(for: draft.sender)
            if !request.hasMore, refusal == nil, draft.id.isInWindow(now: context.clock.now) {
                send(draft, answer)
            } else {
                Task.onLoop { await self.lookUpAndSend(draft, request, call, unless: refusal, answer) }
            }
        } catch {
            answer.fail(error)
        }
    }

    private func draft(of request: SendMessageRequest, _ call: RequestContext) throws(Refusal) -> MessageDraft {
        let id = try UUIDv7(request.id)
        let text = try SendRules.text(of: request, bytes: textBytesMax)
        guard let conversation = ConversationID(request.conversation) else { throw Refusal.notMember }
        return MessageDraft(
            conversation: conversation, sender: call.caller.account, senderID: call.caller.user, id: id,
            content: MessageContent(kind: request.kind, text: text), session: call.caller.session,
            timeZone: call.caller.timeZone, deadline: call.deadline)
    }

    /// The fast path: a recent message that is only text. It takes the same steps as
    /// ``ConversationDirectory/resolve(_:_:)``, without a task for each message.
    private func send(_ draft: MessageDraft, _ answer: Answer<SendMessageReply>) {
        guard let number = directory.known(draft.conversation) else {
            return directory.number(of: draft.conversation) { [sends] found in
                do {
                    let number = try found.get() ?? ConversationDirectory.nowhere
                    sends.add(PendingMessage(draft, to: number), answer.finish)
                } catch {
                    answer.fail(error)
                }
            }
        }
        sends.add(PendingMessage(draft, to: number)) { [directory] result in
            guard case .failure(let error) = result, error as? Refusal == .notMember else {
                return answer.finish(result)
            }
            directory.number(of: draft.conversation) { _ in answer.finish(result) }
        }
    }

    /// The slow path: looks up the missing parts of a message before sending it.
    /// - Parameter refusal: why the caller may not send a new message now.
    private func lookUpAndSend(
        _ draft: MessageDraft, _ request: SendMessageRequest, _ call: RequestContext, unless refusal: Refusal?,
        _ answer: Answer<SendMessageReply>
    ) async {
        do {
            answer.reply(
                try await directory.resolve(request.conversation) { conversation in
                    var draft = draft
                    do {
                        try draft.id.checkWindow(now: context.clock.now)
                        if let refusal { throw refusal }
                        if request.hasMore {
                            draft.content = try await content(of: draft, request, call.caller, in: conversation.number)
                        }
                    } catch let refusal as Refusal {
                        // A repeated send succeeds, even if the id is now too old, a message it refers to is gone or
                        // a quota is reached.
                        let before = try await context.database.first(
                            MessagingStore.sentBefore, .number(conversation.number), .uuid(draft.id.bytes),
                            .number(draft.sender))
                        guard let before else { throw refusal }
                        return before
                    }
                    return try await sends.add(PendingMessage(draft, to: conversation.number))
                })
        } catch {
            answer.fail(error)
        }
    }

    /// Returns the content of a message with all its parts looked up.
    /// - Parameter conversation: where the message goes.
    private func content(
        of draft: MessageDraft, _ request: SendMessageRequest, _ caller: Caller, in conversation: ConversationNumber
    ) async throws -> MessageContent {
        var content = draft.content
        var more = MessageContent.More()
        if let forward = request.forward {
            content = try await forwarded(forward, as: draft, by: caller, in: conversation)
            more = content.more ?? more
        }
        if request.replyToSeq != 0 { more.replyTo = Seq(request.replyToSeq) }
        more.mentions = try await mentioned(request.mentions, by: caller)
        if let media = request.media {
            let found = try await self.media(media, of: request.kind, by: caller, in: conversation)
            (more.media, more.attachment) = (found.media, found.attachment)
        }
        content.more = more
        return content
    }

    /// Returns the accounts of user ids, each once, in order. Leaves out unknown ids and the caller's own.
    func mentioned(_ users: [String], by caller: Caller) async throws -> [(account: AccountNumber, user: String)] {
        let users = users.filter { $0 != caller.user }
        guard !users.isEmpty else { return [] }
        let found = Dictionary(
            try await context.database.query(MessagingStore.accounts, .texts(users)).map { ($0.user, $0.account) },
            uniquingKeysWith: { first, _ in first })
        var seen: Set<String> = []
        return users.compactMap { user in
            guard let account = found[user], seen.insert(user).inserted else { return nil }
            return (account, user)
        }
    }
}

/// Decides what may be sent. Pure.
enum SendRules {
    /// Returns the checked text of a message to send, which for a file is its caption.
    /// - Throws: ``Refusal`` `invalid`, `too_large`.
    static func text(of request: SendMessageRequest, bytes: Int) throws(Refusal) -> String {
        if request.forward != nil {
            guard request.kind == .unspecified, request.text.isEmpty, request.mentions.isEmpty, request.media == nil
            else { throw .invalid("forward", "cannot be combined with kind, text, mentions or media") }
            return ""
        }
        switch request.kind {
        case .text:
            guard request.media == nil else { throw .invalid("media", "cannot be combined with kind TEXT") }
            return try Text.message(request.text, field: "text", bytes: bytes)
        case .image, .video, .file, .voice:
            guard request.media != nil else { throw .invalid("media", "is required for this kind") }
            return request.text.isEmpty ? "" : try Text.message(request.text, field: "text", bytes: bytes)
        default: throw .invalid("kind", "must be TEXT, IMAGE, VIDEO, FILE or VOICE")
        }
    }
}

extension SendMessageRequest {
    /// Whether something has to be looked up before it can be sent.
    var hasMore: Bool { replyToSeq != 0 || !mentions.isEmpty || media != nil || forward != nil }
}
