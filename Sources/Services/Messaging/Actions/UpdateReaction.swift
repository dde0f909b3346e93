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
        guard let emoji = EmojiRules.emoji(request.emoji) else {
            throw Refusal.invalid("emoji", UnfitText.notOneEmoji.why)
        }
        return try await directory.resolve(request.conversation) { conversation in
            try await reactions.add(
                PendingReaction(
                    conversation: conversation.number, conversationID: conversation.id, seq: Seq(request.seq),
                    account: call.caller.account, user: call.caller.user, emoji: emoji, isRemoval: request.remove,
                    deadline: call.deadline))
        }
    }

    /// Lists the reactions to a message, oldest first.
    /// - Throws: ``Refusal`` `not_member`, `message_not_found`, `invalid`.
    func listReactions(_ request: ListReactionsRequest, _ call: RequestContext) async throws -> ListReactionsReply {
        let cursor = try ReactionsCursor(request.cursor)
        let emoji = request.emoji.isEmpty ? nil : EmojiRules.emoji(request.emoji)
        guard request.emoji.isEmpty || emoji != nil else {
            throw Refusal.invalid("emoji", "must be a single emoji, or empty")
        }
        let (conversation, window) = try await window(request.conversation, of: call.caller)
        let message = try await readable(Seq(request.seq), of: conversation.number, in: window)
        // A former member does not see reactions, because they may be from after they left.
        guard message.deletedAtUs == 0, message.own?.hidden != true, !window.isFormer else {
            return ListReactionsReply()
        }
        let limit = Page.limit(request.limit)
        let (number, seq) = (Parameter.number(conversation.number), Parameter.int64(request.seq))
        let rows =
            if let emoji {
                try await context.database.query(
                    ActionsStore.reactionsWith, number, seq, .number(cursor.at), .number(cursor.account),
                    .int64(Int64(limit + 1)), .text(emoji))
            } else {
                try await context.database.query(
                    ActionsStore.reactions, number, seq, .number(cursor.at), .number(cursor.account),
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
struct ReactionsCursor: Cursor {
    var at: Timestamp = 0
    var account: AccountNumber = 0
    var emoji = ""

    init(_ row: ReactionRow) {
        (at, account, emoji) = (Timestamp(row.reaction.atUs), row.account, row.reaction.emoji)
    }

    private init() {}

    static let start = ReactionsCursor()

    init(_ parts: inout CursorParts) throws(CursorParts.Invalid) {
        (at, account) = (try parts.number(radix: 36), try parts.number(radix: 36))
        emoji = try parts.remainder()
        guard EmojiRules.emoji(emoji) != nil else { throw CursorParts.Invalid() }
    }

    var text: String { "\(String(at.rawValue, radix: 36)).\(String(account.rawValue, radix: 36)).\(emoji)" }
}
