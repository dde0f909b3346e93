import Foundation
import ParleyClient

// All that ParleyKit knows by kinds: a kind of states that apps are shown, or of actions that people do offline, is
// added here, beside its values and its actions.

extension StateKind {
    /// What apps are shown of it.
    @MainActor var shown: any ShownStates {
        switch self {
        case .profile: ShownProfile()
        case .requestCount: ShownRequestCount()
        case .block: ShownBlocks()
        case .reminder: ShownList<Reminder>()
        case .decision: ShownList<Decision>()
        case .event: ShownList<Event>()
        case .suggestion: ShownList<Suggestion>()
        }
    }

    /// Its number in SQLite files, which never changes.
    var number: Int {
        switch self {
        case .profile: 1
        case .requestCount: 2
        case .block: 3
        case .reminder: 4
        case .decision: 5
        case .event: 6
        case .suggestion: 7
        }
    }
}

/// The kinds of actions that this version knows.
enum Actions {
    static let all: [any Action.Type] = [
        Parley_V1_SendMessageRequest.self, Parley_V1_EditMessageRequest.self, Parley_V1_DeleteMessageRequest.self,
        Parley_V1_UpdateReactionRequest.self, Parley_V1_UpdateMessageStateRequest.self,
        Parley_V1_UpdateMarksRequest.self, Parley_V1_UpdateInboxStateRequest.self, Parley_V1_StartDirectRequest.self,
        Parley_V1_CreateGroupRequest.self, Parley_V1_UpdateGroupRequest.self, Parley_V1_AddMembersRequest.self,
        Parley_V1_RemoveMemberRequest.self, Parley_V1_LeaveGroupRequest.self, Parley_V1_SetMemberRoleRequest.self,
        Parley_V1_TransferOwnershipRequest.self, Parley_V1_WithdrawInvitationRequest.self,
        Parley_V1_AcceptRequestRequest.self, Parley_V1_DeclineRequestRequest.self,
        Parley_V1_WithdrawRequestRequest.self, Parley_V1_BlockUserRequest.self, Parley_V1_UnblockUserRequest.self,
        Parley_V1_UpdateProfileRequest.self, Parley_V1_CreateReminderRequest.self,
        Parley_V1_UpdateReminderRequest.self, Parley_V1_CompleteReminderRequest.self,
        Parley_V1_DeleteReminderRequest.self, Parley_V1_SnoozeReminderRequest.self, Parley_V1_UpdateEventRequest.self,
        Parley_V1_CreateDecisionRequest.self,
        Parley_V1_DeleteDecisionRequest.self, Parley_V1_CreateEventRequest.self, Parley_V1_AnswerEventRequest.self,
        Parley_V1_InviteConversationRequest.self, Parley_V1_UninviteConversationRequest.self,
        Parley_V1_SetEventHostRequest.self, Parley_V1_CancelEventRequest.self, Parley_V1_DeleteEventRequest.self,
        Parley_V1_AcceptSuggestionRequest.self, Parley_V1_DismissSuggestionRequest.self,
        Parley_V1_SetRetentionRequest.self,
    ]

    private static let byMethod = Dictionary(uniqueKeysWithValues: all.map { ($0.method, $0) })

    /// Decodes what was stored; nil: this version does not know it, or not these bytes.
    static func decode(_ method: String, _ body: Data) -> (any Action)? {
        byMethod[method].flatMap { $0.stored(body) }
    }
}

extension Unsent {
    /// What was done.
    ///
    ///     for unsent in parley.unsent {
    ///         switch unsent.kind {
    ///         case .message(let text): show("waits: \(text)")
    ///         case .edit(let text): show("waits: the change to \(text)")
    ///         default: show("waits")
    ///         }
    ///     }
    public enum Kind: Hashable, Sendable, Codable {
        case message(String)
        /// A message with a file of this name.
        case file(String)
        case edit(String)
        case deletion
        /// A reaction, or its removal.
        case reaction(String)
        /// Starring a message, or deleting it for myself.
        case messageState
        /// Reading, pinning, muting, archiving.
        case ownState
        /// Creating a conversation.
        case conversation
        /// A group's name, photo, members, roles.
        case group
        /// Accepting, declining, withdrawing, blocking.
        case request
        case profile
        case reminder(ReminderID)
        case decision(DecisionID)
        /// Creating or changing an event, or answering an invitation.
        case event(EventID)
        /// Accepting or dismissing a suggestion.
        case suggestion(SuggestionID)
        /// How long the messages of a conversation stay.
        case retention
        /// Something that this version of the app does not know, as a newer one did it. It waits for an update of the
        /// app, and nothing else waits for it, unless it is about what this creates.
        case ofNewerVersion
    }
}
