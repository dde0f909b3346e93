import Postgres
import Schema
import ServiceKit

/// A present or former member of a conversation, or a person invited into a group, as ``MemberRules`` need them.
struct RosterEntry: Sendable {
    var account: AccountNumber
    var user: String
    var role: MemberRole
    /// The `members_version` with which they last joined.
    var joinedVersion: Int64
    /// Whether they are no member (any more).
    var isFormer: Bool
    /// False for a person who has only ever been invited.
    var wasMember = true
    /// Whose invitation is open, as the admins see it; nil: nobody's.
    var invitedBy: AccountNumber?
}

/// The SQL that adds and removes members.
enum MembersStore {
    /// $1 conversation id. Locks the row until the transaction ends, which serializes changes of members.
    static let lockConversation = Statement(
        """
        SELECT conversation, kind
        FROM conversations.conversations
        WHERE conversation_id = $1
        FOR UPDATE
        """
    ) { row in (number: try row.conversation(0), kind: ConversationKind(rawValue: Int32(try row.int16(1)))) }

    /// $1 my account, $2 conversation id. As above, if I am or was a member and the conversation is shown to me.
    /// Otherwise locks nothing.
    static let lockMine = Statement(
        """
        SELECT c.conversation, c.kind
        FROM conversations.conversations AS c
        CROSS JOIN LATERAL \(oneRow(
            "section", from: "conversations.members", where: "conversation = c.conversation", by: "account", is: "$1"
        )) AS m
        WHERE c.conversation_id = $2
            AND m.section BETWEEN 1 AND 4
        FOR UPDATE OF c
        """
    ) { row in (number: try row.conversation(0), kind: ConversationKind(rawValue: Int32(try row.int16(1)))) }

    /// $1 conversation, $2 user ids. Returns the members, the invited people, and the former members among the users.
    static let roster = Statement(
        """
        SELECT m.account, a.user_id, m.role, m.joined_version, m.left_at, m.joined_version > 0, m.invited_by
        FROM conversations.members AS m
        JOIN conversations.accounts AS a ON a.account = m.account
        WHERE m.conversation = $1
            AND (m.left_at IS NULL OR m.invited_by IS NOT NULL OR a.user_id = ANY ($2))
        ORDER BY m.account
        """
    ) { row in
        RosterEntry(
            account: try row.account(0), user: try row.text(1), role: MemberRole(rawValue: Int32(try row.int16(2))),
            joinedVersion: try row.int64(3), isFormer: !row.isNull(4), wasMember: try row.bool(5),
            invitedBy: try row.optionalAccount(6))
    }

    /// $1 conversation, $2 change of the number of members, $3 accounts that joined or left.
    static let advanceMembersVersion = Statement(
        """
        UPDATE conversations.conversations
        SET members_version = members_version + 1,
            member_count = member_count + $2,
            members_key = members_key # (
                SELECT COALESCE(bit_xor(hashint8extended(account, 0)), 0)
                FROM unnest($3::bigint[]) AS account
            )
        WHERE conversation = $1
        RETURNING members_version
        """
    ) { row in try row.int64(0) }

    /// $1 conversation, $2 accounts, $3 positions, $4 now, $5 members version. Former members become members again,
    /// and invited people become members. Forgets what they declined before.
    static let joinMembers = Statement(
        """
        WITH forgotten AS (
            DELETE FROM conversations.declined_invitations
            WHERE account = ANY ($2)
                AND conversation = $1
        )
        INSERT INTO conversations.members (conversation, account, role, joined_at, joined_version, position)
        SELECT $1, j.account, \(MemberRole.member.rawValue), $4, $5, j.position
        FROM unnest($2::bigint[], $3::bigint[]) AS j (account, position)
        ON CONFLICT (conversation, account) DO UPDATE
        SET role = excluded.role,
            write_refusal = \(WriteRefusal.none.rawValue),
            write_until_seq = NULL,
            may_read = true,
            section = \(Section.inbox.rawValue),
            left_name = NULL,
            left_photo_url = NULL,
            invited_by = NULL,
            invited_count = NULL,
            request_at = NULL,
            request_read_at = NULL,
            joined_at = excluded.joined_at,
            joined_version = excluded.joined_version,
            left_at = NULL,
            left_version = NULL,
            position = excluded.position,
            returned_position = excluded.position
        """)

    /// $1 conversation, $2 account, $3 now, $4 members version.
    static let endMembership = Statement(
        """
        UPDATE conversations.members AS m
        SET role = \(MemberRole.member.rawValue),
            write_refusal = \(WriteRefusal.notMember.rawValue),
            may_read = false,
            section = \(Section.left.rawValue),
            left_name = c.name,
            left_photo_url = c.photo_url,
            left_at = $3,
            left_version = $4
        FROM conversations.conversations AS c
        WHERE m.conversation = $1
            AND m.account BETWEEN $2 AND $2
            AND c.conversation = $1
        """)

    /// $1 conversation, $2 account.
    static let makeOwner = Statement(
        """
        UPDATE conversations.members
        SET role = \(MemberRole.owner.rawValue)
        WHERE conversation = $1
            AND account BETWEEN $2 AND $2
        """)

    /// $1 conversation, $2 accounts, $3 the conversation's position in each account's stream.
    static let movePositions = Statement(
        """
        UPDATE conversations.members AS m
        SET position = p.position
        FROM unnest($2::bigint[], $3::bigint[]) AS p (account, position)
        WHERE m.conversation = $1
            AND m.account BETWEEN p.account AND p.account
        """)
}
