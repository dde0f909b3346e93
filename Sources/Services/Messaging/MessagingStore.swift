import Postgres
import Schema
import ServiceKit
import Wire

/// All SQL of messaging. Sending is one function of the schema: `messaging.send_batch`.
///
/// Plans are generic and may have been made when the tables were small. So where two indexes share a column, a row is
/// looked up by BETWEEN on the last column of the key, in its order, LIMIT 1: then only the right index serves.
enum MessagingStore {
    // MARK: Sending

    /// See the function's own description for what it guarantees.
    static let sendBatch = Statement(
        """
        SELECT ordinal, outcome, seq, position, sent_at, number, audience
        FROM messaging.send_batch($1, $2, $3, $4, $5, $6, $7)
        """
    ) { row in
        SendOutcome(
            ordinal: Int(try row.int32(0)), result: try result(row), seq: try row.optionalInt64(2) ?? 0,
            position: try row.optionalInt64(3) ?? 0, sentAt: try row.optionalInt64(4) ?? 0)
    }

    private static func result(_ row: borrowing RowReader) throws -> SendOutcome.Result {
        switch try row.int16(1) {
        case 0: .accepted(number: try row.int64(5), audience: row.isNull(6) ? nil : try row.int64s(6))
        case 1: .duplicate
        case 2: .notLocked
        case 3: .refused(.notMember)
        case 4: .refused(Refusal("user_blocked", "You cannot message this user."))
        case 5: .refused(Refusal("accept_first", "Accept the request before you write."))
        case 6: .refused(Refusal("id_in_use", "Another member's message has this id; make a new one.", field: "id"))
        case 7: .refused(Refusal("request_pending", "Wait until your request is accepted before you write more."))
        case let code: throw DatabaseError.unexpected("send_batch outcome \(code)")
        }
    }

    static func parameters(lane: Int, now: Int64, _ messages: some Collection<PendingMessage>) -> [Parameter] {
        [
            .int32(Int32(lane)), .int64(now), .int64s(messages.map(\.conversation)), .int64s(messages.map(\.sender)),
            .uuids(messages.map(\.id.bytes)), .int16s(messages.map { Int16(truncatingIfNeeded: $0.kind.rawValue) }),
            .texts(messages.map(\.text)),
        ]
    }

    static let conversationNumbers = Statement(
        """
        SELECT conversation_id, conversation
        FROM conversations.conversation_ids
        WHERE conversation_id = ANY ($1)
        """
    ) { row in (try row.text(0), try row.int64(1)) }

    /// $1 conversation, $2 id, $3 sender: what the first sending of this id came to.
    static let sentBefore = Statement(
        """
        SELECT seq, position, sent_at
        FROM messaging.messages
        WHERE conversation = $1
            AND id BETWEEN $2 AND $2
            AND sender = $3
        ORDER BY id
        LIMIT 1
        """
    ) { row in
        SendReply(seq: try row.int64(0), position: try row.int64(1), sentAtUs: try row.int64(2), duplicate: true)
    }

    // MARK: Reading

    /// $1 conversation, $2 account: where the stream stands, and which seqs the account may read. No row: not a member.
    static let place = Statement(
        """
        SELECT messaging.epoch(),
            COALESCE(h.seq, 0), COALESCE(h.position, 0), COALESCE(h.first_position, 0),
            GREATEST(COALESCE(i.visible_from, 1), COALESCE(i.cleared_before, 0) + 1, COALESCE(h.first_seq, 1)),
            LEAST(COALESCE(i.visible_to, h.seq, 0), COALESCE(h.seq, 0))
        FROM (
            SELECT conversation, may_read
            FROM conversations.access
            WHERE conversation = $1
                AND account BETWEEN $2 AND $2
            ORDER BY account
            LIMIT 1
        ) AS a
        LEFT JOIN LATERAL (
            SELECT visible_from, visible_to, cleared_before
            FROM messaging.inbox
            WHERE account = $2
                AND conversation BETWEEN $1 AND $1
            ORDER BY conversation
            LIMIT 1
        ) AS i ON true
        LEFT JOIN messaging.heads AS h ON h.conversation = a.conversation
        WHERE a.may_read OR i.visible_to IS NOT NULL
        """
    ) { row in
        Place(
            epoch: try row.text(0), headSeq: try row.int64(1), headPosition: try row.int64(2),
            firstPosition: try row.int64(3),
            lowest: try row.int64(4), highest: try row.int64(5))
    }

    private static let messageColumns = "m.seq, m.id, u.user_id, m.kind, m.text, m.sent_at, m.position"

    private static func message(_ row: borrowing RowReader, from column: Int = 0) throws -> Message {
        Message(
            conversation: "", seq: try row.int64(column), id: try row.uuid(column + 1),
            sender: try row.optionalText(column + 2) ?? "",
            kind: MessageKind(rawValue: Int32(try row.int16(column + 3))),
            text: try row.text(column + 4), sentAtUs: try row.int64(column + 5), position: try row.int64(column + 6))
    }

    /// $1 conversation, $2 lowest seq, $3 highest seq, $4 limit: the newest of them first.
    static let newest = Statement(
        """
        SELECT \(messageColumns)
        FROM messaging.messages AS m
        LEFT JOIN conversations.account_ids AS u ON u.account = m.sender
        WHERE m.conversation = $1
            AND m.seq BETWEEN $2 AND $3
        ORDER BY m.seq DESC
        LIMIT $4
        """
    ) { row in try message(row) }

    /// $1 conversation, $2 lowest seq, $3 highest seq, $4 limit: the oldest of them first.
    static let oldest = Statement(
        """
        SELECT \(messageColumns)
        FROM messaging.messages AS m
        LEFT JOIN conversations.account_ids AS u ON u.account = m.sender
        WHERE m.conversation = $1
            AND m.seq BETWEEN $2 AND $3
        ORDER BY m.seq
        LIMIT $4
        """
    ) { row in try message(row) }

    /// $1 conversation, $2 since position, $3 lowest seq, $4 highest seq, $5 first seq that can be new since, $6 limit.
    ///
    /// A new message takes one position, so what is new since P stands in the last (head − P) seqs; what was changed
    /// later has an index of its own.
    static let changes = Statement(
        """
        SELECT \(messageColumns)
        FROM (
            (
                SELECT *
                FROM messaging.messages
                WHERE conversation = $1
                    AND seq BETWEEN GREATEST($3::bigint, $5) AND $4
                    AND position > $2
                    AND changed_at IS NULL
                ORDER BY seq
                LIMIT $6
            )
            UNION ALL
            (
                SELECT *
                FROM messaging.messages
                WHERE conversation = $1
                    AND position > $2
                    AND changed_at IS NOT NULL
                    AND seq BETWEEN $3 AND $4
                ORDER BY position
                LIMIT $6
            )
        ) AS m
        LEFT JOIN conversations.account_ids AS u ON u.account = m.sender
        ORDER BY m.position
        LIMIT $6
        """
    ) { row in try message(row) }

    static let epoch = Statement("SELECT messaging.epoch()") { row in try row.text(0) }

    /// $1 account, $2 and $3 after (touched_at, conversation), $4 limit.
    static let touchedInbox = Statement(
        """
        SELECT i.touched_at, i.conversation, c.conversation_id, COALESCE(h.seq, 0), COALESCE(h.position, 0),
            m.seq IS NOT NULL, \(messageColumns)
        FROM (
            SELECT b.conversation, b.touched_at, b.visible_from, b.visible_to, b.cleared_before
            FROM messaging.inbox AS b
            CROSS JOIN LATERAL (
                SELECT may_read
                FROM conversations.access
                WHERE conversation = b.conversation
                    AND account BETWEEN $1 AND $1
                ORDER BY account
                LIMIT 1
            ) AS a
            WHERE b.account = $1
                AND (b.touched_at, b.conversation) > ($2, $3)
                AND (a.may_read OR b.visible_to IS NOT NULL)
            ORDER BY b.touched_at, b.conversation
            LIMIT $4
        ) AS i
        JOIN conversations.conversation_ids AS c ON c.conversation = i.conversation
        LEFT JOIN messaging.heads AS h ON h.conversation = i.conversation
        LEFT JOIN LATERAL (
            SELECT seq, id, sender, kind, text, sent_at, position
            FROM messaging.messages
            WHERE conversation = i.conversation
                AND seq BETWEEN LEAST(h.seq, i.visible_to) AND LEAST(h.seq, i.visible_to)
            ORDER BY seq
            LIMIT 1
        ) AS m ON m.seq >= i.visible_from AND m.seq > i.cleared_before
        LEFT JOIN conversations.account_ids AS u ON u.account = m.sender
        ORDER BY i.touched_at, i.conversation
        """
    ) { row in
        let conversation = try row.text(2)
        var last: Message?
        if try row.bool(5) {
            last = try message(row, from: 6)
            last?.conversation = conversation
        }
        return TouchedEntry(
            touchedAt: try row.int64(0), number: try row.int64(1),
            entry: InboxEntry(
                conversation: conversation, lastSeq: try row.int64(3), position: try row.int64(4), lastMessage: last))
    }
}

/// A row of the inbox with its place in the order of touching.
struct TouchedEntry: Sendable {
    var touchedAt: Int64
    var number: Int64
    var entry: InboxEntry
}

/// Where a conversation's stream stands and what of it one member may read.
struct Place: Sendable {
    var epoch: String
    var headSeq: Int64
    var headPosition: Int64
    var firstPosition: Int64
    /// The member's window of history: seqs from lowest to highest; empty when lowest > highest.
    var lowest: Int64
    var highest: Int64
}

extension Refusal {
    /// The same for a conversation that is not there and one that is not the caller's.
    static let notMember = Refusal("not_member", "You are not a member of this conversation.", field: "conversation")
}
