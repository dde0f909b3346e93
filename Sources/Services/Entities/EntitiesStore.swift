import Postgres
import Schema
import ServiceKit

/// The SQL that all entities share.
enum EntitiesStore {
    /// $1 accounts. Locks the heads of their streams until the end of the transaction, in order of account, and returns
    /// their positions.
    static let lockHeads = Statement(
        """
        INSERT INTO entities.heads AS h (account, position)
        SELECT account, 0
        FROM unnest($1::bigint[]) AS a (account)
        ORDER BY account
        ON CONFLICT (account) DO UPDATE
        SET position = h.position
        RETURNING account, position
        """
    ) { row in (account: try row.account(0), position: try row.position(1)) }

    static let streamHead = Statement(
        """
        SELECT entities.epoch(), COALESCE((SELECT position FROM entities.heads WHERE account = $1), 0)
        """
    ) { row in (epoch: try row.text(0), position: try row.position(1)) }

    /// The number of a conversation. Returns no row if the account is not a member or does not see it.
    /// $1 conversation id, $2 account.
    static let memberConversation = Statement(
        """
        SELECT c.conversation
        FROM conversations.conversation_ids AS c
        CROSS JOIN LATERAL \(oneRow(
            "is_reader", from: "conversations.access",
            where: "conversation = c.conversation", by: "account", is: "$2"
        )) AS a
        WHERE c.conversation_id = $1
            AND a.is_reader
        """
    ) { row in try row.conversation(0) }
}
