import Foundation
import ParleyClient

// What I do with conversations and groups.

extension ConversationAction {
    var optimisticState: OptimisticState { .conversation(self) }

    /// The answer is in my stream of conversations.
    fileprivate func answer(_ conversation: Parley_V1_Conversation, to me: UserID) -> ActionAnswer {
        ActionAnswer(confirmation: .at("conversations/u/\(me)", conversation.position))
    }

    /// Changes what the server has said of the conversation, if anything.
    func change(_ summary: inout ConversationSummary, _ body: (inout Conversation.Facts) -> Void) {
        guard var facts = summary.facts else { return }
        body(&facts)
        summary.facts = facts
    }
}

// MARK: What only I see of a conversation

extension Parley_V1_UpdateMarksRequest: Action {
    static let registration = ActionRegistration(MessagingMethods.updateMarks, dropsRefusals: true)

    var optimisticState: OptimisticState { .marks(self) }
    var unsentKind: Unsent.Kind { .ownState }

    func lane(as me: UserID) -> String { marks.first?.conversation ?? "" }
    func key(as me: UserID) -> String { me.rawValue }

    // The sync machine takes inbox states from replies at once.
    func answer(_ reply: Parley_V1_UpdateMarksReply, as me: UserID) -> ActionAnswer {
        ActionAnswer(confirmation: .now)
    }
}

extension Parley_V1_UpdateInboxStateRequest: ConversationAction, ActionInConversation {
    static let registration = ActionRegistration(MessagingMethods.updateInboxState)

    var unsentKind: Unsent.Kind { .ownState }

    func change(_ summary: inout ConversationSummary, at time: Int64, as me: UserID) {
        if let isPinned = pinned.flag, isPinned != (summary.own.pinnedAt != nil) {
            summary.own.pinnedAt = isPinned ? Date(microseconds: time) : nil
            summary.key.pinnedAt = isPinned ? time : 0
        }
        if let isArchived = archived.flag { summary.own.isArchived = isArchived }
        if let isMarked = markedUnread.flag { summary.own.unread.isMarked = isMarked }
        if let isMuted = muted.flag {
            let end = mutedUntilUs == 0 ? Date.distantFuture : Date(microseconds: mutedUntilUs)
            summary.own.mutedUntil = isMuted ? end : nil
        }
    }

    func answer(_ reply: Parley_V1_InboxStateReply, as me: UserID) -> ActionAnswer { ActionAnswer(confirmation: .now) }
}

// MARK: What all members see

extension Parley_V1_SetRetentionRequest: ConversationAction, ActionInConversation {
    static let registration = ActionRegistration(MessagingMethods.setRetention)

    var unsentKind: Unsent.Kind { .retention }

    func change(_ summary: inout ConversationSummary, at time: Int64, as me: UserID) {
        summary.own.retention = seconds == 0 ? nil : .seconds(seconds)
    }

    func answer(_ reply: Parley_V1_SetRetentionReply, as me: UserID) -> ActionAnswer {
        ActionAnswer(confirmation: .nextSync)
    }
}

// MARK: Creating

extension Parley_V1_StartDirectRequest: ConversationAction {
    static let registration = ActionRegistration(ConversationsMethods.startDirect, creates: true)

    var unsentKind: Unsent.Kind { .conversation }

    func lane(as me: UserID) -> String { ConversationID.direct(me, UserID(rawValue: user)).rawValue }
    func key(as me: UserID) -> String { user }

    func change(_ summary: inout ConversationSummary, at time: Int64, as me: UserID) {
        summary.key.activeAt = max(summary.key.activeAt, time)
    }

    func answer(_ reply: Parley_V1_ConversationReply, as me: UserID) -> ActionAnswer {
        answer(reply.conversation, to: me)
    }
}

extension Parley_V1_CreateGroupRequest: ConversationAction {
    static let registration = ActionRegistration(ConversationsMethods.createGroup, creates: true)

    var texts: [ActionText] { [.init(name, .name, "name")] }

    var unsentKind: Unsent.Kind { .conversation }

    func lane(as me: UserID) -> String { id.hexDigits }
    func key(as me: UserID) -> String { id.hexDigits }

    func change(_ summary: inout ConversationSummary, at time: Int64, as me: UserID) {
        summary.key.activeAt = max(summary.key.activeAt, time)
    }

    func answer(_ reply: Parley_V1_ConversationReply, as me: UserID) -> ActionAnswer {
        answer(reply.conversation, to: me)
    }
}

// MARK: Groups

extension Parley_V1_UpdateGroupRequest: ConversationAction, ActionInConversation {
    static let registration = ActionRegistration(ConversationsMethods.updateGroup)

    var texts: [ActionText] { changeName == nil ? [] : [.init(name, .name, "name")] }

    var unsentKind: Unsent.Kind { .group }

    func change(_ summary: inout ConversationSummary, at time: Int64, as me: UserID) {
        change(&summary) { facts in
            if case .name(let name) = changeName { facts.name = name }
            if case .photoURL(let photo) = changePhoto { facts.photo = URL(string: photo) }
        }
    }

    func answer(_ reply: Parley_V1_ConversationReply, as me: UserID) -> ActionAnswer {
        answer(reply.conversation, to: me)
    }
}

extension Parley_V1_AddMembersRequest: ConversationAction, ActionInConversation {
    static let registration = ActionRegistration(ConversationsMethods.addMembers)

    var unsentKind: Unsent.Kind { .group }

    /// Who becomes a member, and who is invited, is for the server to say.
    func change(_ summary: inout ConversationSummary, at time: Int64, as me: UserID) {}

    func answer(_ reply: Parley_V1_ConversationReply, as me: UserID) -> ActionAnswer {
        answer(reply.conversation, to: me)
    }
}

extension Parley_V1_RemoveMemberRequest: ConversationAction, ActionInConversation {
    static let registration = ActionRegistration(ConversationsMethods.removeMember)

    var unsentKind: Unsent.Kind { .group }

    func change(_ summary: inout ConversationSummary, at time: Int64, as me: UserID) {
        change(&summary) { facts in
            let count = facts.members.count
            facts.members.removeAll { $0.id.rawValue == user }
            facts.memberCount -= count - facts.members.count
        }
    }

    func answer(_ reply: Parley_V1_Done, as me: UserID) -> ActionAnswer { ActionAnswer(confirmation: .nextSync) }
}

extension Parley_V1_LeaveGroupRequest: ConversationAction, ActionInConversation {
    static let registration = ActionRegistration(ConversationsMethods.leaveGroup)

    var unsentKind: Unsent.Kind { .group }

    func change(_ summary: inout ConversationSummary, at time: Int64, as me: UserID) {
        summary.section = .left
        change(&summary) { ($0.section, $0.hasLeft) = (.left, true) }
    }

    func answer(_ reply: Parley_V1_Done, as me: UserID) -> ActionAnswer { ActionAnswer(confirmation: .nextSync) }
}

extension Parley_V1_SetMemberRoleRequest: ConversationAction, ActionInConversation {
    static let registration = ActionRegistration(ConversationsMethods.setMemberRole)

    var unsentKind: Unsent.Kind { .group }

    func change(_ summary: inout ConversationSummary, at time: Int64, as me: UserID) {
        change(&summary) { $0.setRole(role == .admin ? .admin : .member, of: user) }
    }

    func answer(_ reply: Parley_V1_Done, as me: UserID) -> ActionAnswer { ActionAnswer(confirmation: .nextSync) }
}

extension Parley_V1_TransferOwnershipRequest: ConversationAction, ActionInConversation {
    static let registration = ActionRegistration(ConversationsMethods.transferOwnership)

    var unsentKind: Unsent.Kind { .group }

    func change(_ summary: inout ConversationSummary, at time: Int64, as me: UserID) {
        change(&summary) { facts in
            facts.setRole(.admin, of: me.rawValue)
            facts.setRole(.owner, of: user)
        }
    }

    func answer(_ reply: Parley_V1_Done, as me: UserID) -> ActionAnswer { ActionAnswer(confirmation: .nextSync) }
}

extension Parley_V1_WithdrawInvitationRequest: ConversationAction, ActionInConversation {
    static let registration = ActionRegistration(ConversationsMethods.withdrawInvitation)

    var unsentKind: Unsent.Kind { .group }

    /// Who is invited is not shown.
    func change(_ summary: inout ConversationSummary, at time: Int64, as me: UserID) {}

    func answer(_ reply: Parley_V1_Done, as me: UserID) -> ActionAnswer { ActionAnswer(confirmation: .nextSync) }
}

extension Conversation.Facts {
    fileprivate mutating func setRole(_ role: Member.Role, of user: String) {
        guard let index = members.firstIndex(where: { $0.id.rawValue == user }) else { return }
        members[index].role = role
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
