import Schema
import Wire

/// One person's standing in a conversation, and one message of it, read under the lock of its head.
struct ActionContext: Sendable {
    var account: Int64
    var user: String
    var isGroup: Bool
    var role: MemberRole
    /// As `conversations.access` says it: 0 may write, 1 is asked, 2 blocked, 3 not any more.
    var writeRefusal: Int16
    /// May write only so much until the others accept.
    var isPending: Bool
    /// How long after they are sent new messages disappear, µs; zero: never.
    var retention: Int64
    /// All who may read the conversation.
    var readers: [Int64]
    /// Members to whom it is not shown: they joined after it.
    var others: [Int64] = []
    /// Whether the message can be read in this person's window.
    var isReadable: Bool
    /// As it stands, with what is not to be read any more; nil: there is none.
    var message: Message?
}

/// Who may do what with a message. Pure.
enum ActionRules {
    /// - Throws: ``Refusal`` `not_member`, `user_blocked`, `accept_first`.
    static func mayWrite(_ current: ActionContext) throws(Refusal) {
        switch current.writeRefusal {
        case 0: return
        case 1: throw .acceptFirst
        case 2: throw .userBlocked
        default: throw .notMember
        }
    }

    /// The message, if there is one that people can do something with.
    /// - Throws: ``Refusal`` `message_not_found`: the same for what is not there and what is not for this person's
    ///   eyes.
    static func message(_ current: ActionContext) throws(Refusal) -> Message {
        guard let message = current.message, current.isReadable, message.kind != .system else {
            throw .messageNotFound()
        }
        return message
    }

    /// Whether it was deleted or has disappeared.
    static func isGone(_ message: Message, at now: Int64) -> Bool {
        message.deletedAtUs != 0 || message.expiresAtUs != 0 && message.expiresAtUs <= now
    }

    /// The message, if this person may say something else in it.
    /// - Parameter window: how long after sending, µs.
    /// - Returns: nil when it says that already, so that the same edit again is the same edit, also later.
    /// - Throws: ``Refusal`` `message_not_found`, `message_deleted`, `not_author`, `edit_window_closed`.
    static func edited(
        _ current: ActionContext, text: String, mentions: [String], at now: Int64, window: Int64
    ) throws(Refusal) -> Message? {
        try mayWrite(current)
        let message = try message(current)
        guard !isGone(message, at: now) else { throw .messageDeleted }
        // What another wrote stays as they wrote it, also where it is forwarded.
        guard message.sender == current.user, message.forwardedFrom.isEmpty || message.forwardedFrom == current.user
        else { throw .notAuthor("Only who wrote a message may edit it.") }
        guard message.text != text || Set(message.mentions) != Set(mentions) else { return nil }
        guard now - message.sentAtUs <= window else { throw .editWindowClosed }
        return message
    }

    /// The message, if this person may delete it for everyone.
    /// - Returns: nil when it is deleted already.
    /// - Throws: ``Refusal`` `message_not_found`, `not_author`.
    static func deleted(_ current: ActionContext, at now: Int64) throws(Refusal) -> Message? {
        let message = try message(current)
        guard message.sender == current.user || current.isGroup && current.role.rawValue >= MemberRole.admin.rawValue
        else { throw .notAuthor("Only who wrote a message, and a group's owner and admins, may delete it.") }
        return isGone(message, at: now) ? nil : message
    }

    /// - Throws: ``Refusal`` `not_member`, `user_blocked`, `accept_first`, `forbidden`.
    static func maySetRetention(_ current: ActionContext) throws(Refusal) {
        try mayWrite(current)
        guard !current.isPending else { throw .forbidden("Wait until your request is accepted.") }
        guard !current.isGroup || current.role.rawValue >= MemberRole.admin.rawValue else {
            throw .forbidden("Only the owner and admins of a group may do this.")
        }
    }
}

extension Refusal {
    static func notAuthor(_ why: String) -> Refusal { Refusal("not_author", why, field: "seq") }

    static let editWindowClosed = Refusal(
        "edit_window_closed", "It is too late to edit this message; write another one.", field: "seq")

    static let tooManyReactions = Refusal(
        "too_many_reactions", "No other emoji fits on this message; use one that is there.", field: "emoji")
}
