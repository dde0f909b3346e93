import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// The SQL of sending and reading messages. Sending is one function of the schema, `messaging.send_batch`.
///
/// ``oneRow(_:from:where:by:is:)`` says why lookups compare the last column of a key with BETWEEN.
enum MessagingStore {
    // MARK: Sending

    /// The function's comment in the schema states its guarantees.
    static let sendBatch = Statement(
        """
        SELECT ordinal, outcome, seq, position, sent_at, number, audience, expires_at, thread_seq, thread_replies,
            thread_last_seq, thread_position
        FROM messaging.send_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::uuid[], $13)
        """
    ) { row in
        SendOutcome(
            ordinal: Int(try row.int32(0)), result: try result(row), seq: try row.optionalSeq(2) ?? 0,
            position: try row.optionalPosition(3) ?? 0, sentAt: try row.optionalTime(4) ?? 0,
            expiresAt: try row.optionalTime(7) ?? 0, threadSeq: try row.optionalSeq(8) ?? 0,
            thread: try row.optionalInt64(9).map {
                Schema.Thread(replies: $0, lastSeq: try row.int64(10), position: try row.int64(11))
            })
    }

    private static func result(_ row: borrowing RowReader) throws -> SendOutcome.Result {
        switch Outcome(rawValue: try row.int16(1)) {
        case .done: .accepted(number: try row.int64(5), audience: row.isNull(6) ? nil : try row.audience(6))
        case .unchanged: .duplicate
        case .locked: .notLocked
        case .notMember: .refused(.notMember)
        case .userBlocked: .refused(.userBlocked)
        case .acceptFirst: .refused(.acceptFirst)
        case .idInUse:
            .refused(Refusal(.idInUse, "Another member's message has this id. Use a new one.", field: "id"))
        case .requestPending: .refused(.requestPending)
        case .messageNotFound: .refused(.messageNotFound("reply_to_seq"))
        case .attachmentNotFound: .refused(.attachmentNotFound)
        default: throw DatabaseError.unexpected("send_batch outcome \(try row.int16(1))")
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
    ) { row in try row.conversation(0) }

    /// $1 conversations: their ids, and the current names of groups.
    static let conversationIDs = Statement(
        """
        SELECT conversation, conversation_id, name
        FROM conversations.conversation_ids
        WHERE conversation = ANY ($1)
        """
    ) { row in (try row.conversation(0), (id: try row.text(1), name: try row.text(2))) }

    /// $1 user ids: the accounts that exist.
    static let accounts = Statement(
        """
        SELECT account, user_id
        FROM conversations.account_ids
        WHERE user_id = ANY ($1)
        """
    ) { row in (account: try row.account(0), user: try row.text(1)) }

    static let userIDs = Statement(
        """
        SELECT account, user_id
        FROM conversations.account_ids
        WHERE account = ANY ($1)
        """
    ) { row in (try row.account(0), try row.text(1)) }

    static func parameters(lane: Int, now: Timestamp, _ messages: [PendingMessage]) -> [Parameter] {
        [
            .int32(Int32(lane)), .number(now), .int64s(messages.map(\.conversation.rawValue)),
            .int64s(messages.map(\.draft.sender.rawValue)), .uuids(messages.map(\.draft.id.bytes)),
            .int16s(messages.map { Int16(truncatingIfNeeded: $0.draft.content.kind.rawValue) }),
            .texts(messages.map(\.draft.content.text)),
        ] + more(messages.map(\.draft.content.more), timeZones: messages.map(\.draft.timeZone))
    }

    /// The last six parameters of `send_batch`. The arrays are empty if no message needs them.
    static func more(_ messages: [MessageContent.More?], timeZones: [String] = []) -> [Parameter] {
        let zones = Parameter.texts(timeZones.contains { !$0.isEmpty } ? timeZones : [])
        guard messages.contains(where: { $0 != nil }) else {
            return [
                .optionalBytesArray([]), .optionalInt64s([]), .optionalTexts([]), .optionalInt64s([]),
                .optionalTexts([]), zones,
            ]
        }
        return [
            .optionalBytesArray(messages.map { $0?.media?.encode() }),
            .optionalNumbers(messages.map { $0?.replyTo }),
            .optionalTexts(
                messages.map { more in
                    guard let more, !more.mentions.isEmpty else { return nil }
                    return "{" + more.mentions.map { "\($0.account)" }.joined(separator: ",") + "}"
                }),
            .optionalNumbers(messages.map { $0?.author?.account }),
            .optionalTexts(messages.map { $0?.attachment.map(uuidText) }),
            zones,
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
    ) { row in (try row.text(0), try row.conversation(1)) }

    /// $1 conversation, $2 id, $3 sender: the result of the first send with this id.
    static let sentBefore = Statement(
        oneRow(
            "seq, position, sent_at", from: "messaging.messages", where: "conversation = $1 AND sender = $3",
            by: "id", is: "$2")
    ) { row in
        SendMessageReply(seq: try row.int64(0), position: try row.int64(1), sentAtUs: try row.int64(2), duplicate: true)
    }

    // MARK: Reading

    /// $1 conversation, $2 account: the newest seq and position for the account, and the window it may read. No row if
    /// the account does not see the conversation.
    static let window = Statement(
        """
        SELECT messaging.epoch(), w.last_seq, w.last_position, w.first_position, w.first_seq, w.is_former,
            EXISTS (SELECT FROM messaging.message_states AS f WHERE f.account = $2 AND f.conversation BETWEEN $1 AND $1)
        FROM messaging.window($2, $1) AS w
        WHERE w.is_shown
        """
    ) { row in
        Window(
            epoch: try row.text(0), lastSeq: try row.seq(1), lastPosition: try row.position(2),
            firstPosition: try row.position(3), lowest: try row.seq(4), isFormer: try row.bool(5),
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
        SELECT c.conversation_id, w.last_position
        FROM conversations.conversation_ids AS c
        CROSS JOIN LATERAL messaging.window($1, c.conversation) AS w
        WHERE c.conversation_id = ANY ($2)
            AND w.is_former
        """
    ) { row in (conversation: try row.text(0), position: try row.position(1)) }

    /// $1 conversation ids, $2 seqs, $3 the positions at which a former member left: for each message edited since, its
    /// ordinal in the lists and what it was then. The text is empty if too many later edits have displaced it.
    static let asLeft = Statement(
        """
        SELECT e.ordinal, CASE WHEN x.revision = 1 OR before.until_at IS NOT NULL THEN x.text ELSE '' END,
            before.until_at, ARRAY(
                SELECT n.user_id
                FROM unnest(x.mentions) WITH ORDINALITY AS m (account, ordinal)
                JOIN conversations.account_ids AS n ON n.account = m.account
                ORDER BY m.ordinal
            )
        FROM unnest($1::text[], $2::bigint[], $3::bigint[]) WITH ORDINALITY
            AS e (conversation_id, seq, left_position, ordinal)
        JOIN conversations.conversation_ids AS c ON c.conversation_id = e.conversation_id
        CROSS JOIN LATERAL (
            SELECT revision, text, mentions
            FROM messaging.revisions
            WHERE conversation = c.conversation
                AND seq BETWEEN e.seq AND e.seq
                AND until_position > e.left_position
            ORDER BY seq, revision
            LIMIT 1
        ) AS x
        LEFT JOIN LATERAL (
            SELECT until_at
            FROM messaging.revisions
            WHERE conversation = c.conversation
                AND seq BETWEEN e.seq AND e.seq
                AND revision = x.revision - 1
            ORDER BY seq
            LIMIT 1
        ) AS before ON true
        """
    ) { row in
        (
            ordinal: Int(try row.int64(0)), text: try row.text(1), editedAtUs: try row.optionalInt64(2) ?? 0,
            mentions: try row.texts(3)
        )
    }

    /// $1 conversation, $2 position, $3 highest seq: whether a message up to the seq may have been changed since the
    /// position. Examines at most 100 changes.
    static let isChangedSince = Statement(
        """
        SELECT COALESCE(bool_or(seq <= $3), false) OR count(*) = 100
        FROM (
            SELECT seq
            FROM messaging.messages
            WHERE conversation = $1
                AND position > $2
                AND changed_at IS NOT NULL
            ORDER BY position
            LIMIT 100
        ) AS changed
        """
    ) { row in try row.bool(0) }

    /// $1 conversation, $2 since position, $3 lowest seq, $4 highest seq, $5 first seq that can be new since then,
    /// $6 limit, $7 the reader, $8 whether the reader has message states there.
    ///
    /// Each new message takes one position, so the messages new since P are among the last (head − P) seqs. Messages
    /// changed later have their own index.
    static let changes = Statement(
        """
        SELECT \(messageColumns(viewer: "$7"))
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
        \(messageJoins(viewer: "$7", hasStates: "$8::boolean"))
        ORDER BY m.position
        LIMIT $6
        """
    ) { row in try message(row) }
}

/// The part of a conversation that one member may read, and the newest position of its stream for them.
struct Window: Sendable {
    /// The member's account.
    var account: AccountNumber = 0
    var epoch: String
    /// The newest seq and position; for a former member, those when they left.
    var lastSeq: Seq
    var lastPosition: Position
    var firstPosition: Position
    /// The member's window of history: seqs from lowest to highest. It is empty if lowest > highest.
    var lowest: Seq
    var highest: Seq { lastSeq }
    /// Whether the member has left or was removed.
    var isFormer: Bool
    /// Whether the member starred or hid any message in it.
    var hasMessageStates: Bool
}

extension Change {
    /// Locks the heads of conversations until the transaction ends, and waits for each that others have locked. In a
    /// busy conversation a batch nearly always holds it, but batches skip a head that another transaction waits for.
    /// - Returns: the conversations that have a head.
    /// - Throws: ``Refusal`` `unavailable` if others keep a conversation locked. Retry a moment later.
    @discardableResult
    func lockHeads(of conversations: [ConversationNumber]) async throws -> [ConversationNumber] {
        do {
            return try await query(MessagingStore.lockHeads, .numbers(conversations))
        } catch let error where error.code == .lockNotAvailable {
            throw Refusal.conversationBusy
        }
    }
}

extension Refusal {
    static let conversationBusy = Refusal.unavailable(
        "The conversation is busy. Try again shortly.", retryAfter: .milliseconds(50))

    /// The refusal of a person who may not write, by `refusal` of conversations.access; nil if it is empty.
    static func write(_ code: String) -> Refusal? {
        switch Refusal.Code(rawValue: code) {
        case "": nil
        case .acceptFirst: .acceptFirst
        case .userBlocked: .userBlocked
        default: .notMember
        }
    }

    static let acceptFirst = Refusal(.acceptFirst, "You have not accepted this request. Accept it before you write.")

    static let messageDeleted = Refusal(.messageDeleted, "This message was deleted.", field: "seq")
    static let attachmentNotFound = Refusal(
        .attachmentNotFound,
        "This attachment does not exist, is incomplete, or is already in a message. Upload it again.",
        field: "media.attachment")
}
