import Postgres
import Schema

/// The SQL of conversations as they stand in a person's inbox: of what is new in it, and of its pages.
enum InboxStore {
    /// $1 account, $2 and $3 after (touched_at, conversation), $4 limit: in the order of touching.
    static let touched = entries(
        """
        SELECT b.conversation, b.touched_at, b.visible_from, b.visible_to, b.visible_position, b.cleared_before,
            a.joined_version, a.left_version, a.place
        FROM messaging.inbox AS b
        CROSS JOIN LATERAL (
            SELECT may_read, joined_version, left_version, place
            FROM conversations.access
            WHERE conversation = b.conversation
                AND account BETWEEN $1 AND $1
            ORDER BY account
            LIMIT 1
        ) AS a
        WHERE b.account = $1
            AND (b.touched_at, b.conversation) > ($2, $3)
            AND (a.may_read OR a.left_version IS NOT NULL)
        ORDER BY b.touched_at, b.conversation
        LIMIT $4
        """, order: "i.touched_at, i.conversation")

    /// $1 account, $2 and $3 before (touched_at, conversation), $4 limit: conversations of place INBOX, last touched
    /// first. What is of another place is passed over.
    static let inbox = entries(
        """
        SELECT b.conversation, b.touched_at, b.visible_from, b.visible_to, b.visible_position, b.cleared_before,
            a.joined_version, a.left_version, a.place
        FROM messaging.inbox AS b
        CROSS JOIN LATERAL (
            SELECT joined_version, left_version, place
            FROM conversations.access
            WHERE conversation = b.conversation
                AND account BETWEEN $1 AND $1
            ORDER BY account
            LIMIT 1
        ) AS a
        WHERE b.account = $1
            AND (b.touched_at, b.conversation) < ($2, $3)
            AND a.place = 1
        ORDER BY b.touched_at DESC, b.conversation DESC
        LIMIT $4
        """, order: "i.touched_at DESC, i.conversation DESC")

    /// $1 account, $2 and $3 before (touched_at, conversation), $4 limit, $5 place, not INBOX: conversations of that
    /// place, last touched first. Costs what there are of that place, few in a usual account.
    static let aside = entries(
        """
        SELECT a.conversation, b.touched_at, b.visible_from, b.visible_to, b.visible_position, b.cleared_before,
            a.joined_version, a.left_version, a.place
        FROM (
            SELECT conversation, joined_version, left_version, place
            FROM conversations.access
            WHERE account = $1
                AND place BETWEEN $5 AND $5
                AND place > 1
            ORDER BY place, conversation
            LIMIT 1000000
        ) AS a
        CROSS JOIN LATERAL (
            SELECT *
            FROM messaging.inbox
            WHERE account = $1
                AND conversation BETWEEN a.conversation AND a.conversation
            ORDER BY conversation
            LIMIT 1
        ) AS b
        WHERE (b.touched_at, b.conversation) < ($2, $3)
        ORDER BY b.touched_at DESC, b.conversation DESC
        LIMIT $4
        """, order: "i.touched_at DESC, i.conversation DESC")

    /// Entries of the rows of the inbox that `rows` selects. Of what is gone (place 5) nothing is told but that.
    private static func entries(_ rows: String, order: String) -> Statement<TouchedEntry> {
        let told = MessagingStore.told
        return Statement(
            """
            SELECT i.touched_at, i.conversation, c.conversation_id, w.seq, w.position, i.place, m.seq IS NOT NULL,
                \(MessagingStore.messageColumns)
            FROM (
            \(rows)
            ) AS i
            JOIN conversations.conversation_ids AS c ON c.conversation = i.conversation
            LEFT JOIN messaging.heads AS h ON h.conversation = i.conversation
            CROSS JOIN LATERAL (SELECT i.joined_version, i.left_version) AS a
            CROSS JOIN LATERAL (
                SELECT CASE WHEN i.place = 5 THEN 0 ELSE \(told.seq) END AS seq,
                    CASE WHEN i.place = 5 THEN 0 ELSE \(told.position) END AS position, \(told.lowest) AS lowest
            ) AS w
            LEFT JOIN LATERAL (
                SELECT seq, id, sender, kind, text, sent_at, position, extra
                FROM messaging.messages
                WHERE conversation = i.conversation
                    AND seq BETWEEN w.seq AND w.seq
                ORDER BY seq
                LIMIT 1
            ) AS m ON m.seq >= w.lowest
            LEFT JOIN conversations.account_ids AS u ON u.account = m.sender
            ORDER BY \(order)
            """
        ) { row in
            let conversation = try row.text(2)
            var last: Message?
            if try row.bool(6) {
                last = try MessagingStore.message(row, from: 7)
                last?.conversation = conversation
            }
            return TouchedEntry(
                touchedAt: try row.int64(0), number: try row.int64(1),
                entry: InboxEntry(
                    conversation: conversation, lastSeq: try row.int64(3), position: try row.int64(4),
                    lastMessage: last, place: ConversationPlace(rawValue: Int32(try row.int16(5)))))
        }
    }
}

/// A row of the inbox with its place in the order of touching.
struct TouchedEntry: Sendable {
    var touchedAt: Int64
    var number: Int64
    var entry: InboxEntry

    /// About as many as it takes in a reply.
    var bytes: Int {
        let message = entry.lastMessage
        return 512 + (message?.text.utf8.count ?? 0) + (message?.system?.users.count ?? 0) * 66
    }

    /// When there was something new in it last, as exactly as is known: a row is touched at most every 10 s.
    var newsAt: Int64 { max(touchedAt, entry.lastMessage?.sentAtUs ?? 0) }
}
