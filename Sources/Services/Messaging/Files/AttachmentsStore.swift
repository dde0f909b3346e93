import Postgres
import Schema
import ServiceKit
import Wire

/// A file as stored in its row.
struct Attachment: Sendable {
    var object: String
    var name: String
    var mimeType: String
    var size: Int64
    var width: Int32
    var height: Int32
    var isComplete: Bool
}

/// A file that a person sent.
struct SentAttachmentRow: Sendable {
    var attachment: SentAttachment
    var number: ConversationNumber
    /// Whether its message is neither deleted nor has disappeared.
    var isShown: Bool
}

/// The result of creating an attachment.
enum AttachmentCreation: Sendable {
    case created
    case existing(Attachment)
    case refused(Refusal)
    /// Another request has just used this id; try again.
    case retry
}

/// The SQL of attachments.
extension MessagingStore {
    private static let attachmentColumns =
        "f.object, f.name, f.mime_type, f.size_bytes, f.width, f.height, f.completed_at IS NOT NULL"

    private static func attachment(_ row: borrowing RowReader, from first: Int = 0) throws -> Attachment {
        Attachment(
            object: try row.text(first), name: try row.text(first + 1), mimeType: try row.text(first + 2),
            size: try row.int64(first + 3), width: try row.int32(first + 4), height: try row.int32(first + 5),
            isComplete: try row.bool(first + 6))
    }

    /// $1 conversation, $2 id, $3 owner, $4 object, $5 name, $6 type, $7 size, $8 now, $9 maximum number of unsent
    /// attachments of a person. The owner must be allowed to write there now, as for a message. An attachment that
    /// already has the id stays unchanged.
    static let createAttachment = Statement(
        """
        WITH rule AS MATERIALIZED (
            SELECT
                COALESCE(\(oneRow(
                    "refusal", from: "conversations.access", where: "conversation = $1", by: "account", is: "$3"
                )), 'not_member') AS refusal,
                COALESCE((SELECT h.seq FROM messaging.heads AS h WHERE h.conversation = $1), 0) AS head_seq,
                (
                    SELECT count(*)
                    FROM (
                        SELECT
                        FROM messaging.attachments AS u
                        WHERE u.owner = $3
                            AND u.seq IS NULL
                            AND u.created_at > 0
                        ORDER BY u.owner, u.created_at
                        LIMIT $9
                    ) AS u
                ) >= $9 AS has_too_many
        ),
        made AS (
            INSERT INTO messaging.attachments
                (conversation, id, owner, object, name, mime_type, size_bytes, created_at)
            SELECT $1, $2, $3, $4, $5, $6, $7, $8
            FROM rule AS r
            WHERE r.refusal = ''
                AND NOT r.has_too_many
            ON CONFLICT (conversation, id) DO NOTHING
            RETURNING object
        )
        SELECT r.refusal, r.head_seq, r.has_too_many, EXISTS (SELECT FROM made), f.owner = $3 AND f.unused_at IS NULL,
            \(attachmentColumns)
        FROM rule AS r
        LEFT JOIN LATERAL \(oneRow(
            "*", from: "messaging.attachments", where: "conversation = $1", by: "id", is: "$2"
        )) AS f ON true
        """
    ) { row -> AttachmentCreation in
        if let refusal = Refusal.write(try row.text(0)) {
            // The recipient does not see the request before its first message, and is refused like anyone else.
            let isUnseen = try row.int64(1) == 0 && refusal == .acceptFirst
            return .refused(isUnseen ? .notMember : refusal)
        }
        if try row.bool(3) { return .created }
        guard row.isNull(4) else {
            guard try row.bool(4) else {
                return .refused(Refusal(.idInUse, "Another file has this id. Use a new one.", field: "id"))
            }
            return .existing(try attachment(row, from: 5))
        }
        guard try row.bool(2) else { return .retry }
        return .refused(
            Refusal(
                .rateLimited, "Too many of your uploaded files are still unsent. Send some, or wait a day.",
                retryAfter: .seconds(60)))
    }

    /// $1 conversation, $2 id: the attachment, unless it is unused.
    static let attachment = Statement(
        oneRow(
            attachmentColumns, from: "messaging.attachments AS f", where: "f.conversation = $1 AND f.unused_at IS NULL",
            by: "f.id", is: "$2")
    ) { row in try attachment(row) }

    /// $1 conversation, $2 id, $3 account: the attachment of a link that was made for an account. No row if that is
    /// suspended or erased.
    static let linkedAttachment = Statement(
        oneRow(
            attachmentColumns, from: "messaging.attachments AS f",
            where: """
                f.conversation = $1 AND f.unused_at IS NULL
                    AND NOT EXISTS (SELECT FROM conversations.suspended AS s WHERE s.account = $3)
                    AND NOT EXISTS (SELECT FROM conversations.erased AS e WHERE e.account = $3)
                """,
            by: "f.id", is: "$2")
    ) { row in try attachment(row) }

    /// $1 conversation, $2 id, $3 owner: the owner's attachment. Sending decides whether it may still be sent.
    static let attachmentToSend = Statement(
        oneRow(
            attachmentColumns, from: "messaging.attachments AS f", where: "f.conversation = $1 AND f.owner = $3",
            by: "f.id", is: "$2")
    ) { row in try attachment(row) }

    /// The columns of a ``SentAttachmentRow`` of attachment f; $NOW is the time.
    private static func sentColumns(now: String) -> String {
        """
        c.conversation_id, f.seq, f.id, f.name, f.mime_type, f.size_bytes, f.width, f.height, f.created_at,
        f.conversation, m.seq IS NOT NULL AND m.deleted_at IS NULL AND COALESCE(m.expires_at > \(now), true)
        """
    }

    private static let sentJoins = """
        JOIN conversations.conversation_ids AS c ON c.conversation = f.conversation
        LEFT JOIN LATERAL \(oneRow(
            "seq, deleted_at, expires_at", from: "messaging.messages", where: "conversation = f.conversation",
            by: "seq", is: "f.seq"
        )) AS m ON true
        """

    private static func sent(_ row: borrowing RowReader) throws -> SentAttachmentRow {
        let media = Media(
            attachment: try row.uuid(2), name: try row.text(3), mimeType: try row.text(4),
            sizeBytes: try row.int64(5), width: UInt32(clamping: try row.int32(6)),
            height: UInt32(clamping: try row.int32(7)))
        return SentAttachmentRow(
            attachment: SentAttachment(
                conversation: try row.text(0), seq: try row.int64(1), media: media, createdAtUs: try row.int64(8)),
            number: try row.conversation(9), isShown: try row.bool(10))
    }

    /// The files that an account sent, oldest first. $1 account, after ($2 created at, $3 conversation, $4 id), $5 now,
    /// $6 limit. Returns those of messages that are gone, too.
    static let sentAttachments = Statement(
        """
        SELECT \(sentColumns(now: "$5"))
        FROM (
            SELECT *
            FROM messaging.attachments
            WHERE owner = $1
                AND seq IS NOT NULL
                AND unused_at IS NULL
                AND (created_at, conversation, id) > ($2, $3, $4)
            ORDER BY created_at, conversation, id
            LIMIT $6
        ) AS f
        \(sentJoins)
        ORDER BY f.created_at, f.conversation, f.id
        """
    ) { row in try sent(row) }

    /// $1 account, $2 conversation id, $3 id, $4 now: a file that the account sent there, unless its message is gone.
    static let sentAttachment = Statement(
        """
        SELECT \(sentColumns(now: "$4"))
        FROM \(oneRow(
            "conversation, conversation_id", from: "conversations.conversation_ids", by: "conversation_id", is: "$2"
        )) AS c
        CROSS JOIN LATERAL \(oneRow(
            "*", from: "messaging.attachments",
            where: "conversation = c.conversation AND owner = $1 AND seq IS NOT NULL AND unused_at IS NULL",
            by: "id", is: "$3"
        )) AS f
        CROSS JOIN LATERAL \(oneRow(
            "seq, deleted_at, expires_at", from: "messaging.messages",
            where: "conversation = f.conversation AND deleted_at IS NULL AND COALESCE(expires_at > $4, true)",
            by: "seq", is: "f.seq"
        )) AS m
        """
    ) { row in try sent(row) }

    /// $1 conversation, $2 id, $3 now, $4 type, $5 width, $6 height: marks an attachment as complete.
    static let completeAttachment = Statement<Void>(
        """
        UPDATE messaging.attachments
        SET completed_at = $3, mime_type = $4, width = $5, height = $6
        WHERE conversation = $1
            AND id = $2
            AND completed_at IS NULL
            AND unused_at IS NULL
        """)

    /// $1 conversation, $2 id: deletes an attachment whose bytes were refused.
    static let dropAttachment = Statement<Void>(
        """
        DELETE FROM messaging.attachments
        WHERE conversation = $1
            AND id = $2
            AND completed_at IS NULL
        """)

    // MARK: Unused attachments

    /// $1 now, $2 created before: marks up to 500 attachments that were never sent as unused.
    static let giveUpUnsent = Statement<Void>(
        """
        UPDATE messaging.attachments AS f
        SET unused_at = $1
        FROM (
            SELECT conversation, id
            FROM messaging.attachments
            WHERE seq IS NULL
                AND unused_at IS NULL
                AND created_at < $2
            ORDER BY created_at
            LIMIT 500
            FOR UPDATE SKIP LOCKED
        ) AS old
        WHERE f.conversation = old.conversation
            AND f.id = old.id
        """)

    /// $1 unused since before: up to 100 attachments, each with whether no attachment in use shares its stored file.
    static let unusedAttachments = Statement(
        """
        SELECT f.conversation, f.id, f.object, NOT EXISTS (
                SELECT
                FROM messaging.attachments AS o
                WHERE o.object = f.object
                    AND o.unused_at IS NULL
            )
        FROM messaging.attachments AS f
        WHERE f.unused_at < $1
        ORDER BY f.unused_at
        LIMIT 100
        """
    ) { row in
        (
            conversation: try row.conversation(0), id: try row.uuid(1), object: try row.text(2), isLast: try row.bool(3)
        )
    }

    /// $1 conversation, $2 id: deletes the row of an unused attachment.
    static let forgetAttachment = Statement<Void>(
        """
        DELETE FROM messaging.attachments
        WHERE conversation = $1
            AND id = $2
            AND unused_at IS NOT NULL
        """)
}
