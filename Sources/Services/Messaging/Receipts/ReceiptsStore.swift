import Postgres
import Schema

/// The SQL of read marks and of receipts.
enum ReceiptsStore {
    /// See the SQL function's comment for its guarantees.
    static let markBatch = Statement(
        """
        SELECT ordinal, outcome, number, told_above, told_read_at, told_delivered_at, audience, own_position, read_seq,
            delivered_seq, unread, mentions, counted_position, counted_seq, marked_unread, pinned_at, muted_until,
            archived_at, archived_seq, cleared_seq, first_seq
        FROM messaging.mark_batch($1, $2, $3, $4, $5, $6)
        """
    ) { row in
        var outcome = MarkOutcome(ordinal: Int(try row.int32(0)), isHeld: false)
        switch try row.int16(1) {
        case 0, 1: break
        case 2:
            outcome.isHeld = true
            return outcome
        case 3: return outcome
        case let code: throw DatabaseError.unexpected("mark_batch outcome \(code)")
        }
        outcome.number = try row.optionalInt64(2)
        outcome.state = try InboxStore.state(row, of: "", from: 7)
        if !row.isNull(6) {
            outcome.receiptChange = MarkOutcome.ReceiptChange(
                above: try row.int64(3), readAt: try row.int64(4), deliveredAt: try row.int64(5),
                audience: try row.int64s(6))
        }
        return outcome
    }

    static func parameters(lane: Int, now: Int64, _ marks: [PendingMark]) -> [Parameter] {
        [
            .int32(Int32(lane)), .int64(now), .int64s(marks.map(\.account)), .int64s(marks.map(\.conversation)),
            .int64s(marks.map(\.read)), .int64s(marks.map(\.delivered)),
        ]
    }

    /// $1 conversation, $2 account to leave out, $3 after account, $4 limit. Returns the members' receipts.
    static let receipts = Statement(
        """
        SELECT r.account, u.user_id, r.read_seq, r.delivered_seq, r.read_at, r.delivered_at
        FROM messaging.receipts AS r
        CROSS JOIN LATERAL (
            SELECT may_read
            FROM conversations.access
            WHERE conversation = $1
                AND account BETWEEN r.account AND r.account
            ORDER BY account
            LIMIT 1
        ) AS a
        JOIN conversations.account_ids AS u ON u.account = r.account
        WHERE r.conversation = $1
            AND r.account > $3
            AND r.account <> $2
            AND a.may_read
        ORDER BY r.account
        LIMIT $4
        """
    ) { row in
        (
            account: try row.int64(0),
            receipt: Receipt(
                conversation: "", user: try row.text(1), readSeq: try row.int64(2), deliveredSeq: try row.int64(3),
                readAtUs: try row.int64(4), deliveredAtUs: try row.int64(5))
        )
    }

    /// $1 conversation, $2 seq. Returns the message's sender, zero for a system message.
    static let sender = Statement(
        """
        SELECT COALESCE(sender, 0)
        FROM messaging.messages
        WHERE conversation = $1
            AND seq BETWEEN $2 AND $2
        ORDER BY seq
        LIMIT 1
        """
    ) { row in try row.int64(0) }

    /// Joins the members `a` of conversation $1 with the oldest seq of their window (`w`) and their receipts (`r`), to
    /// select members by whether they were present when a message was sent. Messages a member deleted for themselves
    /// stay in the window, because others must not learn of it.
    private static let membersThen = """
        conversations.access AS a
        JOIN messaging.heads AS h ON h.conversation = a.conversation
        LEFT JOIN LATERAL (
            SELECT visible_from
            FROM messaging.inbox
            WHERE account = a.account
                AND conversation BETWEEN $1 AND $1
            ORDER BY conversation
            LIMIT 1
        ) AS i ON true
        CROSS JOIN LATERAL (
            SELECT CASE WHEN a.joined_version > h.members_version THEN h.seq + 1 ELSE COALESCE(i.visible_from, 1) END
                AS first_seq
        ) AS w
        LEFT JOIN messaging.receipts AS r ON r.conversation = a.conversation
            AND r.account = a.account
        """

    /// $1 conversation, $2 seq, $3 its sender, $4 after account, $5 limit.
    static let readers = Statement(
        """
        SELECT a.account, u.user_id, COALESCE(r.delivered_seq >= $2, false),
            CASE WHEN r.read_seq >= $2 THEN COALESCE(t.at, r.read_at) ELSE 0 END
        FROM \(membersThen)
        JOIN conversations.account_ids AS u ON u.account = a.account
        LEFT JOIN LATERAL (
            SELECT at
            FROM messaging.reads
            WHERE conversation = $1
                AND account = a.account
                AND seq >= $2
            ORDER BY seq
            LIMIT 1
        ) AS t ON true
        WHERE a.conversation = $1
            AND a.account > $4
            AND a.account <> $3
            AND a.may_read
            AND w.first_seq <= $2
        ORDER BY a.account
        LIMIT $5
        """
    ) { row in
        (
            account: try row.int64(0),
            reader: Reader(user: try row.text(1), delivered: try row.bool(2), readAtUs: try row.int64(3))
        )
    }

    /// $1 conversation, $2 seq, $3 its sender. Counts who has read the message and to whom it was delivered.
    static let readerCount = Statement(
        """
        SELECT count(*) FILTER (WHERE r.read_seq >= $2), count(*) FILTER (WHERE r.delivered_seq >= $2)
        FROM \(membersThen)
        WHERE a.conversation = $1
            AND a.account <> $3
            AND a.may_read
            AND w.first_seq <= $2
        """
    ) { row in (read: try row.int64(0), delivered: try row.int64(1)) }

    /// $1 conversation, $2 above seq, $3 up to seq. Counts the readers of the newest 20 of these messages. Each row
    /// names the author; messages of former members are left out.
    static let readCounts = Statement(
        """
        WITH member AS MATERIALIZED (
            SELECT a.account, w.first_seq, r.read_seq, r.delivered_seq
            FROM \(membersThen)
            WHERE a.conversation = $1
                AND a.may_read
        ),
        told AS MATERIALIZED (
            SELECT m.seq, m.sender
            FROM (
                SELECT seq, sender
                FROM messaging.messages
                WHERE conversation = $1
                    AND seq BETWEEN GREATEST($2::bigint + 1, $3::bigint - 19) AND $3
                    AND sender IS NOT NULL
                    AND deleted_at IS NULL
                ORDER BY seq DESC
                LIMIT 20
            ) AS m
            CROSS JOIN LATERAL (
                SELECT may_read
                FROM conversations.access
                WHERE conversation = $1
                    AND account BETWEEN m.sender AND m.sender
                ORDER BY account
                LIMIT 1
            ) AS s
            WHERE s.may_read
        )
        SELECT t.seq, t.sender, count(*) FILTER (WHERE m.read_seq >= t.seq),
            count(*) FILTER (WHERE m.delivered_seq >= t.seq)
        FROM told AS t
        JOIN member AS m ON m.account <> t.sender
            AND m.first_seq <= t.seq
        GROUP BY t.seq, t.sender
        ORDER BY t.seq
        """
    ) { row in
        (
            author: try row.int64(1),
            count: ReadCount(
                conversation: "", seq: try row.int64(0), read: try row.int64(2), delivered: try row.int64(3))
        )
    }

    /// $1 accounts, $2 conversations, $3 positions, $4 now. Returns for each its ordinal, the conversation's and
    /// person's ids, and the state if it still has that position.
    static let statesNamed = Statement(
        """
        SELECT e.ordinal, c.conversation_id, u.user_id, i.position = e.position, \(InboxStore.stateColumns)
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) WITH ORDINALITY
            AS e (account, conversation, position, ordinal)
        JOIN conversations.conversation_ids AS c ON c.conversation = e.conversation
        JOIN conversations.account_ids AS u ON u.account = e.account
        LEFT JOIN LATERAL (
            SELECT b.*, a.joined_version, a.left_version, a.place AS access_place
            FROM (
                SELECT *
                FROM messaging.inbox
                WHERE account = e.account
                    AND conversation BETWEEN e.conversation AND e.conversation
                ORDER BY conversation
                LIMIT 1
            ) AS b
            CROSS JOIN LATERAL (
                SELECT joined_version, left_version, place
                FROM conversations.access
                WHERE conversation = b.conversation
                    AND account BETWEEN e.account AND e.account
                ORDER BY account
                LIMIT 1
            ) AS a
        ) AS i ON true
        \(InboxStore.stateJoins(account: "e.account", now: "$4"))
        """
    ) { row in
        let conversation = try row.text(1)
        let isLatest = row.isNull(3) ? false : try row.bool(3)
        return (
            ordinal: Int(try row.int64(0)), user: try row.text(2),
            state: isLatest ? try InboxStore.state(row, of: conversation, from: 4) : nil
        )
    }
}
