import Foundation
import ParleyClient

// Requests, blocks and my profile.

// MARK: Requests

extension Parley_V1_AcceptRequestRequest: ConversationAction, ActionInConversation {
    static let registration = ActionRegistration(ConversationsMethods.acceptRequest)

    var unsentKind: Unsent.Kind { .request }

    func change(_ summary: inout ConversationSummary, at time: Int64, as me: UserID) {
        summary.section = .inbox
        change(&summary) { ($0.section, $0.request, $0.hasLeft) = (.inbox, .accepted, false) }
    }

    func answer(_ reply: Parley_V1_ConversationReply, as me: UserID) -> ActionAnswer {
        ActionAnswer(confirmation: .at("conversations/u/\(me)", reply.conversation.position))
    }
}

extension Parley_V1_DeclineRequestRequest: ConversationAction, ActionInConversation {
    static let registration = ActionRegistration(ConversationsMethods.declineRequest)

    var unsentKind: Unsent.Kind { .request }

    func change(_ summary: inout ConversationSummary, at time: Int64, as me: UserID) {
        summary.section = nil
        change(&summary) { $0.section = nil }
    }

    func answer(_ reply: Parley_V1_Done, as me: UserID) -> ActionAnswer { ActionAnswer(confirmation: .nextSync) }
}

extension Parley_V1_WithdrawRequestRequest: ConversationAction, ActionInConversation {
    static let registration = ActionRegistration(ConversationsMethods.withdrawRequest)

    var unsentKind: Unsent.Kind { .request }

    func change(_ summary: inout ConversationSummary, at time: Int64, as me: UserID) {
        summary.section = nil
        change(&summary) { $0.section = nil }
    }

    func answer(_ reply: Parley_V1_Done, as me: UserID) -> ActionAnswer { ActionAnswer(confirmation: .nextSync) }
}

// MARK: Blocks

/// What concerns another person is in order with what I write to them.
extension Parley_V1_BlockUserRequest: BlockAction {
    static let registration = ActionRegistration(ConversationsMethods.blockUser)

    var unsentKind: Unsent.Kind { .request }

    func lane(as me: UserID) -> String { ConversationID.direct(me, UserID(rawValue: user)).rawValue }
    func key(as me: UserID) -> String { user }

    func change(_ summary: inout ConversationSummary, at time: Int64, as me: UserID) {
        summary.section = .blocked
        change(&summary) { ($0.section, $0.request) = (.blocked, .blocked) }
    }

    func change(_ blocked: inout [User], _ person: User) {
        if !blocked.contains(where: { $0.id == person.id }) { blocked.append(person) }
    }

    func answer(_ reply: Parley_V1_BlockUserReply, as me: UserID) -> ActionAnswer {
        ActionAnswer(confirmation: .nextSync)
    }
}

extension Parley_V1_UnblockUserRequest: BlockAction {
    static let registration = ActionRegistration(ConversationsMethods.unblockUser)

    var unsentKind: Unsent.Kind { .request }

    func lane(as me: UserID) -> String { ConversationID.direct(me, UserID(rawValue: user)).rawValue }
    func key(as me: UserID) -> String { user }

    func change(_ summary: inout ConversationSummary, at time: Int64, as me: UserID) {
        if summary.section == .blocked { summary.section = .inbox }
        change(&summary) { if $0.section == .blocked { ($0.section, $0.request) = (.inbox, .accepted) } }
    }

    func change(_ blocked: inout [User], _ person: User) { blocked.removeAll { $0.id == person.id } }

    func answer(_ reply: Parley_V1_Done, as me: UserID) -> ActionAnswer { ActionAnswer(confirmation: .nextSync) }
}

// MARK: My profile

extension Parley_V1_UpdateProfileRequest: ProfileAction {
    static let registration = ActionRegistration(ConversationsMethods.updateProfile)

    var texts: [ActionText] { changeDisplayName == nil ? [] : [.init(displayName, .name, "display_name")] }

    var unsentKind: Unsent.Kind { .profile }

    func lane(as me: UserID) -> String { Outbox.ownLane }
    func key(as me: UserID) -> String { me.rawValue }

    func change(_ profile: inout Profile) {
        if case .username(let name) = changeUsername { profile.user.username = name }
        if case .displayName(let name) = changeDisplayName { profile.user.displayName = name }
        if case .photoURL(let photo) = changePhoto { profile.user.photo = URL(string: photo) }
        if case .email(let email) = changeEmail {
            profile.isEmailConfirmed = profile.isEmailConfirmed && email == profile.email
            profile.email = email.isEmpty ? nil : email
        }
        if case .findableByEmail(let isFindable) = changeFindable { profile.isFindableByEmail = isFindable }
    }

    func answer(_ reply: Parley_V1_Profile, as me: UserID) -> ActionAnswer {
        ActionAnswer(confirmation: .at("conversations/u/\(me)", reply.position))
    }
}
