import Postgres
import Schema
import ServiceKit

/// The SQL of reading by a model. Its clock is the database's, which replicas share.
enum ModelStore {
    private static let now = "(extract(epoch FROM statement_timestamp()) * 1000000)::bigint"

    /// Conversation c, of which m says who allows it: of a group an owner, of a direct conversation everybody.
    private static let consent = """
        CROSS JOIN LATERAL (
            SELECT max(o.allowed_at) AS since, count(*) AS people,
                bool_or(a.role = \(MemberRole.owner.rawValue)) AS by_owner
            FROM entities.model_consents AS o
            CROSS JOIN LATERAL \(oneRow(
                "role, left_at", from: "conversations.access", where: "conversation = o.conversation", by: "account",
                is: "o.account"
            )) AS a
            WHERE o.conversation = c.conversation
                AND a.left_at IS NULL
        ) AS m
        """

    private static let isAllowed = """
        CASE
            WHEN m.people = 0 THEN false
            WHEN c.kind = \(ConversationKind.group.rawValue) THEN m.by_owner
            ELSE m.people = (SELECT count(*) FROM conversations.access AS a WHERE a.conversation = c.conversation)
        END
        """

    private static func isKeptOut(_ account: String, _ conversation: String) -> String {
        """
        EXISTS (
            SELECT
            FROM entities.model_kept_out AS k
            WHERE k.account = \(account)
                AND k.conversation IN (0, \(conversation))
        )
        """
    }

    /// $1 conversations, $2 seqs, $3 senders, $4 sent at: the messages among these that a model may read, with the time
    /// since when it may.
    static let readable = Statement(
        """
        SELECT g.conversation, g.seq, m.since
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS g (conversation, seq, sender, sent_at)
        JOIN conversations.conversation_ids AS c ON c.conversation = g.conversation
        \(consent)
        WHERE \(isAllowed)
            AND g.sent_at >= m.since
            AND NOT \(isKeptOut("g.sender", "g.conversation"))
        """
    ) { row in
        (key: MessageKey(conversation: try row.conversation(0), seq: try row.seq(1)), since: try row.time(2))
    }

    /// $1 conversation, $2 accounts: those among these whose messages are kept out.
    static let keptOut = Statement(
        """
        SELECT g.account
        FROM unnest($2::bigint[]) AS g (account)
        WHERE \(isKeptOut("g.account", "$1"))
        """
    ) { row in try row.account(0) }

    // MARK: The queue

    /// Lets messages wait for the model; what it has read with the same text stays read. $1 conversations, $2 seqs, $3
    /// edited at, $4 the most that may wait. Returns those that wait or were read: there is no room for the others.
    static let queue = Statement(
        """
        WITH room AS (
            SELECT $4::bigint - count(*) AS free
            FROM (SELECT FROM entities.model_readings WHERE due_at IS NOT NULL LIMIT $4) AS w
        )
        INSERT INTO entities.model_readings AS r (conversation, seq, edited_at, queued_at, due_at)
        SELECT g.conversation, g.seq, g.edited_at, \(now), \(now)
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
            WITH ORDINALITY AS g (conversation, seq, edited_at, number)
        WHERE g.number <= (SELECT free FROM room)
            OR EXISTS (
                SELECT FROM entities.model_readings AS k WHERE k.conversation = g.conversation AND k.seq = g.seq
            )
        ORDER BY g.conversation, g.seq
        ON CONFLICT (conversation, seq) DO UPDATE
        SET edited_at = excluded.edited_at,
            queued_at = CASE WHEN r.edited_at = excluded.edited_at THEN r.queued_at ELSE excluded.queued_at END,
            due_at = CASE WHEN r.edited_at = excluded.edited_at THEN r.due_at ELSE excluded.due_at END
        RETURNING conversation, seq
        """
    ) { row in MessageKey(conversation: try row.conversation(0), seq: try row.seq(1)) }

    struct Waiting: Sendable {
        var key: MessageKey
        var editedAt: Timestamp
        /// How long it has waited.
        var waited: Duration
    }

    /// Takes what waits. Who takes it and dies leaves it to others after $1 µs. $2 limit.
    static let take = Statement(
        """
        UPDATE entities.model_readings
        SET due_at = \(now) + $1
        WHERE ctid = ANY (ARRAY(
            SELECT ctid
            FROM entities.model_readings
            WHERE due_at <= \(now)
            ORDER BY due_at, conversation, seq
            LIMIT $2
            FOR UPDATE SKIP LOCKED
        ))
        RETURNING conversation, seq, edited_at, \(now) - queued_at
        """
    ) { row in
        Waiting(
            key: MessageKey(conversation: try row.conversation(0), seq: try row.seq(1)), editedAt: try row.time(2),
            waited: .microseconds(try row.int64(3)))
    }

    /// Lets a message wait again. $1 conversation, $2 seq, $3 edited at, $4 for how many µs.
    static let wait = Statement<Void>(
        """
        UPDATE entities.model_readings
        SET due_at = \(now) + $4
        WHERE conversation = $1
            AND seq = $2
            AND edited_at = $3
            AND due_at IS NOT NULL
        """)

    /// Ends the waiting of a text. $1 conversation, $2 seq, $3 edited at. Returns a row unless the text has changed, or
    /// another replica was quicker.
    static let end = Statement(
        """
        UPDATE entities.model_readings
        SET due_at = NULL
        WHERE conversation = $1
            AND seq = $2
            AND edited_at = $3
            AND due_at IS NOT NULL
        RETURNING seq
        """
    ) { row in try row.seq(0) }

    static let waitingCount = Statement(
        "SELECT count(*) FROM entities.model_readings WHERE due_at IS NOT NULL"
    ) { row in Int(try row.int64(0)) }

    /// Forgets messages that suggest nothing and are too old to. $1 their age in µs, $2 limit.
    static let forget = Statement<Void>(
        """
        DELETE FROM entities.model_readings
        WHERE ctid = ANY (ARRAY(
            SELECT r.ctid
            FROM entities.model_readings AS r
            WHERE r.due_at IS NULL
                AND r.queued_at < \(now) - $1
                AND NOT EXISTS (
                    SELECT
                    FROM entities.suggestions AS s
                    WHERE s.conversation = r.conversation
                        AND s.seq = r.seq
                )
            ORDER BY r.queued_at
            LIMIT $2
            FOR UPDATE SKIP LOCKED
        ))
        """)

    // MARK: The budget

    private static let today = "(\(now) / 86400000000)::integer"

    /// Counts a request of today. $1 the most of a day, $2 whose message it is about, $3 the most about one person's.
    /// Returns no row if that many were sent.
    static let spend = Statement(
        """
        WITH own AS (
            INSERT INTO entities.model_days AS d (day, account, requests)
            SELECT \(today), $2, 1
            WHERE NOT EXISTS (
                SELECT FROM entities.model_days AS a WHERE a.day = \(today) AND a.account = 0 AND a.requests >= $1
            )
            ON CONFLICT (day, account) DO UPDATE
            SET requests = d.requests + 1
            WHERE d.requests < $3
            RETURNING requests
        )
        INSERT INTO entities.model_days AS d (day, account, requests)
        SELECT \(today), 0, 1
        FROM own
        ON CONFLICT (day, account) DO UPDATE
        SET requests = d.requests + 1
        WHERE d.requests < $1
        RETURNING requests
        """
    ) { row in try row.int64(0) }

    /// Forgets the days before yesterday.
    static let forgetDays = Statement<Void>("DELETE FROM entities.model_days WHERE day < \(today) - 1")

    // MARK: What people say

    struct Reading: Sendable {
        var isAllowed: Bool
        var isAllowedByOwn: Bool
        var isKeptOut: Bool
        var isKeptOutEverywhere: Bool
    }

    /// $1 account, $2 conversation (0: everywhere).
    static let reading = Statement(
        """
        SELECT COALESCE((
                SELECT \(isAllowed)
                FROM conversations.conversation_ids AS c
                \(consent)
                WHERE c.conversation = $2
            ), false),
            EXISTS (SELECT FROM entities.model_consents WHERE conversation = $2 AND account = $1),
            EXISTS (SELECT FROM entities.model_kept_out WHERE account = $1 AND conversation = $2 AND $2 <> 0),
            EXISTS (SELECT FROM entities.model_kept_out WHERE account = $1 AND conversation = 0)
        """
    ) { row in
        Reading(
            isAllowed: try row.bool(0), isAllowedByOwn: try row.bool(1), isKeptOut: try row.bool(2),
            isKeptOutEverywhere: try row.bool(3))
    }

    /// $1 account, $2 conversation: whether the person decides about it, as the owner of a group or one of two.
    static let decides = Statement(
        """
        SELECT c.kind = \(ConversationKind.direct.rawValue) OR a.role = \(MemberRole.owner.rawValue)
        FROM conversations.conversation_ids AS c
        CROSS JOIN LATERAL \(oneRow(
            "role, account", from: "conversations.access", where: "conversation = $2", by: "account", is: "$1"
        )) AS a
        WHERE c.conversation = $2
        """
    ) { row in try row.bool(0) }

    /// $1 account, $2 conversation, $3 now. Returns a row if it was not so already, as the others below.
    static let allow = Statement(
        """
        INSERT INTO entities.model_consents (account, conversation, allowed_at)
        VALUES ($1, $2, $3)
        ON CONFLICT DO NOTHING
        RETURNING account
        """
    ) { row in try row.account(0) }

    /// $1 account, $2 conversation.
    static let forbid = Statement(
        "DELETE FROM entities.model_consents WHERE account = $1 AND conversation = $2 RETURNING account"
    ) { row in try row.account(0) }

    /// $1 account, $2 conversation (0: all).
    static let keepOut = Statement(
        """
        INSERT INTO entities.model_kept_out (account, conversation)
        VALUES ($1, $2)
        ON CONFLICT DO NOTHING
        RETURNING account
        """
    ) { row in try row.account(0) }

    /// $1 account, $2 conversation (0: all).
    static let letIn = Statement(
        "DELETE FROM entities.model_kept_out WHERE account = $1 AND conversation = $2 RETURNING account"
    ) { row in try row.account(0) }

    /// $1 account: in how many conversations it has said something.
    static let said = Statement(
        """
        SELECT (SELECT count(*) FROM entities.model_consents WHERE account = $1)
            + (SELECT count(*) FROM entities.model_kept_out WHERE account = $1)
        """
    ) { row in Int(try row.int64(0)) }
}
