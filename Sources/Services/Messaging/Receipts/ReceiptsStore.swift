import Postgres
import Schema
import ServiceKit

/// The SQL of read marks and of receipts.
enum ReceiptsStore {
    /// See the SQL function's comment for its guarantees.
    static let markBatch = Statement(
        """
        SELECT ordinal, outcome, number, receipt_after, receipt_read_at, delivered_seq, receipt_delivered_at, audience,
            own_position, read_seq, unread, mentions, counted_position, counted_seq, $2, marked_unread, pinned_at,
            muted_until, archived_at, archived_seq, cleared_seq, first_seq, renewed_position
        FROM messaging.mark_batch($1, $2, $3, $4, $5, $6)
        """
    ) { row in
        var outcome = MarkOutcome(ordinal: Int(try row.int32(0)), isHeld: false)
        switch Outcome(rawValue: try row.int16(1)) {
        case .done, .unchanged: break
        case .locked:
            outcome.isHeld = true
            return outcome
        case .notMember: return outcome
        default: throw DatabaseError.unexpected("mark_batch outcome \(try row.int16(1))")
        }
        outcome.number = try row.optionalInt64(2)
        outcome.state = try InboxStore.state(row, of: "", from: 8)
        if !row.isNull(7) {
            outcome.receiptChange = MarkOutcome.ReceiptChange(
                above: try row.seq(3), readAt: try row.time(4), delivered: try row.seq(5),
                deliveredAt: try row.time(6), audience: try row.audience(7))
        }
        return outcome
    }

    static func parameters(lane: Int, now: Timestamp, _ marks: [PendingMark]) -> [Parameter] {
        [
            .int32(Int32(lane)), .number(now), .int64s(marks.map(\.account.rawValue)),
            .int64s(marks.map(\.conversation.rawValue)), .int64s(marks.map(\.read.rawValue)),
            .int64s(marks.map(\.delivered.rawValue)),
        ]
    }

    /// $1 conversation, $2 account to leave out, $3 after account, $4 limit. Returns the members' receipts.
    static let receipts = Statement(
        """
        SELECT r.account, u.user_id, r.read_seq, r.delivered_seq, r.read_at, r.delivered_at
        FROM messaging.receipts AS r
        CROSS JOIN LATERAL \(oneRow(
            "may_read", from: "conversations.access", where: "conversation = $1", by: "account", is: "r.account"
        )) AS a
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
            account: try row.account(0),
            receipt: Receipt(
                conversation: "", user: try row.text(1), readSeq: try row.int64(2), deliveredSeq: try row.int64(3),
                readAtUs: try row.int64(4), deliveredAtUs: try row.int64(5))
        )
    }

    /// $1 conversation, $2 seq. Returns the message's sender, zero for a system message.
    static let sender = Statement(
        oneRow("COALESCE(sender, 0)", from: "messaging.messages", where: "conversation = $1", by: "seq", is: "$2")
    ) { row in try row.account(0) }

    /// Joins the members `a` of conversation $1 with their receipts (`r`), to select members by whether they were
    /// present when a message was sent.
    private static let membersThen = """
        messaging.members($1) AS a
        LEFT JOIN messaging.receipts AS r ON r.conversation = $1
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
        WHERE a.account > $4
            AND a.account <> $3
            AND a.first_seq <= $2
        ORDER BY a.account
        LIMIT $5
        """
    ) { row in
        (
            account: try row.account(0),
            reader: Reader(user: try row.text(1), delivered: try row.bool(2), readAtUs: try row.int64(3))
        )
    }

    /// $1 conversation, $2 seq, $3 its sender. Counts who has read the message and to whom it was delivered.
    static let readerCount = Statement(
        """
        SELECT count(*) FILTER (WHERE r.read_seq >= $2), count(*) FILTER (WHERE r.delivered_seq >= $2)
        FROM \(membersThen)
        WHERE a.account <> $3
            AND a.first_seq <= $2
        """
    ) { row in (read: try row.int64(0), delivered: try row.int64(1)) }

    /// $1 conversation, $2 above seq, $3 up to seq. Counts the readers of the newest 20 of these messages. Each row
    /// names the author; messages of former members are left out.
    static let readCounts = Statement(
        """
        WITH member AS MATERIALIZED (
            SELECT a.account, a.first_seq, r.read_seq, r.delivered_seq
            FROM \(membersThen)
        ),
        sent AS MATERIALIZED (
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
            CROSS JOIN LATERAL \(oneRow(
                "may_read", from: "conversations.access", where: "conversation = $1", by: "account", is: "m.sender"
            )) AS s
            WHERE s.may_read
        )
        SELECT t.seq, t.sender, count(*) FILTER (WHERE m.read_seq >= t.seq),
            count(*) FILTER (WHERE m.delivered_seq >= t.seq)
        FROM sent AS t
        JOIN member AS m ON m.account <> t.sender
            AND m.first_seq <= t.seq
        GROUP BY t.seq, t.sender
        ORDER BY t.seq
        """
    ) { row in
        (
            author: try row.account(1),
            count: ReadCount(
                conversation: "", seq: try row.int64(0), read: try row.int64(2), delivered: try row.int64(3))
        )
    }

    /// $1 accounts, $2 conversations, $3 positions, $4 now. Returns each state if it still has that position.
    static let statesNamed = Statement(
        """
        SELECT e.ordinal, c.conversation_id, u.user_id, i.position = e.position, \(InboxStore.stateColumns)
        FROM \(replayedEntries)
        JOIN conversations.conversation_ids AS c ON c.conversation = e.object
        JOIN conversations.account_ids AS u ON u.account = e.subject
        LEFT JOIN LATERAL (
            SELECT \(InboxStore.rowColumns)
            FROM \(oneRow(
                "*", from: "messaging.inbox", where: "account = e.subject", by: "conversation", is: "e.object"
            )) AS b
            CROSS JOIN LATERAL messaging.window(e.subject, b.conversation) AS w
        ) AS i ON true
        \(InboxStore.stateJoins(account: "e.subject", now: "$4"))
        """
    ) { row in
        let conversation = try row.text(1)
        let isLatest = row.isNull(3) ? false : try row.bool(3)
        return CurrentState(
            ordinal: Int(try row.int64(0)), owner: try row.text(2),
            state: isLatest ? try InboxStore.state(row, of: conversation, from: 4) : nil)
    }
}
