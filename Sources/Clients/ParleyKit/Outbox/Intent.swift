import Foundation
import ParleyClient
import SwiftProtobuf

/// Something that I do, as the request that tells the server of it.
enum Intent: Hashable, Sendable {
    // Messages
    case send(Parley_V1_SendMessageRequest)
    case edit(Parley_V1_EditMessageRequest)
    case delete(Parley_V1_DeleteMessageRequest)
    case react(Parley_V1_UpdateReactionRequest)
    case messageState(Parley_V1_UpdateMessageStateRequest)
    // What only I see of a conversation
    case marks(Parley_V1_UpdateMarksRequest)
    case inboxState(Parley_V1_UpdateInboxStateRequest)
    // Conversations
    case startDirect(Parley_V1_StartDirectRequest)
    case createGroup(Parley_V1_CreateGroupRequest)
    case updateGroup(Parley_V1_UpdateGroupRequest)
    case addMembers(Parley_V1_AddMembersRequest)
    case removeMember(Parley_V1_RemoveMemberRequest)
    case leaveGroup(Parley_V1_LeaveGroupRequest)
    case setMemberRole(Parley_V1_SetMemberRoleRequest)
    case transferOwnership(Parley_V1_TransferOwnershipRequest)
    case withdrawInvitation(Parley_V1_WithdrawInvitationRequest)
    // Requests and people
    case acceptRequest(Parley_V1_AcceptRequestRequest)
    case declineRequest(Parley_V1_DeclineRequestRequest)
    case withdrawRequest(Parley_V1_WithdrawRequestRequest)
    case block(Parley_V1_BlockUserRequest)
    case unblock(Parley_V1_UnblockUserRequest)
    case updateProfile(Parley_V1_UpdateProfileRequest)
    // Reminders, decisions and events
    case createReminder(Parley_V1_CreateReminderRequest)
    case updateReminder(Parley_V1_UpdateReminderRequest)
    case completeReminder(Parley_V1_CompleteReminderRequest)
    case deleteReminder(Parley_V1_DeleteReminderRequest)
    case createDecision(Parley_V1_CreateDecisionRequest)
    case deleteDecision(Parley_V1_DeleteDecisionRequest)
    case createEvent(Parley_V1_CreateEventRequest)
    case answerEvent(Parley_V1_AnswerEventRequest)

    /// What the request is called in the contract, and the request.
    var request: (method: String, body: any SwiftProtobuf.Message) {
        switch self {
        case .send(let body): (MessagingMethods.sendMessage.name, body)
        case .edit(let body): (MessagingMethods.editMessage.name, body)
        case .delete(let body): (MessagingMethods.deleteMessage.name, body)
        case .react(let body): (MessagingMethods.updateReaction.name, body)
        case .messageState(let body): (MessagingMethods.updateMessageState.name, body)
        case .marks(let body): (MessagingMethods.updateMarks.name, body)
        case .inboxState(let body): (MessagingMethods.updateInboxState.name, body)
        case .startDirect(let body): (ConversationsMethods.startDirect.name, body)
        case .createGroup(let body): (ConversationsMethods.createGroup.name, body)
        case .updateGroup(let body): (ConversationsMethods.updateGroup.name, body)
        case .addMembers(let body): (ConversationsMethods.addMembers.name, body)
        case .removeMember(let body): (ConversationsMethods.removeMember.name, body)
        case .leaveGroup(let body): (ConversationsMethods.leaveGroup.name, body)
        case .setMemberRole(let body): (ConversationsMethods.setMemberRole.name, body)
        case .transferOwnership(let body): (ConversationsMethods.transferOwnership.name, body)
        case .withdrawInvitation(let body): (ConversationsMethods.withdrawInvitation.name, body)
        case .acceptRequest(let body): (ConversationsMethods.acceptRequest.name, body)
        case .declineRequest(let body): (ConversationsMethods.declineRequest.name, body)
        case .withdrawRequest(let body): (ConversationsMethods.withdrawRequest.name, body)
        case .block(let body): (ConversationsMethods.blockUser.name, body)
        case .unblock(let body): (ConversationsMethods.unblockUser.name, body)
        case .updateProfile(let body): (ConversationsMethods.updateProfile.name, body)
        case .createReminder(let body): (EntitiesMethods.createReminder.name, body)
        case .updateReminder(let body): (EntitiesMethods.updateReminder.name, body)
        case .completeReminder(let body): (EntitiesMethods.completeReminder.name, body)
        case .deleteReminder(let body): (EntitiesMethods.deleteReminder.name, body)
        case .createDecision(let body): (EntitiesMethods.createDecision.name, body)
        case .deleteDecision(let body): (EntitiesMethods.deleteDecision.name, body)
        case .createEvent(let body): (EntitiesMethods.createEvent.name, body)
        case .answerEvent(let body): (EntitiesMethods.answerEvent.name, body)
        }
    }

    /// Restores what was stored.
    /// - Throws: ``StoreProblem/damaged`` when it is not of this version.
    init(method: String, body: Data) throws {
        func request<Body: SwiftProtobuf.Message>() throws -> Body { try Body(serializedBytes: body) }
        switch method {
        case MessagingMethods.sendMessage.name: self = .send(try request())
        case MessagingMethods.editMessage.name: self = .edit(try request())
        case MessagingMethods.deleteMessage.name: self = .delete(try request())
        case MessagingMethods.updateReaction.name: self = .react(try request())
        case MessagingMethods.updateMessageState.name: self = .messageState(try request())
        case MessagingMethods.updateMarks.name: self = .marks(try request())
        case MessagingMethods.updateInboxState.name: self = .inboxState(try request())
        case ConversationsMethods.startDirect.name: self = .startDirect(try request())
        case ConversationsMethods.createGroup.name: self = .createGroup(try request())
        case ConversationsMethods.updateGroup.name: self = .updateGroup(try request())
        case ConversationsMethods.addMembers.name: self = .addMembers(try request())
        case ConversationsMethods.removeMember.name: self = .removeMember(try request())
        case ConversationsMethods.leaveGroup.name: self = .leaveGroup(try request())
        case ConversationsMethods.setMemberRole.name: self = .setMemberRole(try request())
        case ConversationsMethods.transferOwnership.name: self = .transferOwnership(try request())
        case ConversationsMethods.withdrawInvitation.name: self = .withdrawInvitation(try request())
        case ConversationsMethods.acceptRequest.name: self = .acceptRequest(try request())
        case ConversationsMethods.declineRequest.name: self = .declineRequest(try request())
        case ConversationsMethods.withdrawRequest.name: self = .withdrawRequest(try request())
        case ConversationsMethods.blockUser.name: self = .block(try request())
        case ConversationsMethods.unblockUser.name: self = .unblock(try request())
        case ConversationsMethods.updateProfile.name: self = .updateProfile(try request())
        case EntitiesMethods.createReminder.name: self = .createReminder(try request())
        case EntitiesMethods.updateReminder.name: self = .updateReminder(try request())
        case EntitiesMethods.completeReminder.name: self = .completeReminder(try request())
        case EntitiesMethods.deleteReminder.name: self = .deleteReminder(try request())
        case EntitiesMethods.createDecision.name: self = .createDecision(try request())
        case EntitiesMethods.deleteDecision.name: self = .deleteDecision(try request())
        case EntitiesMethods.createEvent.name: self = .createEvent(try request())
        case EntitiesMethods.answerEvent.name: self = .answerEvent(try request())
        default: throw StoreProblem.damaged
        }
    }

    // MARK: What depends on what

    /// The id of the message that it sends.
    var sends: MessageID? { if case .send(let request) = self { MessageID(request.id) } else { nil } }

    /// Whether all that comes later in its lane is about what it creates.
    var creates: Bool {
        switch self {
        case .startDirect, .createGroup, .createReminder, .createDecision, .createEvent: true
        default: false
        }
    }

    /// Puts in the number of the message that it is about, or that it answers.
    mutating func resolve(to seq: Int64) {
        switch self {
        case .send(var request):
            request.replyToSeq = seq
            self = .send(request)
        case .edit(var request):
            request.seq = seq
            self = .edit(request)
        case .delete(var request):
            request.seq = seq
            self = .delete(request)
        case .react(var request):
            request.seq = seq
            self = .react(request)
        case .messageState(var request):
            request.seqs = [seq]
            self = .messageState(request)
        default: break
        }
    }

    /// What shows that it was done.
    enum Shown: Hashable, Sendable {
        case message
        case conversation
        case state(StateKind)
    }

    var shown: Shown {
        switch self {
        case .send, .edit, .delete, .react, .messageState: .message
        case .updateProfile: .state(.profile)
        case .createReminder, .updateReminder, .completeReminder, .deleteReminder: .state(.reminder)
        case .createDecision, .deleteDecision: .state(.decision)
        case .createEvent, .answerEvent: .state(.event)
        default: .conversation
        }
    }

    /// Whether a refusal of it is dropped: the app asks for the same again when it is due, as for read marks.
    var isForgotten: Bool { if case .marks = self { true } else { false } }
}

/// Something that I did and that the server does not have yet.
struct UnsentItem: Hashable, Sendable {
    /// A UUIDv7: ids ascend in the order in which things were done.
    let id: Data
    /// What it is about: a conversation's id, "me", or the id of a reminder, decision or event. Of each lane, one
    /// thing is sent after another.
    var lane: String
    var intent: Intent
    /// The id of the message that it is about or answers, which may have no number yet; empty: none.
    var target = Data()
    /// The conversation that it creates, as it is shown until the server says how it is.
    var guess: Parley_V1_Conversation?
    /// The name of the copy of the file that it sends; nil: it sends none.
    var file: String?
    /// In microseconds UTC.
    var doneAtUs: Int64
    /// Whether it may have been sent already.
    var wasTried = false
    /// Why the server refused it.
    var failure: Refusal?

    /// Whether this cannot be sent without the other, which comes before it in the same lane.
    func depends(on earlier: UnsentItem) -> Bool {
        guard lane == earlier.lane, earlier.id.lexicographicallyPrecedes(id) else { return false }
        return earlier.intent.creates || (!target.isEmpty && earlier.intent.sends?.data == target)
    }
}
