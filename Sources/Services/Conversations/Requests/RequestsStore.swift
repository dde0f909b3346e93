import Postgres
import Schema
import ServiceKit

/// A member of a direct conversation, as stored.
struct PairMember: Hashable, Sendable {
    var account: AccountNumber
    var user: String
    var isErased: Bool
    /// Whether this person blocks the other.
    var blocks: Bool
    var section: ConversationSection
    var writeRefusal: Int16
    var writeUntilSeq: Seq?
    var mayRead: Bool
    var requestAt: Timestamp?
    var requestReadAt: Timestamp?
}

/// The row of a direct conversation in conversations.conversations.
struct DirectRow: Hashable, Sendable {
    var conversation: ConversationNumber
    var id: String
    var status: Int16
    var requester: AccountNumber?
    var requestsSent: Int16
    var requestedAt: Timestamp?
    var isRevealed: Bool
    var declinedAt: Timestamp?
    var withdrawnAt: Timestamp?
}

/// The SQL of requests and blocks.
enum RequestsStore {
    // MARK: Locks

    /// $1 conversation id. Held until the transaction ends, so that starting a conversation sees every block that was
    /// made while the conversation did not exist.
    static let lockPair = Statement("SELECT pg_advisory_xact_lock(\(AdvisoryLock.pair.rawValue), hashtext($1))")

    /// $1 my account, $2 ids of direct conversations. Returns those that are mine, whether shown to me or not. Locked
    /// until the transaction ends, in order.
    static let lockMine = Statement(
        """
        SELECT c.conversation
        FROM conversations.conversations AS c
        CROSS JOIN LATERAL \(oneRow(
            "account", from: "conversations.members", where: "conversation = c.conversation", by: "account", is: "$1"
        )) AS m
        WHERE c.conversation_id = ANY ($2)
            AND c.kind = \(ConversationKind.direct.rawValue)
        ORDER BY c.conversation
        FOR UPDATE OF c
        """
    ) { row in try row.conversation(0) }

    /// $1 conversations. Returns those that are requests without a message so far. Locked until the transaction ends,
    /// in order.
    static let lockHidden = Statement(
        """
        SELECT conversation
        FROM conversations.conversations
        WHERE conversation = ANY ($1)
            AND kind = \(ConversationKind.direct.rawValue)
            AND status = \(ConversationStatus.pending.rawValue)
            AND NOT is_revealed
        ORDER BY conversation
        FOR UPDATE
        """
    ) { row in try row.conversation(0) }

    /// $1 conversations. Returns the two members of each, or the only one.
    static let pairs = Statement(
        """
        SELECT c.conversation, c.conversation_id, c.status, c.requester, c.requests_sent, c.requested_at, c.is_revealed,
            c.declined_at, c.withdrawn_at, m.account, a.user_id, a.erased_at, EXISTS (
                SELECT
                FROM conversations.members AS o
                JOIN conversations.blocks AS b ON b.account = m.account AND b.blocked BETWEEN o.account AND o.account
                WHERE o.conversation = m.conversation
                    AND o.account <> m.account
            ), m.section, m.write_refusal, m.write_until_seq, m.may_read, m.request_at, m.request_read_at
        FROM unnest($1::bigint[]) AS named (conversation)
        JOIN conversations.conversations AS c ON c.conversation = named.conversation
        JOIN conversations.members AS m ON m.conversation = c.conversation
        JOIN conversations.accounts AS a ON a.account = m.account
        ORDER BY c.conversation, m.account
        """
    ) { row in
        (
            row: DirectRow(
                conversation: try row.conversation(0), id: try row.text(1), status: try row.int16(2),
                requester: try row.optionalAccount(3), requestsSent: try row.int16(4),
                requestedAt: try row.optionalTime(5),
                isRevealed: try row.bool(6), declinedAt: try row.optionalTime(7),
                withdrawnAt: try row.optionalTime(8)),
            member: PairMember(
                account: try row.account(9), user: try row.text(10), isErased: !row.isNull(11),
                blocks: try row.bool(12),
                section: ConversationSection(rawValue: Int32(try row.int16(13))), writeRefusal: try row.int16(14),
                writeUntilSeq: try row.optionalSeq(15), mayRead: try row.bool(16),
                requestAt: try row.optionalTime(17), requestReadAt: try row.optionalTime(18))
        )
    }

    /// $1 account. Returns no row if it is erased. Otherwise it cannot be erased before the transaction ends, so that
    /// an erasure finds all conversations of a person.
    static let stay = Statement(
        """
        SELECT account
        FROM conversations.accounts
        WHERE account = $1
            AND erased_at IS NULL
        FOR SHARE
        """
    ) { row in try row.account(0) }

    // MARK: Changes

    /// $1 conversation id, $2 creator, $3 now, $4 the two members, or the only one. Nobody is shown it yet.
    static let addDirect = Statement(
        """
        WITH made AS (
            INSERT INTO conversations.conversations (
                conversation_id, kind, status, is_revealed, created_by, created_at, member_count, members_key)
            SELECT $1, 1, 1, false, $2, $3, cardinality($4), bit_xor(hashint8extended(account, 0))
            FROM unnest($4::bigint[]) AS account
            RETURNING conversation
        )
        INSERT INTO conversations.members (
            conversation, account, joined_at, position, section, write_refusal, may_read)
        SELECT made.conversation, account, $3, 0, 0, 3, false
        FROM made
        CROSS JOIN unnest($4::bigint[]) AS account
        RETURNING conversation
        """
    ) { row in try row.conversation(0) }

    /// $1 accounts, $2 how many positions each takes. Returns the last of them. Locks in order of account, so that two
    /// such changes never deadlock.
    static let advanceHeads = Statement(
        """
        INSERT INTO conversations.heads AS h (account, position)
        SELECT account, taken
        FROM unnest($1::bigint[], $2::bigint[]) AS t (account, taken)
        ORDER BY account
        ON CONFLICT (account) DO UPDATE
        SET position = h.position + excluded.position
        RETURNING account, position
        """
    ) { row in (account: try row.account(0), position: try row.position(1)) }

    /// $1 conversations, then status, requester, requests sent, requested at, revealed, declined at and withdrawn at of
    /// each.
    static let saveConversations = Statement(
        """
        UPDATE conversations.conversations AS c
        SET status = p.status,
            requester = p.requester,
            requests_sent = p.requests_sent,
            requested_at = p.requested_at,
            is_revealed = p.is_revealed,
            declined_at = p.declined_at,
            withdrawn_at = p.withdrawn_at
        FROM unnest(
            $1::bigint[], $2::smallint[], $3::bigint[], $4::smallint[], $5::bigint[], $6::boolean[], $7::bigint[],
            $8::bigint[]
        ) AS p (conversation, status, requester, requests_sent, requested_at, is_revealed, declined_at, withdrawn_at)
        WHERE c.conversation = p.conversation
        """)

    /// $1 conversations, $2 accounts, then section, write refusal, write until, may read, request at, request read at
    /// and position of each. A null position keeps the old one.
    static let saveMembers = Statement(
        """
        UPDATE conversations.members AS m
        SET section = p.section,
            write_refusal = p.write_refusal,
            write_until_seq = p.write_until_seq,
            may_read = p.may_read,
            request_at = p.request_at,
            request_read_at = p.request_read_at,
            position = COALESCE(p.position, m.position),
            returned_position = CASE
                WHEN m.section = \(Section.gone.rawValue) AND p.section <> \(Section.gone.rawValue)
                    THEN COALESCE(p.position, m.position)
                ELSE m.returned_position
            END
        FROM unnest(
            $1::bigint[], $2::bigint[], $3::smallint[], $4::smallint[], $5::bigint[], $6::boolean[], $7::bigint[],
            $8::bigint[], $9::bigint[]
        ) AS p (
            conversation, account, section, write_refusal, write_until_seq, may_read, request_at, request_read_at,
            position)
        WHERE m.conversation = p.conversation
            AND m.account BETWEEN p.account AND p.account
        """)

    // MARK: Lists

    /// $1 my account, $2 time and $3 conversation of the cursor, $4 limit. Returns earlier requests, latest first.
    static let requests = Statement(
        """
        SELECT \(ViewsStore.columns), m.request_at
        FROM conversations.members AS m
        JOIN conversations.conversations AS c ON c.conversation = m.conversation
        \(ViewsStore.joins)
        WHERE m.account = $1
            AND m.section = \(Section.requests.rawValue)
            AND (m.request_at, m.conversation) < ($2, $3)
        ORDER BY m.request_at DESC, m.conversation DESC
        LIMIT $4
        """
    ) { row in try ViewsStore.conversation(row, from: 0) }

    // MARK: Blocks

    /// $1 user id. Returns the account, erased or not.
    static let account = Statement(
        """
        SELECT account
        FROM conversations.accounts
        WHERE user_id = $1
        """
    ) { row in try row.account(0) }

    /// $1 account, $2 account to block, $3 now. Returns no row if it is already blocked.
    static let addBlock = Statement(
        """
        INSERT INTO conversations.blocks (account, blocked, at)
        VALUES ($1, $2, $3)
        ON CONFLICT DO NOTHING
        RETURNING at
        """
    ) { row in try row.time(0) }

    /// $1 account, $2 account to unblock. Returns no row if it was not blocked.
    static let removeBlock = Statement(
        """
        DELETE FROM conversations.blocks
        WHERE account = $1
            AND blocked BETWEEN $2 AND $2
        RETURNING at
        """
    ) { row in try row.time(0) }

    /// $1 account. Advances its stream; the new position becomes that of its last block or unblock.
    static let advanceBlocks = Statement(
        """
        INSERT INTO conversations.heads AS h (account, position, blocks_position)
        VALUES ($1, 1, 1)
        ON CONFLICT (account) DO UPDATE
        SET position = h.position + 1,
            blocks_position = h.position + 1
        RETURNING position
        """
    ) { row in try row.position(0) }

    /// $1 account, $2 time and $3 blocked account of the cursor, $4 limit. Returns earlier blocks, latest first.
    static let blocked = Statement(
        """
        SELECT \(ViewsStore.userColumns), b.at, b.blocked
        FROM conversations.blocks AS b
        JOIN conversations.accounts AS a ON a.account = b.blocked
        WHERE b.account = $1
            AND (b.at, b.blocked) < ($2, $3)
        ORDER BY b.at DESC, b.blocked DESC
        LIMIT $4
        """
    ) { row in
        (
            block: Block(user: try ViewsStore.user(row, from: 0), blocked: true, atUs: try row.int64(6)),
            account: try row.account(7)
        )
    }
}
