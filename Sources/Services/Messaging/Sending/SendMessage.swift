import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Sends a message (M1, M2). Replies once it is committed. Sending the same id again returns the first result.
    /// - Throws: ``Refusal`` `not_member`, `user_blocked`, `accept_first`, `request_pending`, `id_in_use`,
    ///   `id_too_old`, `id_from_future`, `message_not_found`, `attachment_not_found`, `too_large`, `invalid`.
    func sendMessage(_ request: SendMessageRequest, _ call: RequestContext, _ answer: Answer<SendMessageReply>) {
        do {
            let message = try pending(request, call)
            if request.hasMore {
                Task { @ReactorActor in await lookUpAndSend(message, request, call, answer) }
            } else if let number = directory.known(message.conversationID), isRecent(message.id) {
                send(message, to: number, answer, isKnown: true)
            } else {
                Task { @ReactorActor in await lookUpAndSend(message, request, call, answer) }
            }
        } catch {
            answer.fail(error)
        }
    }

    /// Returns the message to send, still without the conversation's number.
    private func pending(_ request: SendMessageRequest, _ call: RequestContext) throws(Refusal) -> PendingMessage {
        let id = try UUIDv7(request.id)
        let text = try SendRules.text(of: request, bytes: textBytesMax)
        guard let conversation = ConversationID(request.conversation) else { throw Refusal.notMember }
        return PendingMessage(
            conversation: 0, conversationID: conversation, sender: call.caller.account, senderID: call.caller.user,
            id: id,
            kind: request.kind, text: text, session: call.caller.session, deadline: call.deadline)
    }

    /// The slow path: looks up the missing parts of a message before sending it.
    private func lookUpAndSend(
        _ message: PendingMessage, _ request: SendMessageRequest, _ call: RequestContext,
        _ answer: Answer<SendMessageReply>
    ) async {
        do {
            let known = directory.known(message.conversationID)
            let number =
                if let known { known } else { try await directory.number(of: message.conversationID) ?? Self.nowhere }
            do throws(Refusal) {
                try message.id.checkWindow(now: context.clock.now)
            } catch {
                // The id is not valid for a new message, but its message may have been accepted earlier.
                let before = try await context.database.first(
                    MessagingStore.sentBefore, .int64(number), .uuid(message.id.bytes), .int64(message.sender))
                guard let before else { throw error }
                return answer.reply(before)
            }
            var message = message
            if request.hasMore {
                do {
                    try await complete(&message, from: request, call, conversation: number)
                } catch let refusal as Refusal {
                    // A message it refers to may have been deleted since it was first sent.
                    let before = try await context.database.first(
                        MessagingStore.sentBefore, .int64(number), .uuid(message.id.bytes), .int64(message.sender))
                    guard let before else { throw refusal }
                    return answer.reply(before)
                }
            }
            send(message, to: number, answer, isKnown: known != nil)
        } catch {
            answer.fail(error)
        }
    }

    /// - Parameter isKnown: whether the number was cached. A nonexistent id is looked up each time. A cached one is
    ///   looked up when the sender is not a member, so that the sender cannot distinguish the two.
    private func send(_ message: PendingMessage, to number: Int64, _ answer: Answer<SendMessageReply>, isKnown: Bool) {
        var message = message
        message.conversation = number
        sends.add(message) { [directory] result in
            guard isKnown, case .failure(let error) = result, error as? Refusal == .notMember else {
                return answer.finish(result)
            }
            Task { @ReactorActor in
                _ = try? await directory.number(of: message.conversationID)
                answer.finish(result)
            }
        }
    }

    /// Fills in the parts of a message other than its text.
    private func complete(
        _ message: inout PendingMessage, from request: SendMessageRequest, _ call: RequestContext, conversation: Int64
    ) async throws {
        var more = PendingMessage.More()
        if request.replyToSeq != 0 { more.replyTo = request.replyToSeq }
        more.mentions = try await mentioned(request.mentions, by: call.caller)
        if let forward = request.forward {
            try await self.forward(forward, into: &message, &more, by: call.caller, conversation: conversation)
        }
        if let media = request.media {
            let found = try await self.media(media, of: request.kind, by: call.caller, in: conversation)
            (more.media, more.attachment) = (found.media, found.attachment)
        }
        message.more = more
    }

    /// Returns the accounts of user ids, each once, in order. Leaves out unknown ids and the caller's own.
    func mentioned(_ users: [String], by caller: Caller) async throws -> [(account: Int64, user: String)] {
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

    private func isRecent(_ id: UUIDv7) -> Bool {
        do throws(Refusal) {
            try id.checkWindow(now: context.clock.now)
            return true
        } catch {
            return false
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
