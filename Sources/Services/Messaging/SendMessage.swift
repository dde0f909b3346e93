import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Sends a message (M1, M2). Answered once it is committed; the same id again returns the first result.
    /// - Throws: ``Refusal`` `not_member`, `user_blocked`, `accept_first`, `id_in_use`, `id_too_old`, `id_from_future`,
    ///   `too_large`, `invalid`.
    func send(_ request: SendRequest, _ call: RequestContext, _ answer: Answer<SendReply>) {
        do {
            let message = try pending(request, call)
            if let number = directory.known(message.conversationID), isRecent(message.id) {
                send(message, to: number, answer, isKnown: true)
            } else {
                Task { @ReactorActor in await lookUpAndSend(message, answer) }
            }
        } catch {
            answer.fail(error)
        }
    }

    /// What a request asks to send, but for the conversation's number.
    private func pending(_ request: SendRequest, _ call: RequestContext) throws(Refusal) -> PendingMessage {
        let id = try UUIDv7(request.id)
        guard request.kind == .text else { throw Refusal.invalid("kind", "must be TEXT") }
        let text = try Text.message(request.text, field: "text", bytes: textBytesMost)
        guard let conversation = ConversationID(request.conversation) else { throw Refusal.notMember }
        return PendingMessage(
            conversation: 0, conversationID: conversation, sender: call.caller.account, senderID: call.caller.user,
            id: id,
            kind: .text, text: text, session: call.caller.session, deadline: call.deadline)
    }

    private func lookUpAndSend(_ message: PendingMessage, _ answer: Answer<SendReply>) async {
        do {
            let number = try await directory.number(of: message.conversationID) ?? Self.nowhere
            do throws(Refusal) {
                try message.id.checkWindow(now: context.clock.now)
            } catch {
                // Too old to be taken as new, but it may be one we took when it was young.
                let before = try await context.database.first(
                    MessagingStore.sentBefore, .int64(number), .uuid(message.id.bytes), .int64(message.sender))
                guard let before else { throw error }
                return answer.reply(before)
            }
            send(message, to: number, answer, isKnown: false)
        } catch {
            answer.fail(error)
        }
    }

    /// - Parameter isKnown: its number was not looked up for this. One that is not there is looked up each time; so that
    ///   it cannot be told from one that is not the sender's, that is then looked up, too.
    private func send(_ message: PendingMessage, to number: Int64, _ answer: Answer<SendReply>, isKnown: Bool) {
        var message = message
        message.conversation = number
        lane(for: number).send(message) { [directory] result in
            guard isKnown, case .failure(let error) = result, error as? Refusal == .notMember else {
                return answer.finish(result)
            }
            Task { @ReactorActor in
                _ = try? await directory.number(of: message.conversationID)
                answer.finish(result)
            }
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
