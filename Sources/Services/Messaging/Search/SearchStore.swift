import Postgres
import Schema
import ServiceKit

/// The SQL of searching messages by their words (M15).
enum SearchStore {
    // MARK: Searching

    /// Returns SQL for the send times of the last message of each block below the newest, between the seqs `low` and
    /// `high`, newest block first.
    private static func ends(of conversation: String, low: String, high: String) -> String {
        let bits = SearchUnit.blockBits
        return """
            ARRAY(
                SELECT COALESCE(m.sent_at, \(Int64.max))
                FROM generate_series((\(high) >> \(bits)) - 1, \(low) >> \(bits), -1) AS block
                LEFT JOIN LATERAL \(oneRow(
                    "sent_at", from: "messaging.messages",
                    where: "conversation = \(conversation)", by: "seq", is: "((block + 1) << \(bits)) - 1"
                )) AS m ON true
                ORDER BY block DESC
            )
            """
    }

    /// $1 conversation, $2 lowest seq, $3 highest seq. Returns the `ends` of
    /// ``SearchUnit/units(of:low:high:newestAt:ends:)``.
    static let blockEnds = Statement(
        "SELECT \(ends(of: "$1", low: "$2::bigint", high: "$3::bigint"))"
    ) { row in try row.times(0) }

    /// $1 account, $2 and $3 before (news_at, conversation), $4 limit. Returns the account's current and former
    /// conversations, latest news first, each with its readable ranges.
    static let conversations = Statement(
        """
        SELECT i.news_at, i.conversation, i.first_seq, i.last_seq,
            \(ends(of: "i.conversation", low: "i.first_seq", high: "i.last_seq"))
        FROM (
            SELECT b.news_at, b.conversation, w.first_seq, w.last_seq
            FROM messaging.inbox AS b
            CROSS JOIN LATERAL messaging.window($1, b.conversation) AS w
            WHERE b.account = $1
                AND (b.news_at, b.conversation) < ($2, $3)
                AND w.is_shown
            ORDER BY b.news_at DESC, b.conversation DESC
            LIMIT $4
        ) AS i
        ORDER BY i.news_at DESC, i.conversation DESC
        """
    ) { row in
        let (newsAt, conversation) = (try row.time(0), try row.conversation(1))
        return (
            newsAt: newsAt, conversation: conversation,
            units: SearchUnit.units(
                of: conversation, low: try row.seq(2), high: try row.seq(3), newestAt: newsAt,
                ends: try row.times(4))
        )
    }

    /// See the SQL function's comment. $13 is the maximum hits per range.
    static let found = Statement(
        """
        SELECT conversation, seq, sent_at
        FROM messaging.find_words($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        """
    ) { row in
        SearchHit(sentAt: try row.time(2), conversation: try row.conversation(0), seq: try row.seq(1))
    }

    /// $1 conversations, $2 seqs, $3 reader. Returns the messages, each with its ordinal in the lists.
    static let messages = Statement(
        """
        SELECT e.ordinal, c.conversation_id, \(MessagingStore.messageColumns(viewer: "$3"))
        FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS e (conversation, seq, ordinal)
        JOIN conversations.conversation_ids AS c ON c.conversation = e.conversation
        CROSS JOIN LATERAL \(oneRow(
            "*", from: "messaging.messages", where: "conversation = e.conversation", by: "seq", is: "e.seq"
        )) AS m
        \(MessagingStore.messageJoins(viewer: "$3"))
        """
    ) { row in
        var message = try MessagingStore.message(row, from: 2)
        message.conversation = try row.text(1)
        return (ordinal: Int(try row.int64(0)), message: message)
    }

    // MARK: Indexing

    /// Lets the transaction commit asynchronously. If the server loses it, the journal cursor is lost with it, so the
    /// messages are indexed again.
    static let commitAsynchronously = Statement("SELECT set_config('synchronous_commit', 'off', true)")

    /// $1 conversations. See the SQL function's comment.
    static let lock = Statement("SELECT messaging.lock_words($1)")

    private static let textColumns = "conversation, seq, kind, text, extra, deleted_at IS NOT NULL"

    private static func text(_ row: borrowing RowReader) throws -> SearchedText {
        let kind = MessageKind(rawValue: Int32(try row.int16(2)))
        let isGone = try row.bool(5)
        var text = SearchedText(conversation: try row.conversation(0), seq: try row.seq(1))
        guard kind != .system, !isGone else { return text }
        text.message = Message(kind: kind, text: try row.text(3))
        if !row.isNull(4) { text.message.media = try? Media.decode(row.bytes(4)) }
        return text
    }

    /// $1 conversations, $2 seqs. Returns the texts of these messages to index.
    static let texts = Statement(
        """
        SELECT m.conversation, m.seq, m.kind, m.text, m.extra, m.deleted_at IS NOT NULL
        FROM unnest($1::bigint[], $2::bigint[]) AS e (conversation, seq)
        CROSS JOIN LATERAL \(oneRow(
            "conversation, seq, kind, text, extra, deleted_at", from: "messaging.messages",
            where: "conversation = e.conversation", by: "seq", is: "e.seq"
        )) AS m
        """
    ) { row in try text(row) }

    /// $1 conversations, $2 seqs, $3 words of each message, separated by spaces.
    static let index = Statement(
        """
        INSERT INTO messaging.search (conversation, seq, document)
        SELECT e.conversation, e.seq, array_to_tsvector(string_to_array(e.words, ' '))
        FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS e (conversation, seq, words)
        ON CONFLICT (conversation, seq) DO UPDATE
        SET document = excluded.document
        """)

    /// $1 conversations, $2 seqs. Deletes their words. Requires ``lock``.
    static let remove = Statement(
        """
        DELETE FROM messaging.search AS s
        USING unnest($1::bigint[], $2::bigint[]) AS e (conversation, seq)
        WHERE s.conversation = e.conversation
            AND s.seq = e.seq
        """)

    // MARK: Backlog

    /// Returns a conversation of the backlog, locked for this transaction, and the seq up to which it must be indexed.
    static let backlog = Statement(
        """
        SELECT conversation, seq
        FROM messaging.search_backlog
        ORDER BY conversation
        LIMIT 1
        FOR UPDATE SKIP LOCKED
        """
    ) { row in (conversation: try row.conversation(0), seq: try row.seq(1)) }

    /// $1 conversation, $2 up to seq, $3 limit. Returns the newest of these messages.
    static let oldTexts = Statement(
        """
        SELECT \(textColumns)
        FROM messaging.messages
        WHERE conversation = $1
            AND seq <= $2
        ORDER BY seq DESC
        LIMIT $3
        """
    ) { row in try text(row) }

    /// $1 conversation, $2 the seq up to which it remains to be indexed.
    static let shortenBacklog = Statement(
        """
        UPDATE messaging.search_backlog
        SET seq = $2
        WHERE conversation = $1
        """)

    /// $1 conversation.
    static let endBacklog = Statement(
        """
        DELETE FROM messaging.search_backlog
        WHERE conversation = $1
        """)
}

/// The text of a message to index.
struct SearchedText: Sendable {
    var conversation: ConversationNumber
    var seq: Seq
    /// Contains only the searchable fields.
    var message = Message()

    /// The words as stored in the index, separated by spaces; empty if there are none.
    var words: String {
        let prefix = SearchUnit.prefix(conversation: conversation, seq: seq)
        return SearchRules.words(of: message.searched).map { prefix + $0 }.joined(separator: " ")
    }
}
