import Postgres
import Schema
import ServiceKit
import Wire

/// The SQL of sending and reading messages. Sending is one function of the schema, `messaging.send_batch`.
///
/// Plans are generic and may date from when the tables were small. Where two indexes share a column, a row is therefore
/// looked up with BETWEEN on the last column of the key, in key order, with LIMIT 1. Only the right index can serve
/// that.
enum MessagingStore {
    // MARK: Sending

    /// The function's comment in the schema states its guarantees.
    static let sendBatch = Statement(
        """
        SELECT ordinal, outcome, seq, position, sent_at, number, audience, expires_at, thread_seq, thread_replies,
            thread_last_seq, thread_position
        FROM messaging.send_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::uuid[])
        """
    ) { row in
        SendOutcome(
            ordinal: Int(try row.int32(0)), result: try result(row), seq: try row.optionalInt64(2) ?? 0,
            position: try row.optionalInt64(3) ?? 0, sentAt: try row.optionalInt64(4) ?? 0,
            expiresAt: try row.optionalInt64(7) ?? 0, threadSeq: try row.optionalInt64(8) ?? 0,
            thread: try row.optionalInt64(9).map {
                Schema.Thread(replies: $0, lastSeq: try row.int64(10), position: try row.int64(11))
            })
    }

    private static func result(_ row: borrowing RowReader) throws -> SendOutcome.Result {
        switch try row.int16(1) {
        case 0: .accepted(number: try row.int64(5), audience: row.isNull(6) ? nil : try row.int64s(6))
        case 1: .duplicate
        case 2: .notLocked
        case 3: .refused(.notMember)
        case 4: .refused(.userBlocked)
        case 5: .refused(.acceptFirst)
        case 6: .refused(Refusal("id_in_use", "Another member's message has this id. Use a new one.", field: "id"))
        case 7:
            .refused(
                Refusal("request_pending", "The recipient has not accepted your request yet. Wait until they do."))
        case 8: .refused(.messageNotFound("reply_to_seq"))
        case 9: .refused(.attachmentNotFound)
        case let code: throw DatabaseError.unexpected("send_batch outcome \(code)")
        }
    }

    /// $1 conversations: locks their heads. Unlike a batch, it waits for heads that others have locked.
    static let lockHeads = Statement(
        """
        SELECT conversation
        FROM messaging.heads
        WHERE conversation = ANY ($1)
        ORDER BY conversation
        FOR UPDATE
        """
    ) { row in try row.int64(0) }

    /// $1 conversations: their ids, and the current names of groups.
    static let conversationIDs = Statement(
        """
        SELECT conversation, conversation_id, name
        FROM conversations.conversation_ids
        WHERE conversation = ANY ($1)
        """
    ) { row in (try row.int64(0), (id: try row.text(1), name: try row.text(2))) }

    /// $1 user ids: the accounts that exist.
    static let accounts = Statement(
        """
        SELECT account, user_id
        FROM conversations.account_ids
        WHERE user_id = ANY ($1)
        """
    ) { row in (account: try row.int64(0), user: try row.text(1)) }

    static let userIDs = Statement(
        """
        SELECT account, user_id
        FROM conversations.account_ids
        WHERE account = ANY ($1)
        """
    ) { row in (try row.int64(0), try row.text(1)) }

    static func parameters(lane: Int, now: Int64, _ messages: [PendingMessage]) -> [Parameter] {
        [
            .int32(Int32(lane)), .int64(now), .int64s(messages.map(\.conversation)), .int64s(messages.map(\.sender)),
            .uuids(messages.map(\.id.bytes)), .int16s(messages.map { Int16(truncatingIfNeeded: $0.kind.rawValue) }),
            .texts(messages.map(\.text)),
        ] + more(messages.map(\.more))
    }

    /// The last five parameters of `send_batch`. The arrays are empty if no message needs them.
    static func more(_ messages: [PendingMessage.More?]) -> [Parameter] {
        guard messages.contains(where: { $0 != nil }) else {
            return [
                .optionalBytesArray([]), .optionalInt64s([]), .optionalTexts([]), .optionalInt64s([]),
                .optionalTexts([]),
            ]
        }
        return [
            .optionalBytesArray(messages.map { $0?.media?.encode() }),
            .optionalInt64s(messages.map { $0?.replyTo }),
            .optionalTexts(
                messages.map { more in
                    guard let more, !more.mentions.isEmpty else { return nil }
                    return "{" + more.mentions.map { "\($0.account)" }.joined(separator: ",") + "}"
                }),
            .optionalInt64s(messages.map { $0?.author?.account }),
            .optionalTexts(messages.map { $0?.attachment.map(uuidText) }),
        ]
    }

    /// Returns the hexadecimal digits that PostgreSQL reads as a uuid.
    static func uuidText(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    static let conversationNumbers = Statement(
        """
        SELECT conversation_id, conversation
        FROM conversations.conversation_ids
        WHERE conversation_id = ANY ($1)
        """
    ) { row in (try row.text(0), try row.int64(1)) }

    /// $1 conversation, $2 id, $3 sender: the result of the first send with this id.
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
        SendMessageReply(seq: try row.int64(0), position: try row.int64(1), sentAtUs: try row.int64(2), duplicate: true)
    }

    // MARK: Reading

    /// The part of a conversation that is visible to the person of the rows `a` (access), `i` (inbox) and `h` (head):
    /// its newest seq and position, which for a former member are those at which they left, and the lowest seq they may
    /// read.
    ///
    /// The inbox row of someone who joined or left gets its window when the head reaches that version of the members.
    /// Until then the window follows from the head. A new member reads from the next message on; one who left reads the
    /// messages stored so far.
    static let visible = (
        seq: "CASE WHEN a.left_version <= h.members_version THEN COALESCE(i.visible_to, 0) ELSE COALESCE(h.seq, 0) END",
        position: """
        CASE WHEN a.left_version <= h.members_version THEN COALESCE(i.visible_position, 0)
            ELSE COALESCE(h.position, 0) END
        """,
        lowest: """
        GREATEST(CASE WHEN a.joined_version > h.members_version THEN h.seq + 1 ELSE i.visible_from END,
            i.cleared_before + 1, h.first_seq, 1)
        """
    )

    /// $1 conversation, $2 account: the newest seq and position for the account, and the window it may read. No row if
    /// the account never was a member, or is the recipient of a request that has no message yet.
    static let window = Statement(
        """
        SELECT messaging.epoch(), \(visible.seq), \(visible.position), COALESCE(h.first_position, 0), \(visible.lowest),
            a.left_version IS NOT NULL,
            EXISTS (SELECT FROM messaging.flags AS f WHERE f.account = $2 AND f.conversation BETWEEN $1 AND $1)
        FROM (
            SELECT conversation, may_read, joined_version, left_version, place
            FROM conversations.access
            WHERE conversation = $1
                AND account BETWEEN $2 AND $2
            ORDER BY account
            LIMIT 1
        ) AS a
        LEFT JOIN LATERAL (
            SELECT visible_from, visible_to, visible_position, cleared_before
            FROM messaging.inbox
            WHERE account = $2
                AND conversation BETWEEN $1 AND $1
            ORDER BY conversation
            LIMIT 1
        ) AS i ON true
        LEFT JOIN messaging.heads AS h ON h.conversation = a.conversation
        WHERE (a.may_read OR a.left_version IS NOT NULL)
            AND (a.place BETWEEN 1 AND 4 OR a.place = 0 AND h.seq > 0)
        """
    ) { row in
        Window(
            epoch: try row.text(0), lastSeq: try row.int64(1), lastPosition: try row.int64(2),
            firstPosition: try row.int64(3), lowest: try row.int64(4), isFormer: try row.bool(5),
            hasMessageStates: try row.bool(6))
    }

    /// $1 conversation, $2 lowest seq, $3 highest seq, $4 limit, $5 the reader, $6 whether the reader has message
    /// states there: the newest messages first.
    static let newest = Statement(
        """
        SELECT \(messageColumns(viewer: "$5"))
        FROM messaging.messages AS m
        \(messageJoins(viewer: "$5", hasStates: "$6::boolean"))
        WHERE m.conversation = $1
            AND m.seq BETWEEN $2 AND $3
        ORDER BY m.seq DESC
        LIMIT $4
        """
    ) { row in try message(row) }

    /// $1 conversation, $2 lowest seq, $3 highest seq, $4 limit, $5 the reader, $6 whether the reader has message
    /// states there: the oldest messages first.
    static let oldest = Statement(
        """
        SELECT \(messageColumns(viewer: "$5"))
        FROM messaging.messages AS m
        \(messageJoins(viewer: "$5", hasStates: "$6::boolean"))
        WHERE m.conversation = $1
            AND m.seq BETWEEN $2 AND $3
        ORDER BY m.seq
        LIMIT $4
        """
    ) { row in try message(row) }

    /// $1 account, $2 conversation ids: the ones that the account has left, each with the position at which it left.
    static let leftAt = Statement(
        """
        SELECT c.conversation_id, \(visible.position)
        FROM conversations.conversation_ids AS c
        CROSS JOIN LATERAL (
            SELECT joined_version, left_version
            FROM conversations.access
            WHERE conversation = c.conversation
                AND account BETWEEN $1 AND $1
            ORDER BY account
            LIMIT 1
        ) AS a
        LEFT JOIN LATERAL (
            SELECT visible_position
            FROM messaging.inbox
            WHERE account = $1
                AND conversation BETWEEN c.conversation AND c.conversation
            ORDER BY conversation
            LIMIT 1
        ) AS i ON true
        LEFT JOIN messaging.heads AS h ON h.conversation = c.conversation
        WHERE c.conversation_id = ANY ($2)
            AND a.left_version IS NOT NULL
        """
    ) { row in (conversation: try row.text(0), position: try row.int64(1)) }

    /// $1 a former member, $2 conversation ids, $3 seqs: for each message its ordinal in the lists, its text when the
    /// member left, and the time they left. The text is null if it was not edited later, and empty if too many later
    /// edits have displaced it.
    static let textsAsLeft = Statement(
        """
        SELECT e.ordinal, r.text, a.left_at
        FROM unnest($2::text[], $3::bigint[]) WITH ORDINALITY AS e (conversation_id, seq, ordinal)
        JOIN conversations.conversation_ids AS c ON c.conversation_id = e.conversation_id
        CROSS JOIN LATERAL (
            SELECT left_at
            FROM conversations.access
            WHERE conversation = c.conversation
                AND account BETWEEN $1 AND $1
            ORDER BY account
            LIMIT 1
        ) AS a
        LEFT JOIN LATERAL (
            SELECT CASE WHEN x.revision = 1 OR EXISTS (
                    SELECT
                    FROM messaging.revisions AS p
                    WHERE p.conversation = c.conversation
                        AND p.seq BETWEEN e.seq AND e.seq
                        AND p.revision = x.revision - 1
                ) THEN x.text ELSE '' END AS text
            FROM messaging.revisions AS x
            WHERE x.conversation = c.conversation
                AND x.seq BETWEEN e.seq AND e.seq
                AND x.until_at > a.left_at
            ORDER BY x.seq, x.revision
            LIMIT 1
        ) AS r ON true
        WHERE a.left_at IS NOT NULL
        """
    ) { row in (ordinal: Int(try row.int64(0)), text: try row.optionalText(1), leftAt: try row.int64(2)) }

    /// $1 conversation, $2 since position, $3 lowest seq, $4 highest seq, $5 first seq that can be new since then,
    /// $6 limit, $7 up to position, $8 the reader, $9 whether the reader has message states there.
    ///
    /// Each new message takes one position, so the messages new since P are among the last (head − P) seqs. Messages
    /// changed later have their own index.
    static let changes = Statement(
        """
        SELECT \(messageColumns(viewer: "$8"))
        FROM (
            (
                SELECT *
                FROM messaging.messages
                WHERE conversation = $1
                    AND seq BETWEEN GREATEST($3::bigint, $5) AND $4
                    AND position > $2
                    AND position <= $7
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
                    AND position <= $7
                    AND changed_at IS NOT NULL
                    AND seq BETWEEN $3 AND $4
                ORDER BY position
                LIMIT $6
            )
        ) AS m
        \(messageJoins(viewer: "$8", hasStates: "$9::boolean"))
        ORDER BY m.position
        LIMIT $6
        """
    ) { row in try message(row) }
}

/// The part of a conversation that one member may read, and the newest position of its stream for them.
struct Window: Sendable {
    /// The member's account.
    var account: Int64 = 0
    var epoch: String
    /// The newest seq and position; for a former member, those when they left.
    var lastSeq: Int64
    var lastPosition: Int64
    var firstPosition: Int64
    /// The member's window of history: seqs from lowest to highest. It is empty if lowest > highest.
    var lowest: Int64
    var highest: Int64 { lastSeq }
    /// Whether the member has left or was removed.
    var isFormer: Bool
    /// Whether the member starred or hid any message in it.
    var hasMessageStates: Bool
}

extension Refusal {
    /// The same for a conversation that does not exist and one that is not the caller's.
    static let notMember = Refusal("not_member", "You are not a member of this conversation.", field: "conversation")

    static let userBlocked = Refusal("user_blocked", "You cannot message this user.")
    static let acceptFirst = Refusal("accept_first", "You have not accepted this request. Accept it before you write.")

    /// The same for a message that does not exist and one outside the caller's window of history.
    static func messageNotFound(_ field: String = "seq") -> Refusal {
        Refusal("message_not_found", "There is no such message in this conversation.", field: field)
    }

    static let messageDeleted = Refusal("message_deleted", "This message was deleted.", field: "seq")
    static let attachmentNotFound = Refusal(
        "attachment_not_found",
        "This attachment does not exist, is incomplete, or is already in a message. Upload it again.",
        field: "media.attachment")
}
