import Foundation
import ParleyClient

/// The stream position that confirms an action. Until it is reached, the optimistic state stays.
enum Settling: Hashable, Sendable {
    /// It shows already.
    case now
    /// In a stream, at a position.
    case at(String, Int64)
    /// In my stream of the cell of a conversation.
    case own(of: String, Int64)
    /// In what the next Sync returns.
    case nextSync
    /// In a conversation, once nothing of it is known to be missing.
    case level(String)
}

/// What the server said.
struct IntentAnswer: Hashable, Sendable {
    var settling: Settling
    /// The number of the message that was sent.
    var seq: Int64?
}

extension Intent {
    /// Tells the server. It may be done again and again.
    func send(by client: ParleyClient, as me: UserID) async throws(ParleyError) -> IntentAnswer {
        switch shown {
        case .message: try await sendMessage(by: client)
        case .conversation: try await sendConversation(by: client, as: me)
        case .state: try await sendState(by: client, as: me)
        }
    }

    private func sendMessage(by client: ParleyClient) async throws(ParleyError) -> IntentAnswer {
        func at(_ conversation: String, _ position: Int64) -> Settling {
            .at(StoredStream.messages(of: conversation), position)
        }
        switch self {
        case .send(let request):
            let reply = try await client.send(request)
            return .init(settling: at(request.conversation, reply.position), seq: reply.seq)
        case .edit(let request):
            let message = try await client.edit(
                request.seq, of: request.conversation, text: request.text, mentions: request.mentions)
            return .init(settling: at(request.conversation, message.position))
        case .delete(let request):
            let message = try await client.delete(request.seq, of: request.conversation)
            return .init(settling: at(request.conversation, message.position))
        case .react(let request):
            let reply = try await client.react(
                request.emoji, to: request.seq, of: request.conversation, remove: request.remove)
            return .init(settling: at(request.conversation, reply.position))
        case .messageState(let request):
            let states =
                request.hide
                ? try await client.hide(request.seqs, of: request.conversation)
                : try await client.star(request.seqs, of: request.conversation, starred: request.starred == .yes)
            return .init(settling: .own(of: request.conversation, states.map(\.ownPosition).max() ?? 0))
        default: return .init(settling: .now)
        }
    }

    private func sendConversation(by client: ParleyClient, as me: UserID) async throws(ParleyError) -> IntentAnswer {
        func at(_ reply: Parley_V1_ConversationReply) -> IntentAnswer {
            .init(settling: .at("conversations/u/\(me)", reply.conversation.position))
        }
        switch self {
        // The sync machine takes inbox states from replies at once.
        case .marks(let request):
            try await client.mark(request.marks)
            return .init(settling: .now)
        case .inboxState(let request):
            let isMuting = request.muted == .yes
            if isMuting {
                try await client.mute(
                    request.conversation, until: request.mutedUntilUs == 0 ? nil : request.mutedUntilUs)
            } else if request.muted == .no {
                try await client.unmute(request.conversation)
            } else {
                try await client.updateInboxState(
                    request.conversation, pinned: request.pinned.flag, archived: request.archived.flag,
                    markedUnread: request.markedUnread.flag)
            }
            return .init(settling: .now)
        case .startDirect(let request): return at(try await client.startDirect(with: request.user))
        case .createGroup(let request):
            return at(
                try await client.createGroup(
                    name: request.name, users: request.users, photoURL: request.photoURL,
                    id: UUIDv7(bytes: request.id)))
        case .updateGroup(let request):
            let name: String? = if case .name(let name) = request.changeName { name } else { nil }
            let photo: String? = if case .photoURL(let photo) = request.changePhoto { photo } else { nil }
            return at(try await client.updateGroup(request.conversation, name: name, photoURL: photo))
        case .addMembers(let request): return at(try await client.addMembers(request.users, to: request.conversation))
        case .acceptRequest(let request): return at(try await client.acceptRequest(request.conversation))
        case .removeMember(let request): try await client.removeMember(request.user, from: request.conversation)
        case .leaveGroup(let request): try await client.leaveGroup(request.conversation)
        case .setMemberRole(let request):
            try await client.setMemberRole(request.role, of: request.user, in: request.conversation)
        case .transferOwnership(let request):
            try await client.transferOwnership(request.conversation, to: request.user)
        case .withdrawInvitation(let request):
            try await client.withdrawInvitation(of: request.user, into: request.conversation)
        case .declineRequest(let request): try await client.declineRequest(request.conversation)
        case .withdrawRequest(let request): try await client.withdrawRequest(request.conversation)
        case .block(let request): try await client.block(request.user)
        case .unblock(let request): try await client.unblock(request.user)
        default: return .init(settling: .now)
        }
        return .init(settling: .nextSync)
    }

    private func sendState(by client: ParleyClient, as me: UserID) async throws(ParleyError) -> IntentAnswer {
        func at(_ position: Int64) -> IntentAnswer { .init(settling: .at("entities/u/\(me)", position)) }
        switch self {
        case .updateProfile(let request):
            let profile = try await client.call(ConversationsMethods.updateProfile, key: me.rawValue, request)
            return .init(settling: .at("conversations/u/\(me)", profile.position))
        case .createReminder(let request): return at(try await client.createReminder(request).reminder.position)
        case .updateReminder(let request):
            return at(
                try await client.call(EntitiesMethods.updateReminder, key: me.rawValue, request).reminder.position)
        case .completeReminder(let request):
            return at(
                try await client.call(EntitiesMethods.completeReminder, key: me.rawValue, request).reminder.position)
        case .deleteReminder(let request):
            return at(
                try await client.call(EntitiesMethods.deleteReminder, key: me.rawValue, request).reminder.position)
        case .createDecision(let request): return at(try await client.createDecision(request).decision.position)
        case .deleteDecision(let request):
            return at(
                try await client.call(EntitiesMethods.deleteDecision, key: me.rawValue, request).decision.position)
        case .createEvent(let request): return at(try await client.createEvent(request).event.position)
        case .answerEvent(let request):
            let reply = try await client.call(EntitiesMethods.answerEvent, key: me.rawValue, request)
            return at(max(reply.event.position, reply.position))
        default: return .init(settling: .now)
        }
    }
}

extension Parley_V1_Choice {
    var flag: Bool? {
        switch self {
        case .yes: true
        case .no: false
        default: nil
        }
    }
}
