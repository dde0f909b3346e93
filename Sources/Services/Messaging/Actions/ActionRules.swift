import Schema
import Wire

/// One person's rights in a conversation and one of its messages, read under the lock of the conversation's head.
struct ActionContext: Sendable {
    var account: AccountNumber
    var user: String
    var isGroup: Bool
    var role: MemberRole
    /// Why the person may not write; nil if they may.
    var refusal: Refusal?
    /// Whether the person may write only a limited number of messages until the request is accepted.
    var isPending: Bool
    /// How long after sending new messages disappear, µs; zero if they do not.
    var retention: Int64
    /// The members to whom the message is shown; all members if there is no message.
    var readers: Audience
    /// Members to whom it is not shown because they joined after it.
    var others: Audience = []
    /// The version of the members that `readers` and `others` are of.
    var membersVersion: Int64 = 0
    /// Whether the message is in this person's window.
    var isReadable: Bool
    /// The stored message, including content that may no longer be read; nil if there is none.
    var message: Message?
}

/// Decides who may do what with a message. Pure.
enum ActionRules {
    /// - Throws: ``Refusal`` `not_member`, `user_blocked`, `accept_first`.
    static func mayWrite(_ current: ActionContext) throws(Refusal) {
        if let refusal = current.refusal { throw refusal }
    }

    /// Returns the message if people can act on it.
    /// - Throws: ``Refusal`` `message_not_found`, the same for a message that does not exist and one this person may
    ///   not read.
    static func message(_ current: ActionContext) throws(Refusal) -> Message {
        guard let message = current.message, current.isReadable, message.kind != .system else {
            throw .messageNotFound()
        }
        return message
    }

    /// Whether it was deleted or has disappeared.
    static func isGone(_ message: Message, at now: Timestamp) -> Bool {
        message.deletedAtUs != 0 || message.expiresAtUs != 0 && message.expiresAtUs <= now.rawValue
    }

    /// Returns the message if this person may edit it.
    /// - Parameter window: how long after sending a message can be edited.
    /// - Returns: nil if it has this text and these mentions already, so that repeating an edit succeeds at any time.
    /// - Throws: ``Refusal`` `message_not_found`, `message_deleted`, `not_author`, `edit_window_closed`.
    static func edited(
        _ current: ActionContext, text: String, mentions: [String], at now: Timestamp, window: Duration
    ) throws(Refusal) -> Message? {
        try mayWrite(current)
        let message = try message(current)
        guard !isGone(message, at: now), message.own?.hidden != true else { throw .messageDeleted }
        // Another person's words cannot be edited, even in a forwarded copy.
        guard message.sender == current.user, message.forwardedFrom.isEmpty || message.forwardedFrom == current.user
        else {
            throw .notAuthor(
                "Only its author can edit this message. A forwarded copy of another person's message cannot be edited.")
        }
        guard message.text != text || Set(message.mentions) != Set(mentions) else { return nil }
        guard now - Timestamp(message.sentAtUs) <= window else { throw .editWindowClosed }
        return message
    }

    /// Returns the message if this person may delete it for everyone.
    /// - Returns: nil if it was deleted or has disappeared already.
    /// - Throws: ``Refusal`` `message_not_found`, `not_author`.
    static func deleted(_ current: ActionContext, at now: Timestamp) throws(Refusal) -> Message? {
        let message = try message(current)
        guard message.sender == current.user || current.isGroup && current.role.rawValue >= MemberRole.admin.rawValue
        else { throw .notAuthor("Only the author, or the owner or an admin of the group, can delete a message.") }
        return isGone(message, at: now) ? nil : message
    }

    /// - Throws: ``Refusal`` `not_member`, `user_blocked`, `accept_first`, `forbidden`.
    static func maySetRetention(_ current: ActionContext) throws(Refusal) {
        try mayWrite(current)
        guard !current.isPending else {
            throw .forbidden("You can set this after the recipient has accepted your request.")
        }
        guard !current.isGroup || current.role.rawValue >= MemberRole.admin.rawValue else {
            throw .forbidden("Only the owner and admins of a group can change when messages disappear.")
        }
    }
}

extension Refusal {
    static func notAuthor(_ why: String) -> Refusal { Refusal(.notAuthor, why, field: "seq") }

    static let editWindowClosed = Refusal(
        .editWindowClosed, "It is too late to edit this message. Write a new one.", field: "seq")

    static let tooManyReactions = Refusal(
        .tooManyReactions, "This message cannot have more different emoji. Use one that it already has.",
        field: "emoji")
}
