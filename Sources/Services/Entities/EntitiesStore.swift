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

    /// Returns the states in a table with a row for each, whose last change is still the one in the journal. Their
    /// owner is `u`.
    /// - Parameters:
    ///   - name: what `columns` and `joins` call the row.
    ///   - read: reads a state whose columns begin at a number.
    static func current<State: StreamState>(
        _ table: String, as name: String, columns: String, joins: String,
        read: @escaping @Sendable (borrowing RowReader, Int) throws -> State
    ) -> Statement<CurrentState<State>> {
        Statement(
            """
            SELECT e.ordinal, u.user_id, \(name).id IS NOT NULL, \(columns)
            FROM \(replayedEntries)
            JOIN conversations.account_ids AS u ON u.account = e.subject
            LEFT JOIN LATERAL \(oneRow(
                "*", from: table, where: "account = e.subject", by: "position", is: "e.position"
            )) AS \(name) ON true
            \(joins)
            """
        ) { row in
            CurrentState(
                ordinal: Int(try row.int64(0)), owner: try row.text(1), state: try row.bool(2) ? try read(row, 3) : nil)
        }
    }
}
