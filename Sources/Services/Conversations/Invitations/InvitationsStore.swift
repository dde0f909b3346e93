import Postgres
import Schema
import ServiceKit

/// The SQL of invitations into groups.
///
/// The lock of a group's row protects the number of its members and invitations. The lock of a person's head protects
/// what that person sees of their invitations, so that a block ends them without the groups' locks.
enum InvitationsStore {
    // MARK: Adding

    /// $1 my account, $2 conversation, $3 accounts, whose heads are locked. Returns what decides whether each can be
    /// added.
    static let people = Statement(
        """
        SELECT a.account, m.left_at IS NULL AND m.joined_at IS NOT NULL, COALESCE(m.joined_version > 0, false),
            CASE WHEN m.invited_by IS NOT NULL THEN m.request_at END, declined.at IS NOT NULL, declined.mine_at,
            EXISTS (
                SELECT
                FROM conversations.blocks
                WHERE account = a.account
                    AND blocked BETWEEN $1 AND $1
            ), EXISTS (
                SELECT
                FROM conversations.blocks
                WHERE account = $1
                    AND blocked BETWEEN a.account AND a.account
            ), direct.is_accepted IS TRUE OR EXISTS (
                SELECT
                FROM conversations.members AS theirs
                CROSS JOIN LATERAL \(oneRow(
                    "left_at, conversation", from: "conversations.members",
                    where: "conversation = theirs.conversation", by: "account", is: "$1"
                )) AS mine
                CROSS JOIN LATERAL (
                    SELECT kind
                    FROM conversations.conversations
                    WHERE conversation = mine.conversation
                    OFFSET 0
                ) AS c
                WHERE theirs.account = a.account
                    AND theirs.left_at IS NULL
                    AND mine.left_at IS NULL
                    AND c.kind = \(ConversationKind.group.rawValue)
            ), COALESCE(m.invited_by = $1, false),
            COALESCE(m.left_at IS NOT NULL AND m.section = \(Section.requests.rawValue), false)
        FROM conversations.accounts AS a
        CROSS JOIN (
            SELECT user_id
            FROM conversations.accounts
            WHERE account = $1
        ) AS me
        LEFT JOIN LATERAL \(oneRow(
            "account, left_at, joined_at, joined_version, invited_by, request_at, section",
            from: "conversations.members", where: "conversation = $2", by: "account", is: "a.account"
        )) AS m ON true
        CROSS JOIN LATERAL (
            SELECT max(at) AS at, max(at) FILTER (WHERE inviter = $1) AS mine_at
            FROM conversations.declined_invitations
            WHERE account = a.account
                AND conversation = $2
        ) AS declined
        LEFT JOIN LATERAL (
            SELECT status = \(ConversationStatus.accepted.rawValue) AS is_accepted
            FROM conversations.conversations
            WHERE conversation_id = LEAST(me.user_id, a.user_id) || '_' || GREATEST(me.user_id, a.user_id)
        ) AS direct ON true
        WHERE a.account = ANY ($3)
        ORDER BY a.account
        """
    ) { row in
        (
            account: try row.account(0),
            person: InvitationRules.Person(
                isMember: try row.bool(1), wasMember: try row.bool(2), invitedAt: try row.optionalTime(3),
                isInvitedByAdder: try row.bool(9), isShown: try row.bool(10), hasDeclined: try row.bool(4),
                declinedAdderAt: try row.optionalTime(5), knowsAdder: try row.bool(8),
                blocksAdder: try row.bool(6), isBlockedByAdder: try row.bool(7))
        )
    }

    /// $1 conversation, $2 accounts, $3 the position of each whom it is shown to, else null, $4 inviter, $5 now.
    static let invite = Statement(
        """
        INSERT INTO conversations.members AS m (
            conversation, account, role, write_refusal, may_read, joined_at, left_at, position, joined_version,
            left_version, section, request_at, left_name, left_photo_url, invited_by, invited_count)
        SELECT c.conversation, i.account, 1, 3, false, $5, $5, COALESCE(i.position, 0), 0,
            1, CASE WHEN i.position IS NULL THEN 0 ELSE 2 END, $5, c.name, c.photo_url, $4, c.member_count
        FROM unnest($2::bigint[], $3::bigint[]) AS i (account, position)
        JOIN conversations.conversations AS c ON c.conversation = $1
        ON CONFLICT (conversation, account) DO UPDATE
        SET section = CASE WHEN excluded.section = \(Section.requests.rawValue) THEN excluded.section
                ELSE m.section END,
            left_name = CASE WHEN excluded.section = \(Section.requests.rawValue) THEN excluded.left_name
                ELSE m.left_name END,
            left_photo_url = CASE WHEN excluded.section = \(Section.requests.rawValue) THEN excluded.left_photo_url
                ELSE m.left_photo_url END,
            position = GREATEST(excluded.position, m.position),
            request_at = excluded.request_at,
            request_read_at = NULL,
            invited_by = excluded.invited_by,
            invited_count = excluded.invited_count
        """)

    /// $1 conversation, $2 user ids. Returns those who are invited.
    static let invited = Statement(
        """
        SELECT a.user_id
        FROM conversations.accounts AS a
        CROSS JOIN LATERAL \(oneRow(
            "invited_by, account", from: "conversations.members", where: "conversation = $1", by: "account",
            is: "a.account"
        )) AS m
        WHERE a.user_id = ANY ($2)
            AND m.invited_by IS NOT NULL
        ORDER BY a.user_id
        """
    ) { row in try row.text(0) }

    /// $1 conversation, $2 time and $3 account to continue after, $4 limit.
    static let invitationsBehind = Statement(
        """
        SELECT m.account, inviter.user_id, m.request_at, \(ViewsStore.userColumns)
        FROM conversations.members AS m
        JOIN conversations.accounts AS a ON a.account = m.account
        JOIN conversations.accounts AS inviter ON inviter.account = m.invited_by
        WHERE m.conversation = $1
            AND m.invited_by IS NOT NULL
            AND (m.request_at, m.account) > ($2, $3)
        ORDER BY m.request_at, m.account
        LIMIT $4
        """
    ) { row in
        (
            account: try row.account(0),
            invitation: Invitation(
                user: try ViewsStore.user(row, from: 3), inviter: try row.text(1), invitedAtUs: try row.int64(2))
        )
    }

    /// $1 my account, $2 conversation id. Returns the conversation and my role in it if I am a member and see it.
    static let ownRole = Statement(
        """
        SELECT c.conversation, m.role, c.kind
        FROM conversations.conversations AS c
        CROSS JOIN LATERAL \(oneRow(
            "left_at, role, section", from: "conversations.members", where: "conversation = c.conversation",
            by: "account", is: "$1"
        )) AS m
        WHERE c.conversation_id = $2
            AND m.left_at IS NULL
            AND m.section BETWEEN 1 AND 3
        """
    ) { row in
        (
            number: try row.conversation(0), role: MemberRole(rawValue: Int32(try row.int16(1))),
            kind: ConversationKind(rawValue: Int32(try row.int16(2)))
        )
    }

    // MARK: Deciding

    /// $1 my account, $2 conversation id. Returns the group if it is or was shown to me. Locked until the transaction
    /// ends.
    static let lockMine = Statement(
        """
        SELECT c.conversation
        FROM conversations.conversations AS c
        CROSS JOIN LATERAL \(oneRow(
            "section", from: "conversations.members", where: "conversation = c.conversation", by: "account", is: "$1"
        )) AS m
        WHERE c.conversation_id = $2
            AND c.kind = \(ConversationKind.group.rawValue)
            AND m.section > \(Section.hidden.rawValue)
        FOR UPDATE OF c
        """
    ) { row in try row.conversation(0) }

    /// $1 conversation, $2 my account, whose head is locked.
    static let invitee = Statement(
        """
        SELECT m.left_at IS NULL, m.left_at IS NOT NULL AND m.section = \(Section.requests.rawValue), EXISTS (
                SELECT
                FROM conversations.declined_invitations
                WHERE account = $2
                    AND conversation = $1
            )
        FROM conversations.members AS m
        WHERE m.conversation = $1
            AND m.account BETWEEN $2 AND $2
        """
    ) { row in
        InvitationRules.Invitee(isMember: try row.bool(0), isShown: try row.bool(1), hasDeclined: try row.bool(2))
    }

    /// $1 conversation, $2 account, $3 now. Records that the person declined the open invitation.
    static let addDecline = Statement(
        """
        INSERT INTO conversations.declined_invitations (account, conversation, inviter, at)
        SELECT account, conversation, invited_by, $3
        FROM conversations.members
        WHERE conversation = $1
            AND account BETWEEN $2 AND $2
            AND invited_by IS NOT NULL
        ON CONFLICT (account, conversation, inviter) DO UPDATE
        SET at = excluded.at
        """)

    // MARK: Ending

    /// $1 conversation, $2 accounts, whose heads are locked. Returns their open invitations.
    static let ofGroup = Statement(
        """
        SELECT c.conversation, c.conversation_id, m.account, m.section = \(Section.requests.rawValue), false
        FROM conversations.members AS m
        JOIN conversations.conversations AS c ON c.conversation = m.conversation
        WHERE m.conversation = $1
            AND m.account = ANY ($2)
            AND m.invited_by IS NOT NULL
        ORDER BY m.account
        """
    ) { row in try ending(row) }

    /// $1 and $2 accounts, whose heads are locked. Returns the open invitations of each by the other. Those of the
    /// first by the second stay open for the admins, as if the first had declined.
    static let between = Statement(
        """
        SELECT c.conversation, c.conversation_id, m.account, m.section = \(Section.requests.rawValue), m.account = $1
        FROM conversations.members AS m
        JOIN conversations.conversations AS c ON c.conversation = m.conversation
        WHERE m.account IN ($1, $2)
            AND m.invited_by IS NOT NULL
            AND m.invited_by = CASE m.account WHEN $1 THEN $2 ELSE $1 END
        ORDER BY m.conversation, m.account
        """
    ) { row in try ending(row) }

    /// $1 accounts, whose heads are locked, $2 how many invitations each is shown at a time. Returns those that give
    /// way to others (``places(_:)``). They stay open for the admins, as if nobody had decided.
    static let crowdedOut = Statement(
        """
        SELECT c.conversation, c.conversation_id, m.list, true, true
        FROM (
            \(places(
                """
                SELECT account AS list, invited_by AS source, request_at AS at, conversation AS id
                FROM conversations.members
                WHERE account = ANY ($1)
                    AND section = \(Section.requests.rawValue)
                    AND invited_by IS NOT NULL
                """))
        ) AS m
        JOIN conversations.conversations AS c ON c.conversation = m.id
        WHERE m.place > $2
        ORDER BY m.list, m.place
        """
    ) { row in try ending(row) }

    private static func ending(_ row: borrowing RowReader) throws -> EndingInvitation {
        EndingInvitation(
            conversation: try row.conversation(0), id: try row.text(1), account: try row.account(2),
            isShown: try row.bool(3), staysOpen: try row.bool(4))
    }

    /// $1 conversations, $2 accounts, then of each whether it stays open for the admins, and its position if the person
    /// sees that it ends, else null.
    static let end = Statement(
        """
        UPDATE conversations.members AS m
        SET section = CASE WHEN p.position IS NULL THEN m.section
                WHEN m.joined_version > 0 THEN \(Section.left.rawValue)
                ELSE \(Section.gone.rawValue) END,
            invited_by = CASE WHEN p.stays_open THEN m.invited_by END,
            position = COALESCE(p.position, m.position)
        FROM unnest($1::bigint[], $2::bigint[], $3::boolean[], $4::bigint[])
            AS p (conversation, account, stays_open, position)
        WHERE m.conversation = p.conversation
            AND m.account BETWEEN p.account AND p.account
        """)

    // MARK: Reading

    /// $1 my account, $2 conversation ids. Returns my unread invitations among them.
    static let unread = Statement(
        """
        SELECT c.conversation, c.conversation_id
        FROM conversations.conversations AS c
        CROSS JOIN LATERAL \(oneRow(
            "section, request_read_at", from: "conversations.members", where: "conversation = c.conversation",
            by: "account", is: "$1"
        )) AS m
        WHERE c.conversation_id = ANY ($2)
            AND c.kind = \(ConversationKind.group.rawValue)
            AND m.section = \(Section.requests.rawValue)
            AND m.request_read_at IS NULL
        ORDER BY c.conversation
        """
    ) { row in (number: try row.conversation(0), id: try row.text(1)) }

    /// $1 my account, $2 now, $3 conversations, $4 the position of each.
    static let markRead = Statement(
        """
        UPDATE conversations.members AS m
        SET request_read_at = $2,
            position = p.position
        FROM unnest($3::bigint[], $4::bigint[]) AS p (conversation, position)
        WHERE m.conversation = p.conversation
            AND m.account BETWEEN $1 AND $1
        """)

    // MARK: Blocks

    /// $1 my account, $2 another account, $3 limit. Returns the groups of mine that the other owns, newest first.
    static let groupsOwnedBy = Statement(
        """
        SELECT c.conversation_id
        FROM conversations.members AS theirs
        CROSS JOIN LATERAL \(oneRow(
            "conversation, left_at", from: "conversations.members",
            where: "conversation = theirs.conversation", by: "account", is: "$1"
        )) AS mine
        JOIN conversations.conversations AS c ON c.conversation = mine.conversation
        WHERE theirs.account = $2
            AND theirs.role = \(MemberRole.owner.rawValue)
            AND theirs.left_at IS NULL
            AND mine.left_at IS NULL
        ORDER BY c.created_at DESC, c.conversation DESC
        LIMIT $3
        """
    ) { row in try row.text(0) }
}

/// An open invitation that ends without the person joining.
struct EndingInvitation: Hashable, Sendable {
    var conversation: ConversationNumber
    var id: String
    /// Who is invited.
    var account: AccountNumber
    /// Whether they see it.
    var isShown: Bool
    /// Whether the admins still see it, so that they do not learn why it ended.
    var staysOpen: Bool
}
