import Postgres
import Schema
import ServiceKit

/// A message, with all that decides whether one person is told of it, and what is said.
struct MessageFacts: Sendable {
    var account: AccountNumber
    var key: MessageKey
    var conversationID = ""
    /// Empty for a direct conversation.
    var groupName = ""
    /// Nil for a system message.
    var sender: AccountNumber?
    var senderID = ""
    var senderName = ""
    var kind = MessageKind.text
    var text = ""
    var sentAt: Timestamp
    /// Zero: never.
    var editedAt: Timestamp = 0
    var mentionsPerson = false
    var answersPerson = false
    /// Whether the person blocks the sender.
    var isOfBlocked = false
    var section = ConversationSection.inbox
    var isPending = false
    var readSeq: Seq = 0
    var mutedUntil: Timestamp = 0
    /// Archived, and by which message; nil: not archived.
    var archivedSeq: Seq?
    /// How long the messages of the conversation stay; zero: for ever.
    var retention: Duration = .zero
    /// What a system message is about, if people are told of that.
    var shared: SharedEntity?
    var wishes = Wishes()
    /// The level of the conversation; nil: that of all others.
    var level: PushLevel?
    var saysDoNotDisturb = false

    struct SharedEntity: Sendable, Equatable {
        var id: [UInt8]
        var title: String
        var account: AccountNumber
        var name: String
    }
}

/// A message by its place.
struct MessageKey: Hashable, Sendable {
    var conversation: ConversationNumber
    var seq: Seq

    /// As in notifications.told.
    var about: String { "m/\(conversation)/\(seq)" }
}

/// The people who may be told of messages.
struct MessagePerson: Hashable, Sendable {
    var key: MessageKey
    var account: AccountNumber
}

enum FactsStore {
    /// $1 numbers of conversations.
    static let conversationIDs = Statement(
        """
        SELECT conversation, conversation_id
        FROM conversations.conversation_ids
        WHERE conversation = ANY ($1)
        """
    ) { row in (try row.conversation(0), try row.text(1)) }

    /// $1 ids of notices, $2 conversations, $3 seqs, $4 accounts beside them: the last reaction of each account to the
    /// message, with the account's name.
    static let reactions = Statement(
        """
        SELECT g.notice, r.emoji, coalesce(t.display_name, '')
        FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[]) AS g (notice, conversation, seq, account)
        CROSS JOIN LATERAL (
            SELECT x.emoji
            FROM messaging.reacted AS x
            WHERE x.conversation = g.conversation
                AND x.seq = g.seq
                AND x.account = g.account
            ORDER BY x.at DESC, x.emoji
            LIMIT 1
        ) AS r
        LEFT JOIN LATERAL \(oneRow(
            "display_name", from: "conversations.titles", where: "conversation = g.conversation", by: "account",
            is: "g.account"
        )) AS t ON true
        """
    ) { row in (try row.uuid(0), try row.text(1), try row.text(2)) }

    /// $1 ids of conversations.
    static let conversations = Statement(
        """
        SELECT conversation_id, conversation
        FROM conversations.conversation_ids
        WHERE conversation_id = ANY ($1)
        """
    ) { row in (try row.text(0), try row.conversation(1)) }

    /// $1 conversations, $2 seqs, $3 accounts: those of the messages that the accounts may read.
    static let messages = Statement(
        """
        SELECT g.account, g.conversation, g.seq, c.conversation_id, c.name, m.sender, coalesce(u.user_id, ''),
            coalesce(t.display_name, ''), m.kind, left(m.text, 2000), m.sent_at, coalesce(m.edited_at, 0),
            coalesce(g.account = ANY (m.mentions), false), coalesce(r.sender = g.account, false),
            b.blocked IS NOT NULL, s.section, s.is_pending, s.read_seq, s.muted_until,
            CASE WHEN s.is_archived THEN s.archived_seq END, s.retention_us, e.entity, e.title, e.account,
            e.display_name, l.level, p.is_undisturbed, \(SettingsStore.columns)
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS g (conversation, seq, account)
        CROSS JOIN LATERAL (
            SELECT x.id, x.sender, x.kind, x.text, x.sent_at, x.edited_at, x.mentions, x.reply_to_seq
            FROM messaging.readable AS x
            WHERE x.conversation = g.conversation
                AND x.account BETWEEN g.account AND g.account
                AND x.seq BETWEEN g.seq AND g.seq
            LIMIT 1
        ) AS m
        CROSS JOIN LATERAL \(oneRow(
            "section, is_pending, read_seq, muted_until, is_archived, archived_seq, retention_us",
            from: "messaging.standings", where: "conversation = g.conversation", by: "account", is: "g.account"
        )) AS s
        CROSS JOIN LATERAL \(oneRow(
            "conversation_id, name", from: "conversations.conversation_ids", by: "conversation", is: "g.conversation"
        )) AS c
        CROSS JOIN LATERAL (
            SELECT w.*, EXISTS (
                SELECT
                FROM presence.undisturbed AS d
                WHERE d.account = w.account
            ) AS is_undisturbed
            FROM \(oneRow("*", from: "notifications.people", by: "account", is: "g.account")) AS w
        ) AS p
        LEFT JOIN LATERAL \(oneRow(
            "user_id", from: "conversations.account_ids", by: "account", is: "m.sender"
        )) AS u ON true
        LEFT JOIN LATERAL \(oneRow(
            "display_name", from: "conversations.titles", where: "conversation = g.conversation", by: "account",
            is: "m.sender"
        )) AS t ON true
        LEFT JOIN LATERAL (
            SELECT x.sender
            FROM messaging.readable AS x
            WHERE x.conversation = g.conversation
                AND x.account BETWEEN g.account AND g.account
                AND x.seq BETWEEN m.reply_to_seq AND m.reply_to_seq
            LIMIT 1
        ) AS r ON m.reply_to_seq IS NOT NULL
        LEFT JOIN LATERAL \(oneRow(
            "blocked", from: "conversations.blocked", where: "account = g.account", by: "blocked", is: "m.sender"
        )) AS b ON true
        LEFT JOIN LATERAL (
            SELECT x.entity, x.title, x.account, n.display_name
            FROM entities.shared_entities AS x
            LEFT JOIN LATERAL \(oneRow(
                "display_name", from: "conversations.titles", where: "conversation = g.conversation", by: "account",
                is: "x.account"
            )) AS n ON true
            WHERE x.conversation = g.conversation
                AND x.message = m.id
                AND x.kind = \(SystemNoteKind.eventShared.rawValue)
            LIMIT 1
        ) AS e ON m.kind = \(MessageKind.system.rawValue)
        LEFT JOIN LATERAL \(oneRow(
            "level", from: "notifications.levels", where: "account = g.account", by: "conversation",
            is: "g.conversation"
        )) AS l ON true
        """
    ) { row in
        var facts = MessageFacts(
            account: try row.account(0),
            key: MessageKey(conversation: try row.conversation(1), seq: try row.seq(2)), sentAt: try row.time(10))
        (facts.conversationID, facts.groupName) = (try row.text(3), try row.text(4))
        (facts.sender, facts.senderID) = (try row.optionalAccount(5), try row.text(6))
        facts.senderName = try row.text(7)
        facts.kind = MessageKind(rawValue: Int32(try row.int16(8)))
        (facts.text, facts.editedAt) = (try row.text(9), try row.time(11))
        (facts.mentionsPerson, facts.answersPerson) = (try row.bool(12), try row.bool(13))
        facts.isOfBlocked = try row.bool(14)
        facts.section = ConversationSection(rawValue: Int32(try row.int16(15)))
        (facts.isPending, facts.readSeq) = (try row.bool(16), try row.seq(17))
        (facts.mutedUntil, facts.archivedSeq) = (try row.time(18), try row.optionalSeq(19))
        facts.retention = .microseconds(try row.int64(20))
        if !row.isNull(21) {
            facts.shared = MessageFacts.SharedEntity(
                id: try row.uuid(21), title: try row.optionalText(22) ?? "", account: try row.account(23),
                name: try row.optionalText(24) ?? "")
        }
        facts.level = row.isNull(25) ? nil : PushLevel(rawValue: Int32(try row.int16(25)))
        facts.saysDoNotDisturb = try row.bool(26)
        facts.wishes = try Wishes(row, from: 27)
        return facts
    }
}
