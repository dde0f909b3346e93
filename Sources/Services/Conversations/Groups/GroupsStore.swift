import Postgres
import Schema
import ServiceKit

/// The SQL that creates, changes, lists and finds groups.
enum GroupsStore {
    /// $1 user ids. Returns existing accounts. They cannot be erased before the transaction ends, so that an erasure
    /// finds all groups of a person.
    static let people = Statement(
        """
        SELECT account
        FROM conversations.accounts
        WHERE user_id = ANY ($1)
            AND erased_at IS NULL
        ORDER BY account
        FOR KEY SHARE
        """
    ) { row in try row.account(0) }

    /// $1 conversation id, $2 name, $3 photo, $4 creator, $5 now. Returns no row if the id exists. Waits for a
    /// concurrent insert of the same id.
    static let addGroup = Statement(
        """
        INSERT INTO conversations.conversations (conversation_id, kind, name, photo_url, created_by, created_at)
        VALUES ($1, 2, $2, $3, $4, $5)
        ON CONFLICT (conversation_id) DO NOTHING
        RETURNING conversation
        """
    ) { row in try row.conversation(0) }

    /// $1 conversation, whose row is locked, $2 name, $3 photo; null keeps the old one. Returns no row if nothing
    /// changes.
    static let update = Statement(
        """
        UPDATE conversations.conversations AS c
        SET name = n.name,
            photo_url = n.photo_url
        FROM (
            SELECT conversation, name AS old_name, photo_url AS old_photo_url,
                COALESCE($2::text, name) AS name, COALESCE($3::text, photo_url) AS photo_url
            FROM conversations.conversations
            WHERE conversation = $1
        ) AS n
        WHERE c.conversation = n.conversation
            AND (n.name <> n.old_name OR n.photo_url <> n.old_photo_url)
        RETURNING n.name <> n.old_name, n.photo_url <> n.old_photo_url
        """
    ) { row in (isRenamed: try row.bool(0), isPhotoChanged: try row.bool(1)) }

    /// $1 conversation, $2 account, $3 role.
    static let setRole = Statement(
        """
        UPDATE conversations.members
        SET role = $3
        WHERE conversation = $1
            AND account BETWEEN $2 AND $2
        """)

    /// $1 my account, $2 conversation id. Returns the conversation if I am a member and it is shown to me.
    static let ownConversation = Statement(
        """
        SELECT c.conversation
        FROM conversations.conversations AS c
        CROSS JOIN LATERAL \(oneRow(
            "left_at, section", from: "conversations.members",
            where: "conversation = c.conversation", by: "account", is: "$1"
        )) AS m
        WHERE c.conversation_id = $2
            AND m.left_at IS NULL
            AND m.section BETWEEN 1 AND 3
        """
    ) { row in try row.conversation(0) }

    /// $1 conversation, $2 role, $3 version of joining and $4 account to continue after, $5 limit. Returns the members
    /// in order.
    static let membersBehind = Statement(
        """
        SELECT m.account, m.joined_version, m.role, m.joined_at, \(ViewsStore.userColumns)
        FROM (
            SELECT account, role, joined_at, joined_version
            FROM conversations.members
            WHERE conversation = $1
                AND left_at IS NULL
                AND (-role, joined_version, account) > (-$2::smallint, $3::bigint, $4::bigint)
            ORDER BY -role, joined_version, account
            LIMIT $5
        ) AS m
        JOIN conversations.accounts AS a ON a.account = m.account
        ORDER BY -m.role, m.joined_version, m.account
        """
    ) { row in
        let role = try row.int16(2)
        return (
            cursor: MemberCursor(role: role, joinedVersion: try row.int64(1), account: try row.account(0)),
            member: Member(
                user: try ViewsStore.user(row, from: 4), role: MemberRole(rawValue: Int32(role)),
                joinedAtUs: try row.int64(3))
        )
    }

    /// $1 user ids. Returns their accounts, erased ones too.
    static let accounts = Statement(
        """
        SELECT account
        FROM conversations.accounts
        WHERE user_id = ANY ($1)
        """
    ) { row in try row.account(0) }

    /// $1 my account, $2 accounts including mine. Returns the newest group with exactly these members. The key finds
    /// candidates; the count and a lookup of each member confirm them.
    static let groupOfExactly = Statement(
        """
        SELECT \(ViewsStore.columns)
        FROM conversations.conversations AS c
        CROSS JOIN LATERAL \(oneRow(
            "*", from: "conversations.members", where: "conversation = c.conversation", by: "account", is: "$1"
        )) AS m
        \(ViewsStore.joins)
        WHERE c.kind = \(ConversationKind.group.rawValue)
            AND c.members_key = (
                SELECT bit_xor(hashint8extended(account, 0))
                FROM unnest($2::bigint[]) AS account
            )
            AND c.member_count = cardinality($2)
            AND m.left_at IS NULL
            AND m.section = \(Section.inbox.rawValue)
            AND (
                SELECT count(*)
                FROM unnest($2::bigint[]) AS named (account)
                CROSS JOIN LATERAL \(oneRow(
                    "left_at", from: "conversations.members",
                    where: "conversation = c.conversation", by: "account", is: "named.account"
                )) AS other
                WHERE other.left_at IS NULL
            ) = cardinality($2)
        ORDER BY c.created_at DESC, c.conversation DESC
        LIMIT 1
        """
    ) { row in try ViewsStore.conversation(row, from: 0) }
}
