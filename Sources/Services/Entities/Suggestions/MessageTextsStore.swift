import Postgres
import Schema
import ServiceKit

/// What entities reads of messaging's messages.
enum MessageTextsStore {
    struct Row: Sendable {
        var key: MessageKey
        var id: [UInt8]
        var position: Position
        var sender: AccountNumber
        var text: String
        var sentAt: Timestamp
        /// When its text was edited last; zero: never.
        var editedAt: Timestamp
        /// The zone that the sender named.
        var zone: String?
        var expiresAt: Timestamp?
        var mentions: [AccountNumber]
        /// Who wrote the message that it answers.
        var answered: AccountNumber?
    }

    /// $1 conversations, $2 seqs: the texts that somebody may read.
    static let messages = Statement(
        """
        SELECT m.conversation, m.seq, m.id, m.position, m.sender, m.text, m.sent_at, m.time_zone, m.expires_at,
            m.mentions, r.sender, COALESCE(m.edited_at, 0)
        FROM unnest($1::bigint[], $2::bigint[]) AS g (conversation, seq)
        CROSS JOIN LATERAL (
            SELECT x.conversation, x.seq, x.id, x.position, x.sender, x.text, x.sent_at, x.time_zone, x.expires_at,
                x.mentions, x.reply_to_seq, x.edited_at, x.account
            FROM messaging.readable AS x
            WHERE x.conversation = g.conversation
                AND x.seq BETWEEN g.seq AND g.seq
                AND x.sender IS NOT NULL
            LIMIT 1
        ) AS m
        LEFT JOIN LATERAL (
            SELECT x.sender
            FROM messaging.readable AS x
            WHERE x.conversation = m.conversation
                AND x.account BETWEEN m.account AND m.account
                AND x.seq BETWEEN m.reply_to_seq AND m.reply_to_seq
            LIMIT 1
        ) AS r ON m.reply_to_seq IS NOT NULL
        """
    ) { row in
        Row(
            key: MessageKey(conversation: try row.conversation(0), seq: try row.seq(1)), id: try row.uuid(2),
            position: Position(try row.int64(3)), sender: try row.account(4), text: try row.text(5),
            sentAt: try row.time(6), editedAt: try row.time(11), zone: try row.optionalText(7),
            expiresAt: try row.optionalTime(8),
            mentions: row.isNull(9) ? [] : try row.int64s(9).map { AccountNumber($0) },
            answered: try row.optionalAccount(10))
    }

    /// $1 conversations, $2 seqs, $3 accounts: the texts among the five messages before each that the account may read,
    /// the oldest first.
    static let before = Statement(
        """
        SELECT g.conversation, g.seq, m.seq, m.sender, m.text, m.sent_at
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS g (conversation, seq, account)
        CROSS JOIN LATERAL (
            SELECT x.seq, x.sender, x.text, x.sent_at
            FROM messaging.readable AS x
            WHERE x.conversation = g.conversation
                AND x.account BETWEEN g.account AND g.account
                AND x.seq BETWEEN g.seq - 5 AND g.seq - 1
                AND x.sender IS NOT NULL
                AND x.text <> ''
            ORDER BY x.seq
            LIMIT 5
        ) AS m
        ORDER BY g.conversation, g.seq, m.seq
        """
    ) { row in
        (
            key: MessageKey(conversation: try row.conversation(0), seq: try row.seq(1)),
            message: EarlierMessage(
                seq: try row.seq(2), sender: try row.account(3), text: try row.text(4), sentAt: try row.time(5))
        )
    }

    /// $1 conversation, $2 seq, $3 its sender: the members who may read a message, each with the seqs of those among it
    /// and the five messages before that they may read, and whether they want suggestions: they have not turned them
    /// off, and do not block the sender.
    static let readers = Statement(
        """
        SELECT m.account, array_agg(m.seq), bool_or(a.wants)
        FROM messaging.readable AS m
        CROSS JOIN LATERAL (
            SELECT NOT EXISTS (
                SELECT
                FROM entities.suggestions_off AS o
                WHERE o.account = m.account
                    AND o.conversation IN (0, $1)
            ) AND m.account <> ALL (ARRAY(
                SELECT account
                FROM conversations.blocked
                WHERE blocked = $3
            )) AS wants
            FROM \(oneRow(
                "*", from: "conversations.access", where: "conversation = $1", by: "account", is: "m.account"
            )) AS access
            WHERE access.is_reader
                AND access.takes_part
        ) AS a
        WHERE m.conversation = $1
            AND m.seq BETWEEN $2 - 5 AND $2
        GROUP BY m.account
        HAVING max(m.seq) = $2
        """
    ) { row in
        (
            reader: MessageReader(account: try row.account(0), seqs: try row.int64s(1).map { Seq($0) }),
            wants: try row.bool(2)
        )
    }
}

/// A message before the one that is read.
struct EarlierMessage: Sendable {
    var seq: Seq
    var sender: AccountNumber
    var text: String
    var sentAt: Timestamp
}
