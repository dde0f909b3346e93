import Postgres
import Schema
import ServiceKit

/// The SQL of decisions.
enum DecisionsStore {
    /// - Parameter position: the position that the reader gets.
    private static func columns(position: String = "d.position") -> String {
        """
        d.id, u.user_id, d.text, c.conversation_id, d.source_message, d.created_at, d.card IS NOT NULL, d.supersedes,
        d.superseded_by, d.deleted_at, \(position)
        """
    }

    private static let joins = """
        JOIN conversations.account_ids AS u ON u.account = d.account
        LEFT JOIN conversations.conversation_ids AS c ON c.conversation = d.conversation
        """

    private static func decision(_ row: borrowing RowReader, from column: Int = 0) throws -> Decision {
        Decision(
            id: try row.uuid(column), user: try row.text(column + 1), text: try row.text(column + 2),
            conversation: try row.optionalText(column + 3) ?? "", sourceMessage: try row.optionalUUID(column + 4) ?? [],
            createdAtUs: try row.int64(column + 5), shared: try row.bool(column + 6),
            supersedes: try row.optionalUUID(column + 7) ?? [], supersededBy: try row.optionalUUID(column + 8) ?? [],
            deletedAtUs: try row.optionalInt64(column + 9) ?? 0, position: try row.int64(column + 10))
    }

    /// Whether account $2 may read decision d.
    private static let isReadable = """
        (d.account = $2 OR d.card IS NOT NULL
            AND \(CardsStore.isReadable(card: "d.card", conversation: "d.conversation", account: "$2")))
        """

    /// $1 id, $2 account: the decision, if it is not deleted and the account may read it.
    static let readable = Statement(
        """
        SELECT \(columns(position: "CASE WHEN d.account = $2 THEN d.position ELSE 0 END"))
        FROM \(oneRow("*", from: "entities.decisions", by: "id", is: "$1")) AS d
        \(joins)
        WHERE d.deleted_at IS NULL
            AND \(isReadable)
        """
    ) { row in try decision(row) }

    /// $1 id, $2 account: a decision that the account may read, and whether it may supersede it: it is its author, an
    /// admin or owner of the group with which it is shared, or the other person of a direct conversation.
    static let supersedable = Statement(
        """
        SELECT \(storedColumns), d.account = $2 OR EXISTS (
            SELECT
            FROM conversations.conversation_ids AS c
            CROSS JOIN LATERAL \(oneRow(
                "role", from: "conversations.access", where: "conversation = c.conversation", by: "account", is: "$2"
            )) AS me
            WHERE c.conversation = d.conversation
                AND (me.role >= \(MemberRole.admin.rawValue) OR position('_' IN c.conversation_id) > 0)
        )
        FROM \(oneRow("*", from: "entities.decisions", by: "id", is: "$1")) AS d
        WHERE d.deleted_at IS NULL
            AND \(isReadable)
        """
    ) { row in (decision: try stored(row), maySupersede: try row.bool(7)) }

    private static let storedColumns = """
        d.account, d.conversation, d.card, d.supersedes, d.superseded_by, d.deleted_at,
        EXISTS (SELECT FROM conversations.erased AS e WHERE e.account = d.account)
        """

    private static func stored(_ row: borrowing RowReader) throws -> StoredDecision {
        StoredDecision(
            account: try row.account(0), conversation: try row.optionalInt64(1).map { ConversationNumber($0) },
            card: try row.optionalInt64(2).map { CardNumber($0) }, supersedes: try row.optionalUUID(3),
            supersededBy: try row.optionalUUID(4), isDeleted: !row.isNull(5), isOfErased: try row.bool(6))
    }

    /// $1 id: what is stored. The caller holds the author's head, without which nothing changes it.
    static let stored = Statement(
        """
        SELECT \(storedColumns)
        FROM \(oneRow("*", from: "entities.decisions", by: "id", is: "$1")) AS d
        """
    ) { row in try stored(row) }

    /// $1 account, $2 the most decisions: whether there are as many.
    static let areMany = Statement(
        """
        SELECT EXISTS (
            SELECT
            FROM entities.decisions
            WHERE account = $1
                AND deleted_at IS NULL
            OFFSET $2::bigint - 1
        )
        """
    ) { row in try row.bool(0) }

    /// $1 id: a decision as its author sees it, also a deleted one.
    static let decision = Statement(
        """
        SELECT \(columns())
        FROM \(oneRow("*", from: "entities.decisions", by: "id", is: "$1")) AS d
        \(joins)
        """
    ) { row in try decision(row) }

    /// $1 id, $2 account, $3 text, $4 folded text, $5 conversation, $6 source message, $7 now, $8 card, $9 supersedes,
    /// $10 position.
    static let add = Statement<Void>(
        """
        INSERT INTO entities.decisions
            (id, account, text, folded, conversation, source_message, created_at, card, supersedes, position)
        VALUES ($1, $2, $3, $4, $5, $6::uuid, $7, $8, $9::uuid, $10)
        """)

    /// $1 id, $2 superseded by (null: it holds again), $3 position.
    static let supersede = Statement<Void>(
        """
        UPDATE entities.decisions
        SET superseded_by = $2::uuid,
            position = COALESCE($3::bigint, position)
        WHERE id = $1
        """)

    /// $1 id, $2 now, $3 position.
    static let delete = Statement<Void>(
        """
        UPDATE entities.decisions
        SET text = '',
            folded = '',
            conversation = NULL,
            source_message = NULL,
            supersedes = NULL,
            superseded_by = NULL,
            card = NULL,
            deleted_at = $2,
            position = $3
        WHERE id = $1
        """)

    /// $1 account, $2 position of its stream, whose head the caller holds.
    static let moveHead = Statement<Void>(
        """
        UPDATE entities.heads
        SET position = $2
        WHERE account = $1
        """)

    // MARK: Reading

    /// The most decisions that a page examines.
    static let examinedMax: Int64 = 1000

    /// A page of an account's own decisions, newest first. $1 before (time, id) with $2, $3 account, $4 the most to
    /// examine, $5 folded text (empty: all), $6 conversation (only with `inConversation`). Returns all that were
    /// examined, each with whether it is wanted.
    static func own(inConversation: Bool) -> Statement<(decision: Decision, isWanted: Bool)> {
        inConversation ? ownOfConversation : own
    }

    private static let own = newestFirst("account = $3")
    private static let ownOfConversation = newestFirst("account = $3 AND conversation = $6")

    /// A page of the decisions shared with conversation $6, with the same parameters.
    static let shared = newestFirst(
        "conversation = $6 AND card IS NOT NULL",
        isReadable: """
            (d.account = $3 OR \(CardsStore.isReadable(card: "d.card", conversation: "$6", account: "$3")))
            """)

    private static func newestFirst(
        _ condition: String, isReadable: String = "true"
    ) -> Statement<(decision: Decision, isWanted: Bool)> {
        Statement(
            """
            SELECT \(columns(position: "CASE WHEN d.account = $3 THEN d.position ELSE 0 END")),
                ($5::text = '' OR strpos(d.folded, $5::text) > 0) AND \(isReadable)
            FROM (
                SELECT *
                FROM entities.decisions
                WHERE \(condition)
                    AND deleted_at IS NULL
                    AND (created_at, id) < ($1, $2)
                ORDER BY created_at DESC, id DESC
                LIMIT $4
            ) AS d
            \(joins)
            ORDER BY d.created_at DESC, d.id DESC
            """
        ) { row in (decision: try decision(row), isWanted: try row.bool(11)) }
    }

    /// Decisions changed since a position, in order of position. $1 account, $2 position, $3 limit. A client that
    /// begins needs no deleted ones.
    static let changed = Statement(
        """
        SELECT \(columns())
        FROM entities.decisions AS d
        \(joins)
        WHERE d.account = $1
            AND d.position > $2
            AND (d.deleted_at IS NULL OR $2 > 0)
        ORDER BY d.position
        LIMIT $3
        """
    ) { row in try decision(row) }

    /// Returns the decisions whose last change is still the one in the journal.
    static let current = EntitiesStore.current(
        "entities.decisions", as: "d", columns: columns(),
        joins: "LEFT JOIN conversations.conversation_ids AS c ON c.conversation = d.conversation"
    ) { row, column in try decision(row, from: column) }
}
