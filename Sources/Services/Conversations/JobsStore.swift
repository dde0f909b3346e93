import Postgres
import Schema
import ServiceKit

/// The SQL of jobs and of erasing accounts.
enum JobsStore {
    // MARK: Jobs

    private static let now = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"

    /// The earliest start of a run after the one of `job`: a second later, so that a person who makes one change after
    /// another costs the others little.
    private static func nextRun(after job: String) -> String { "GREATEST(\(now), \(job).begun_at + 1000000)" }

    /// $1 account, $2 kind. A job whose pass is under way continues, and runs again afterwards. Conversations that it
    /// has yet to process already get the change. One that waits for its second pass runs again instead. Returns how
    /// long to wait for it, in microseconds.
    static let begin = Statement(
        """
        INSERT INTO conversations.jobs (account, kind, due_at, begun_at)
        SELECT $1, $2, n.now, n.now
        FROM (SELECT \(now) AS now) AS n
        ON CONFLICT (account, kind) DO UPDATE
        SET again = true,
            due_at = CASE
                WHEN jobs.conversations IS NULL THEN LEAST(jobs.due_at, \(nextRun(after: "jobs")))
                ELSE jobs.due_at
            END
        RETURNING due_at - \(now)
        """
    ) { row in try row.int64(0) }

    /// $1 account, $2 kind. Returns no row if no second run was requested.
    static let beginAgain = Statement(
        """
        UPDATE conversations.jobs
        SET again = false,
            due_at = \(nextRun(after: "jobs")),
            begun_at = \(nextRun(after: "jobs")),
            pass = 1,
            conversations = NULL,
            done = 0
        WHERE account = $1
            AND kind = $2
            AND again
        RETURNING pass
        """
    ) { row in try row.int16(0) }

    /// Takes the job that has been due longest and that no other replica works on. Locked until the transaction ends.
    static let take = Statement(
        """
        SELECT account, kind, pass, begun_at, conversations IS NULL
        FROM conversations.jobs
        WHERE due_at <= \(now)
        ORDER BY due_at, account, kind
        LIMIT 1
        FOR UPDATE SKIP LOCKED
        """
    ) { row in
        Job(
            account: try row.account(0), kindNumber: try row.int16(1), pass: Int(try row.int16(2)),
            begunAt: try row.time(3), isNew: try row.bool(4))
    }

    /// $1 account, $2 kind. Looks up the conversations of this pass, direct ones first. The first pass gets all changes
    /// so far. The second one covers those joined since shortly before the job began and, in an erasure, all groups.
    static let lookUp = Statement(
        """
        UPDATE conversations.jobs AS j
        SET done = 0,
            again = j.again AND j.pass = 2,
            conversations = ARRAY(
                SELECT m.conversation
                FROM conversations.members AS m
                JOIN conversations.conversations AS c ON c.conversation = m.conversation
                WHERE m.account = j.account
                    AND m.position BETWEEN 0 AND 9223372036854775807
                    AND (j.kind <> \(JobKind.handOver.rawValue) OR m.role = \(MemberRole.owner.rawValue))
                    AND (m.left_at IS NULL OR j.kind = \(JobKind.erase.rawValue) AND m.invited_by IS NOT NULL)
                    AND (j.pass = 1
                        OR j.kind = \(JobKind.erase.rawValue) AND c.kind = \(ConversationKind.group.rawValue)
                        OR m.joined_at > j.begun_at - 60000000)
                ORDER BY c.kind, m.conversation
            )
        WHERE j.account = $1
            AND j.kind = $2
        """)

    /// $1 account, $2 kind, $3 limit. Returns the next conversations, in order.
    static let next = Statement(
        """
        SELECT c.conversation, c.conversation_id, c.kind, c.member_count
        FROM conversations.jobs AS j
        CROSS JOIN LATERAL unnest(j.conversations[j.done + 1:j.done + $3]) WITH ORDINALITY AS n (conversation, ordinal)
        JOIN conversations.conversations AS c ON c.conversation = n.conversation
        WHERE j.account = $1
            AND j.kind = $2
        ORDER BY n.ordinal
        """
    ) { row in
        JobConversation(
            number: try row.conversation(0), id: try row.text(1),
            kind: ConversationKind(rawValue: Int32(try row.int16(2))),
            members: Int(try row.int32(3)))
    }

    /// $1 account, $2 kind, $3 how many were done. Queues the job behind the others.
    static let advance = Statement(
        """
        UPDATE conversations.jobs
        SET done = done + $3,
            due_at = \(now)
        WHERE account = $1
            AND kind = $2
        """)

    /// $1 account, $2 kind, $3 delay in microseconds.
    static let beginSecondPass = Statement(
        """
        UPDATE conversations.jobs
        SET pass = 2,
            conversations = NULL,
            done = 0,
            due_at = \(now) + $3
        WHERE account = $1
            AND kind = $2
        """)

    static let end = Statement(
        """
        DELETE FROM conversations.jobs
        WHERE account = $1
            AND kind = $2
        """)

    /// $1 account, $2 kind, $3 delay in microseconds. Lets other jobs go first after a failure.
    static let postpone = Statement(
        """
        UPDATE conversations.jobs
        SET due_at = \(now) + $3
        WHERE account = $1
            AND kind = $2
        """)

    // MARK: Publishing a person

    /// $1 conversations. Locked until the transaction ends, in order.
    static let lockConversations = Statement(
        """
        SELECT conversation
        FROM conversations.conversations
        WHERE conversation = ANY ($1)
        ORDER BY conversation
        FOR UPDATE
        """
    ) { row in try row.conversation(0) }

    /// $1 conversations.
    static let conversationIDs = Statement(
        """
        SELECT conversation, conversation_id
        FROM conversations.conversations
        WHERE conversation = ANY ($1)
        ORDER BY conversation
        """
    ) { row in (try row.conversation(0), try row.text(1)) }

    /// $1 conversations. Locks the heads of all their members until the transaction ends, in order.
    static let lockHeads = Statement(
        """
        SELECT h.account
        FROM (
            SELECT DISTINCT m.account
            FROM unnest($1::bigint[]) AS named (conversation)
            JOIN conversations.members AS m ON m.conversation = named.conversation
        ) AS of
        JOIN conversations.heads AS h ON h.account = of.account
        ORDER BY h.account
        FOR UPDATE OF h
        """
    ) { row in try row.account(0) }

    /// $1 conversations, $2 the person to publish. Returns the members who are shown that person there. Large groups
    /// show only their first members, as in ``ViewsStore/members``.
    static let audience = Statement(
        """
        SELECT m.conversation, m.account
        FROM unnest($1::bigint[]) AS named (conversation)
        JOIN conversations.conversations AS c ON c.conversation = named.conversation
        JOIN conversations.members AS m ON m.conversation = c.conversation
        WHERE m.left_at IS NULL
            AND m.section BETWEEN 1 AND 3
            AND (
                c.member_count <= 64
                OR $2 IN (
                    SELECT f.account
                    FROM conversations.members AS f
                    WHERE f.conversation = c.conversation
                        AND f.left_at IS NULL
                    ORDER BY f.role DESC, f.joined_version, f.account
                    LIMIT 16
                )
            )
        ORDER BY m.conversation, m.account
        """
    ) { row in (conversation: try row.conversation(0), account: try row.account(1)) }

    /// $1 conversations, $2 accounts, $3 positions.
    static let movePositions = Statement(
        """
        UPDATE conversations.members AS m
        SET position = p.position
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS p (conversation, account, position)
        WHERE m.conversation = p.conversation
            AND m.account BETWEEN p.account AND p.account
        """)

    // MARK: Erasing

    /// $1 account. Returns no row if it is erased.
    static let readCredentials = Statement(
        """
        SELECT username, password_hash
        FROM conversations.accounts
        WHERE account = $1
            AND erased_at IS NULL
        """
    ) { row in (username: try row.optionalText(0) ?? "", passwordHash: try row.optionalText(1)) }

    /// As above, locked until the transaction ends.
    static let credentials = Statement(
        """
        SELECT username, password_hash
        FROM conversations.accounts
        WHERE account = $1
            AND erased_at IS NULL
        FOR UPDATE
        """
    ) { row in (username: try row.optionalText(0) ?? "", passwordHash: try row.optionalText(1)) }

    /// $1 account, $2 now. See the SQL function's comment.
    static let eraseAccount = Statement("SELECT conversations.erase_account($1, $2)")

    /// Deletes the person's own blocks. Blocks by other people belong to them and stay.
    static let deleteBlocks = Statement("DELETE FROM conversations.blocks WHERE account = $1")
    /// Deletes what the person declined, and that others declined the person's invitations.
    static let deleteDeclines = Statement(
        "DELETE FROM conversations.declined_invitations WHERE account = $1 OR inviter = $1")
    /// $1 pattern of the keys, which begins with letters.
    static let deleteAttempts = Statement("DELETE FROM conversations.sign_in_attempts WHERE key LIKE $1")

    /// $1 accounts. Returns those of them that are suspended without end.
    static let suspendedWithoutEnd = Statement(
        """
        SELECT account
        FROM conversations.accounts
        WHERE account = ANY($1)
            AND suspended_at IS NOT NULL
            AND suspended_until IS NULL
        """
    ) { row in try row.account(0) }

    static let userID = Statement(
        """
        SELECT user_id
        FROM conversations.accounts
        WHERE account = $1
        """
    ) { row in try row.text(0) }
}

/// Work that continues after the reply to a request, as it is stored.
struct Job: Sendable {
    var account: AccountNumber
    var kindNumber: Int16
    var pass: Int
    var begunAt: Timestamp
    /// Whether its conversations are still to be looked up.
    var isNew: Bool

    /// nil for a kind that only a newer version of Parley knows.
    var kind: JobKind? { JobKind(rawValue: kindNumber) }
}

/// A conversation that a job processes.
struct JobConversation: Sendable {
    var number: ConversationNumber
    var id: String
    var kind: ConversationKind
    var members: Int
}
