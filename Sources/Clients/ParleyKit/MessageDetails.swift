import Foundation
import ParleyClient

/// A member whom a message reached, or who has read it.
///
///     for reader in try await chat.readers(of: message) where reader.readAt != nil {
///         show("\(chat.user(reader.user)?.displayName ?? "") has read it")
///     }
public struct MessageReader: Hashable, Sendable, Codable {
    public var user: UserID
    /// Whether it reached one of their devices.
    public var isDelivered: Bool
    /// When they read it; nil: not yet.
    public var readAt: Date?

    /// Creates a reader, for previews and tests.
    public init(_ user: UserID, isDelivered: Bool = true, readAt: Date? = nil) {
        (self.user, self.isDelivered, self.readAt) = (user, isDelivered, readAt)
    }
}

/// A person's reaction to a message.
///
///     for reaction in try await chat.reactions(to: message) { show("\(reaction.emoji) by \(reaction.user)") }
public struct GivenReaction: Hashable, Sendable, Codable {
    public var user: UserID
    public var emoji: String
    public var at: Date

    /// Creates a reaction, for previews and tests.
    public init(_ emoji: String, by user: UserID, at time: Date = .now) {
        (self.user, self.emoji, at) = (user, emoji, time)
    }
}

/// A text that a message had before it was edited.
///
///     for earlier in try await chat.earlierTexts(of: message) { show("\(earlier.text), until \(earlier.until)") }
public struct EarlierText: Hashable, Sendable, Codable {
    public var text: String
    /// When the next text took its place.
    public var until: Date

    /// Creates a text, for previews and tests.
    public init(_ text: String, until: Date) { (self.text, self.until) = (text, until) }
}

/// An invitation into a group that is not answered yet.
///
///     for invitation in try await group.invitations() { show("\(invitation.user.displayName) is invited") }
public struct Invitation: Identifiable, Hashable, Sendable, Codable {
    public var user: User
    public var inviter: UserID
    public var invitedAt: Date

    public var id: UserID { user.id }

    /// Creates an invitation, for previews and tests.
    public init(of user: User, by inviter: UserID, at time: Date = .now) {
        (self.user, self.inviter, invitedAt) = (user, inviter, time)
    }
}

/// What the server says of a message, a group or a conversation when it is asked. Each function throws `offline`
/// without a connection.
extension Conversation {
    /// Returns who has read a message and whom it reached, apart from its author, in a group of any size.
    /// - Throws: `message_not_found`; `invalid` for one that is not sent yet.
    public func readers(of message: Message) async throws(Refusal) -> [MessageReader] {
        let seq = try sent(message)
        return try await ask { id, client throws(ParleyError) in
            var (readers, cursor): ([MessageReader], String) = ([], "")
            repeat {
                let page = try await client.readers(of: seq, in: id, cursor: cursor, limit: 200)
                readers += page.readers.map {
                    MessageReader(
                        UserID(rawValue: $0.user), isDelivered: $0.delivered, readAt: Date(set: $0.readAtUs))
                }
                cursor = page.more ? page.cursor : ""
            } while !cursor.isEmpty
            return readers
        }
    }

    /// Returns who reacted to a message, and with what, the latest first.
    /// - Throws: `message_not_found`; `invalid` for one that is not sent yet.
    public func reactions(to message: Message) async throws(Refusal) -> [GivenReaction] {
        let seq = try sent(message)
        return try await ask { id, client throws(ParleyError) in
            var (reactions, cursor): ([GivenReaction], String) = ([], "")
            repeat {
                let page = try await client.reactions(to: seq, in: id, cursor: cursor, limit: 200)
                reactions += page.reactions.map {
                    GivenReaction($0.emoji, by: UserID(rawValue: $0.user), at: Date(microseconds: $0.atUs))
                }
                cursor = page.more ? page.cursor : ""
            } while !cursor.isEmpty
            return reactions
        }
    }

    /// Returns the texts that a message had before, the newest first: as many as fit into 96 KiB.
    /// - Throws: `message_not_found`; `invalid` for one that is not sent yet.
    public func earlierTexts(of message: Message) async throws(Refusal) -> [EarlierText] {
        let seq = try sent(message)
        return try await ask { id, client throws(ParleyError) in
            try await client.revisions(of: seq, in: id).map {
                EarlierText($0.text, until: Date(microseconds: $0.untilUs))
            }
        }
    }

    /// Reads the thread of a message, in order: its first message, then all replies.
    /// - Throws: `message_not_found`; `invalid` for one that is not sent yet.
    func readThread(of message: Message) async throws(Refusal) -> [Message] {
        let first: Int64
        if let start = message.threadStart { first = start } else { first = try sent(message) }
        return try await ask { id, client throws(ParleyError) in
            var messages: [Message] = []
            var (after, hasMore): (Int64, Bool) = (0, true)
            while hasMore {
                let page = try await client.thread(first, of: id, after: after, limit: 200)
                messages += page.messages.map(Message.init)
                guard let last = page.messages.last?.seq, last > after else { break }
                (after, hasMore) = (last, page.moreAfter)
            }
            return messages.filter { !$0.isHidden }
        }
    }

    /// Forwards a message of this conversation to others. The copies name who wrote it.
    /// - Throws: `message_not_found`; `invalid` for one that is not sent yet; what sending throws. Of several, those
    ///   before the one that is refused are sent.
    public func forward(_ message: Message, to others: [ConversationID]) async throws(Refusal) {
        let seq = try sent(message)
        for other in others {
            try await ask { id, client throws(ParleyError) in
                _ = try await client.forward(seq, of: id, to: other.rawValue)
            }
        }
    }

    /// Deletes all messages so far, for me alone. The conversation leaves the inbox until another one arrives.
    public func clear() async throws(Refusal) {
        try await ask { id, client throws(ParleyError) in _ = try await client.clear(id) }
    }

    /// Returns the open invitations into a group that I own or administer, the earliest first.
    /// - Throws: `not_member`, `forbidden`.
    public func invitations() async throws(Refusal) -> [Invitation] {
        try await ask { id, client throws(ParleyError) in
            var (invitations, cursor): ([Invitation], String) = ([], "")
            repeat {
                let page = try await client.invitations(into: id, cursor: cursor, limit: 200)
                invitations += page.invitations.map {
                    Invitation(
                        of: User($0.user), by: UserID(rawValue: $0.inviter), at: Date(microseconds: $0.invitedAtUs))
                }
                cursor = page.more ? page.cursor : ""
            } while !cursor.isEmpty
            return invitations
        }
    }

    private func sent(_ message: Message) throws(Refusal) -> Int64 {
        guard let seq = message.seq ?? self.message(message.id)?.seq else {
            throw Refusal(.invalid, "This message is not sent yet. Wait until it is.", field: "message")
        }
        return seq
    }

    private func ask<Answer: Sendable>(
        _ request: @Sendable (String, ParleyClient) async throws(ParleyError) -> Answer
    ) async throws(Refusal) -> Answer {
        guard let reader else { throw .wasClosed }
        let id = id.rawValue
        return try await reader.ask { client throws(ParleyError) in try await request(id, client) }
    }
}
