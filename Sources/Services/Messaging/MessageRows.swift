import Postgres
import Schema
import ServiceKit

/// Reading messages: their columns, and which parts a viewer may see.
extension MessagingStore {
    /// The columns of a message, taken from the row `m` (messages) and the rows that
    /// ``messageJoins(viewer:hasStates:)`` joins to it.
    /// - Parameter viewer: the reader's account, as SQL. If nil, no personal message state is included, as in Updates.
    static func messageColumns(viewer: String?) -> String {
        """
        m.seq, m.id, u.user_id, m.kind, m.text, m.sent_at, m.position, m.extra, m.edited_at, m.deleted_at, m.expires_at,
            m.reply_to_seq, m.thread_seq,
            CASE WHEN m.mentions IS NOT NULL THEN ARRAY(
                SELECT n.user_id
                FROM unnest(m.mentions) WITH ORDINALITY AS e (account, ordinal)
                JOIN conversations.account_ids AS n ON n.account = e.account
                ORDER BY e.ordinal
            ) END,
            CASE WHEN m.forwarded_from IS NOT NULL THEN (
                SELECT n.user_id
                FROM conversations.account_ids AS n
                WHERE n.account = m.forwarded_from
            ) END,
            m.reactions, m.reaction_counts, thread.replies, thread.last_seq, thread.position,
            \(viewer == nil ? "false, false, NULL" : ownColumns(viewer ?? ""))
        """
    }

    private static func ownColumns(_ viewer: String) -> String {
        """
        own.starred_at IS NOT NULL, own.hidden_at IS NOT NULL,
            CASE WHEN m.reactions IS NOT NULL THEN ARRAY(
                SELECT r.emoji
                FROM messaging.reactions AS r
                WHERE r.conversation = m.conversation
                    AND r.seq = m.seq
                    AND r.account = \(viewer)
                ORDER BY r.emoji
            ) END
        """
    }

    /// The joins that the columns of a message need. The row `m` must have all columns of messages.
    /// - Parameters:
    ///   - viewer: as in ``messageColumns(viewer:)``.
    ///   - hasStates: whether the viewer has any message states in this conversation, as SQL. If not, none are looked
    ///     up.
    static func messageJoins(viewer: String?, hasStates: String = "true") -> String {
        """
        LEFT JOIN conversations.account_ids AS u ON u.account = m.sender
        LEFT JOIN LATERAL \(oneRow(
            "replies, last_seq, position", from: "messaging.threads",
            where: "(m.has_replies OR m.thread_seq IS NOT NULL) AND conversation = m.conversation",
            by: "seq", is: "COALESCE(m.thread_seq, m.seq)"
        )) AS thread ON true
        """
            + (viewer.map {
                """

                LEFT JOIN LATERAL \(oneRow(
                    "starred_at, hidden_at", from: "messaging.message_states",
                    where: "\(hasStates) AND account = \($0) AND conversation = m.conversation", by: "seq", is: "m.seq"
                )) AS own ON true
                """
            } ?? "")
    }

    /// Reads a message from its ``messageColumns(viewer:)``. The caller fills in the conversation's id and calls
    /// ``Schema/Message/show(at:)``.
    static func message(_ row: borrowing RowReader, from first: Int = 0) throws -> Message {
        let kind = MessageKind(rawValue: Int32(try row.int16(first + 3)))
        var message = Message(
            conversation: "", seq: try row.int64(first), id: try row.uuid(first + 1),
            sender: try row.optionalText(first + 2) ?? "", kind: kind, text: try row.text(first + 4),
            sentAtUs: try row.int64(first + 5), position: try row.int64(first + 6))
        if !row.isNull(first + 7) {
            let extra = try row.bytes(first + 7)
            if kind == .system {
                message.system = try? SystemNote.decode(extra)
            } else {
                message.media = try? Media.decode(extra)
            }
        }
        message.editedAtUs = try row.optionalInt64(first + 8) ?? 0
        message.deletedAtUs = try row.optionalInt64(first + 9) ?? 0
        message.expiresAtUs = try row.optionalInt64(first + 10) ?? 0
        message.replyToSeq = try row.optionalInt64(first + 11) ?? 0
        message.threadSeq = try row.optionalInt64(first + 12) ?? 0
        if !row.isNull(first + 13) { message.mentions = try row.texts(first + 13) }
        message.forwardedFrom = try row.optionalText(first + 14) ?? ""
        if !row.isNull(first + 15), !row.isNull(first + 16) {
            message.reactions = zip(try row.texts(first + 15), try row.int64s(first + 16)).map {
                ReactionCount(emoji: $0, count: $1)
            }
        }
        if let replies = try row.optionalInt64(first + 17) {
            message.thread = Schema.Thread(
                replies: replies, lastSeq: try row.int64(first + 18), position: try row.int64(first + 19))
        }
        let (isStarred, isHidden) = (try row.bool(first + 20), try row.bool(first + 21))
        let reactions = row.isNull(first + 22) ? [] : try row.texts(first + 22)
        if isStarred || isHidden || !reactions.isEmpty {
            message.own = OwnMessageState(starred: isStarred, hidden: isHidden, reactions: reactions)
        }
        return message
    }
}

extension Message {
    /// Removes the content that must not be read at time `now`. A message that is deleted, has disappeared or is hidden
    /// keeps only its seq, position, sender, times and thread.
    mutating func show(at now: Timestamp) {
        if expiresAtUs != 0, expiresAtUs <= now.rawValue, deletedAtUs == 0 { deletedAtUs = expiresAtUs }
        let isHidden = own?.hidden == true
        guard deletedAtUs != 0 || isHidden else { return }
        text = ""
        media = nil
        mentions = []
        reactions = []
        forwardedFrom = ""
        editedAtUs = 0
        own = isHidden ? OwnMessageState(hidden: true) : nil
    }

    /// Returns a copy with ``show(at:)`` applied.
    func shown(at now: Timestamp) -> Message {
        var message = self
        message.show(at: now)
        return message
    }

    /// Its approximate size in a reply, in bytes.
    var pageBytes: Int {
        let names = (mentions.count + (system?.users.count ?? 0)) * 66
        let file = media.map { $0.thumbnail.count + $0.url.utf8.count + $0.name.utf8.count + 192 } ?? 0
        return text.utf8.count + names + file + reactions.count * 72 + (own?.reactions.count ?? 0) * 66 + 320
    }
}
