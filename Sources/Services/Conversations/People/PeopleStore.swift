import Postgres
import Schema
import ServiceKit

/// The SQL of profiles, searches for people, and reports.
enum PeopleStore {
    // MARK: Profiles

    /// $1 account. Locked until the transaction ends. Returns no row if it is erased.
    static let lockProfile = Statement(
        """
        SELECT \(ViewsStore.userColumns), a.email, a.findable_by_email, a.email_confirmed_at IS NOT NULL,
            a.guest_since IS NOT NULL
        FROM conversations.accounts AS a
        WHERE a.account = $1
            AND a.erased_at IS NULL
        FOR UPDATE
        """
    ) { row in
        Profile(
            user: try ViewsStore.user(row, from: 0), email: try row.optionalText(6) ?? "",
            findableByEmail: try row.bool(7), emailConfirmed: try row.bool(8), guest: try row.bool(9))
    }

    /// $1 account, $2 username, $3 display name, $4 photo, $5 email, $6 findable by email, $7 whether the address stays
    /// confirmed. Fails with `uniqueViolation` if the username is taken or retired.
    static let updateProfile = Statement(
        """
        UPDATE conversations.accounts
        SET username = $2,
            display_name = $3,
            photo_url = $4,
            email = NULLIF($5, ''),
            findable_by_email = $6,
            email_confirmed_at = CASE WHEN $7 THEN email_confirmed_at END
        WHERE account = $1
        """)

    /// $1 account. Advances its stream; the new position becomes its profile's.
    static let moveProfile = Statement(
        """
        INSERT INTO conversations.heads AS h (account, position, profile_position)
        VALUES ($1, 1, 1)
        ON CONFLICT (account) DO UPDATE
        SET position = h.position + 1,
            profile_position = h.position + 1
        RETURNING position
        """
    ) { row in try row.position(0) }

    /// $1 user ids. Returns the people who exist, erased ones too, in the order of the ids.
    static let users = Statement(
        """
        SELECT \(ViewsStore.userColumns)
        FROM unnest($1::text[]) WITH ORDINALITY AS asked (user_id, ordinal)
        JOIN conversations.accounts AS a ON a.user_id = asked.user_id COLLATE "C"
        ORDER BY asked.ordinal
        """
    ) { row in try ViewsStore.user(row, from: 0) }

    // MARK: Finding people

    static let folded = Statement("SELECT conversations.folded($1)") { row in try row.text(0) }

    /// Filters `a`, the people found. $1 my account, $2 my user id, $3 only other people, whom I do not block, $4 only
    /// people with whom I have no direct conversation. People who block me are found, since leaving them out would tell
    /// me.
    private static let filters =
        """
        NOT ($3 AND a.account = $1)
            AND NOT ($3 AND EXISTS (
                SELECT
                FROM conversations.blocks
                WHERE account = $1
                    AND blocked BETWEEN a.account AND a.account
            ))
            AND NOT ($4 AND EXISTS (
                SELECT
                FROM (
                    SELECT LEAST($2::text COLLATE "C", a.user_id) || '_' || GREATEST($2::text COLLATE "C", a.user_id)
                        AS id
                ) AS of_us
                CROSS JOIN LATERAL \(oneRow(
                    "conversation", from: "conversations.conversations", by: "conversation_id", is: "of_us.id"
                )) AS c
                CROSS JOIN LATERAL \(oneRow(
                    "section", from: "conversations.members",
                    where: "conversation = c.conversation", by: "account", is: "$1"
                )) AS m
                WHERE m.section BETWEEN 1 AND 3
            ))
        """

    /// $5 part of the name, $6 folded text, $7 letters and $8 account to continue after, $9 limit of rows returned, $10
    /// limit of suffixes read. The first page passes the text and zero as $7 and $8, because the range needs a single
    /// lower bound. The last suffix read is returned in any case. Whatever the plan was made for, this reads one range
    /// of one index in order, and looks up the account of each row.
    static let peopleByName = Statement(
        """
        SELECT n.letters, n.account, n.ordinal = $10, a.account IS NOT NULL, \(ViewsStore.userColumns)
        FROM (
            SELECT letters, account, longer_than,
                row_number() OVER (ORDER BY letters, account ROWS UNBOUNDED PRECEDING) AS ordinal
            FROM conversations.name_suffixes
            WHERE part = $5
                AND letters <= $6 || chr(1114111)
                AND (letters, account) > ($7, $8)
            ORDER BY letters, account
            LIMIT $10
        ) AS n
        LEFT JOIN LATERAL \(oneRow(
            "*", from: "conversations.accounts", where: "n.longer_than < length($6)", by: "account", is: "n.account"
        )) AS a ON \(filters)
        WHERE a.account IS NOT NULL OR n.ordinal = $10
        ORDER BY n.letters, n.account
        LIMIT $9
        """
    ) { row in try endOfName(row) }

    /// $5 whole address, $6 account to continue after, $7 limit of rows returned, $8 limit of accounts read, $9 only
    /// those who confirmed it. The last account read is returned in any case.
    static let peopleByEmail = Statement(
        """
        SELECT '', a.account, a.ordinal = $8, shown.is_found, \(ViewsStore.userColumns)
        FROM (
            SELECT account, user_id, username, display_name, photo_url, created_at, erased_at, email_confirmed_at,
                row_number() OVER (
                    ORDER BY conversations.lowered(email) COLLATE "C", account ROWS UNBOUNDED PRECEDING
                ) AS ordinal
            FROM conversations.accounts
            WHERE findable_by_email
                AND conversations.lowered(email) COLLATE "C"
                    = conversations.lowered($5) COLLATE "C"
                AND account > $6
            ORDER BY conversations.lowered(email) COLLATE "C", account
            LIMIT $8
        ) AS a
        CROSS JOIN LATERAL (
            SELECT (NOT $9 OR a.email_confirmed_at IS NOT NULL) AND (\(filters)) AS is_found OFFSET 0
        ) AS shown
        WHERE shown.is_found OR a.ordinal = $8
        ORDER BY a.ordinal
        LIMIT $7
        """
    ) { row in try endOfName(row) }

    private static func endOfName(_ row: borrowing RowReader) throws -> EndOfName {
        EndOfName(
            user: try row.bool(3) ? try ViewsStore.user(row, from: 4) : nil, account: try row.account(1),
            letters: try row.text(0), isLast: try row.bool(2))
    }

    // MARK: Reports

    /// $1 account, $2 id.
    static let report = Statement(
        """
        SELECT account
        FROM conversations.reports
        WHERE account = $1
            AND id = $2
        """
    ) { row in try row.account(0) }

    /// $1 user id. Returns no row if the account is erased.
    static let account = Statement(
        """
        SELECT account
        FROM conversations.accounts
        WHERE user_id = $1
            AND erased_at IS NULL
        """
    ) { row in try row.account(0) }

    /// $1 conversation id, $2 reporter, $3 reported account. Returns a row only if the conversation is shown to the
    /// reporter and the other is or was a member.
    static let sharedConversation = Statement(
        """
        SELECT c.conversation
        FROM conversations.conversations AS c
        JOIN conversations.members AS me ON me.conversation = c.conversation
        JOIN conversations.members AS them ON them.conversation = c.conversation
        WHERE c.conversation_id = $1
            AND me.account BETWEEN $2 AND $2
            AND me.section BETWEEN 1 AND 4
            AND me.joined_version > 0
            AND them.joined_version > 0
            AND them.account BETWEEN $3 AND $3
        """
    ) { row in try row.conversation(0) }

    /// $1 reporter, $2 conversation, $3 seq. Returns a row only if the message is in the reporter's window.
    static let reportableMessage = Statement(
        """
        SELECT seq
        FROM messaging.reportable
        WHERE conversation = $2
            AND account BETWEEN $1 AND $1
            AND seq BETWEEN $3 AND $3
        """
    ) { row in try row.seq(0) }

    /// $1 reporter, $2 id, $3 reported account, $4 conversation, $5 seq, $6 reason, $7 note, $8 now. Changes nothing if
    /// the report exists.
    static let addReport = Statement(
        """
        INSERT INTO conversations.reports (account, id, about, conversation, seq, reason, note, at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT DO NOTHING
        """)

    /// $1 reporter, $2 after this id, $3 limit.
    static let reports = Statement(
        """
        SELECT r.id, a.user_id, c.conversation_id, r.seq, r.reason, r.note, r.at
        FROM (
            SELECT *
            FROM conversations.reports
            WHERE account = $1
                AND id > $2
            ORDER BY id
            LIMIT $3
        ) AS r
        JOIN conversations.accounts AS a ON a.account = r.about
        LEFT JOIN conversations.conversations AS c ON c.conversation = r.conversation
        ORDER BY r.id
        """
    ) { row in
        Report(
            id: try row.uuid(0), user: try row.text(1), conversation: try row.optionalText(2) ?? "",
            seq: try row.optionalInt64(3) ?? 0, reason: ReportReason(rawValue: Int32(try row.int16(4))),
            note: try row.text(5), reportedAtUs: try row.int64(6))
    }

    /// $1 account, $2 path after which to begin, $3 limit: what an import kept of the account.
    static let imported = Statement(
        """
        SELECT path, object
        FROM conversations.kept_beside
        WHERE account = $1
            AND path > $2
        ORDER BY path
        LIMIT $3
        """
    ) { row in ImportedRecord(path: try row.text(0), json: try row.text(1)) }
}

/// A person who was found, and the cursor to continue after them.
struct FoundPerson: Sendable {
    var user: User
    var cursor: PeopleCursor
}

/// A suffix of a name, or an email address, that a search read.
struct EndOfName: Sendable {
    /// nil if this row does not match.
    var user: User?
    var account: AccountNumber
    var letters: String
    /// Whether the limit of rows read is reached with this one.
    var isLast: Bool
}
