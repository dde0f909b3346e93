import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Adds or removes a reaction (M12). Replies once the change is committed. Safe to repeat.
    /// - Throws: ``Refusal`` `not_member`, `user_blocked`, `accept_first`, `message_not_found`, `message_deleted`,
    ///   `too_many_reactions`, `invalid`.
    func updateReaction(_ request: UpdateReactionRequest, _ call: RequestContext) async throws -> UpdateReactionReply {
        guard let id = ConversationID(request.conversation) else { throw Refusal.notMember }
        guard let emoji = EmojiRules.emoji(request.emoji) else {
            throw Refusal.invalid("emoji", "must be a single emoji")
        }
        let known = directory.known(id)
        let number =
            if let known { known } else { try await directory.number(of: id) ?? Self.nowhere }
        do {
            return try await reactions.add(
                PendingReaction(
                    conversation: number, conversationID: id, seq: request.seq, account: call.caller.account,
                    user: call.caller.user, emoji: emoji, isRemoval: request.remove, session: call.caller.session,
                    deadline: call.deadline))
        } catch let refusal as Refusal where refusal == .notMember {
            // A nonexistent id is looked up each time. Do the same here, so that the caller cannot distinguish the two.
            if known != nil { _ = try await directory.number(of: id) }
            throw refusal
        }
    }

    /// Lists the reactions to a message, oldest first.
    /// - Throws: ``Refusal`` `not_member`, `message_not_found`, `invalid`.
    func listReactions(_ request: ListReactionsRequest, _ call: RequestContext) async throws -> ListReactionsReply {
        guard let cursor = ReactionsCursor(request.cursor) else {
            throw Refusal.invalid("cursor", "must be a cursor from an earlier reply, or empty")
        }
        let emoji = request.emoji.isEmpty ? nil : EmojiRules.emoji(request.emoji)
        guard request.emoji.isEmpty || emoji != nil else {
            throw Refusal.invalid("emoji", "must be a single emoji, or empty")
        }
        let (conversation, window) = try await window(request.conversation, of: call.caller)
        let message = try await readable(request.seq, of: conversation.number, in: window)
        // A former member does not see reactions, because they may be from after they left.
        guard message.deletedAtUs == 0, message.own?.hidden != true, !window.isFormer else {
            return ListReactionsReply()
        }
        let limit = Page.limit(request.limit)
        let (number, seq) = (Parameter.int64(conversation.number), Parameter.int64(request.seq))
        let rows =
            if let emoji {
                try await context.database.query(
                    ActionsStore.reactionsWith, number, seq, .int64(cursor.at), .int64(cursor.account),
                    .int64(Int64(limit + 1)), .text(emoji))
            } else {
                try await context.database.query(
                    ActionsStore.reactions, number, seq, .int64(cursor.at), .int64(cursor.account),
                    .text(cursor.emoji), .int64(Int64(limit + 1)))
            }
        let page = rows.prefix(limit)
        let more = rows.count > page.count
        return ListReactionsReply(
            reactions: page.map(\.reaction), cursor: more ? page.last.map { ReactionsCursor($0).text } ?? "" : "",
            more: more)
    }
}

/// The reaction after which the next page begins: `AT.ACCOUNT.EMOJI`, with numbers in base 36. Pure.
struct ReactionsCursor: Equatable {
    var at: Int64 = 0
    var account: Int64 = 0
    var emoji = ""

    init(_ row: ReactionRow) {
        (at, account, emoji) = (row.reaction.atUs, row.account, row.reaction.emoji)
    }

    /// Returns nil for an invalid cursor. An empty text starts at the first page.
    init?(_ text: String) {
        guard !text.isEmpty else { return }
        let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let at = Int64(parts[0], radix: 36), let account = Int64(parts[1], radix: 36),
            at >= 0, account >= 0, EmojiRules.emoji(String(parts[2])) != nil
        else { return nil }
        (self.at, self.account, emoji) = (at, account, String(parts[2]))
    }

    var text: String { "\(String(at, radix: 36)).\(String(account, radix: 36)).\(emoji)" }
}
