import Postgres
import Schema
import ServiceKit

/// The SQL of profiles, of finding people and of reports.
enum PeopleStore {
    // MARK: Profiles

    /// $1 account: locked until the end of the transaction. No row: it is erased.
    static let lockProfile = Statement(
        """
        SELECT \(ViewsStore.userColumns), a.email, a.findable_by_email
        FROM conversations.accounts AS a
        WHERE a.account = $1
            AND a.erased_at IS NULL
        FOR UPDATE
        """
    ) { row in
        Profile(
            user: try ViewsStore.user(row, from: 0), email: try row.optionalText(6) ?? "",
            findableByEmail: try row.bool(7))
    }

    /// $1 account, $2 username, $3 display name, $4 photo, $5 email, $6 findable by it. Fails with 23505 when the
    /// username is taken or retired.
    static let updateProfile = Statement(
        """
        UPDATE conversations.accounts
        SET username = $2,
            display_name = normalize($3, NFC),
            photo_url = $4,
            email = NULLIF(normalize($5, NFC), ''),
            findable_by_email = $6
        WHERE account = $1
        """)

    /// $1 account: the next position of its stream, which is its profile's from now on.
    static let moveProfile = Statement(
        """
        INSERT INTO conversations.heads AS h (account, position, profile_position)
        VALUES ($1, 1, 1)
        ON CONFLICT (account) DO UPDATE
        SET position = h.position + 1,
            profile_position = h.position + 1
        RETURNING position
        """
    ) { row in try row.int64(0) }

    /// $1 user ids: those that exist, erased ones too, in the order asked.
    static let users = Statement(
        """
        SELECT \(ViewsStore.userColumns)
        FROM unnest($1::text[]) WITH ORDINALITY AS asked (user_id, place)
        JOIN conversations.accounts AS a ON a.user_id = asked.user_id COLLATE "C"
        ORDER BY asked.place
        """
    ) { row in try ViewsStore.user(row, from: 0) }

    // MARK: Finding people

    static let folded = Statement("SELECT conversations.folded($1)") { row in try row.text(0) }

    /// Filters of `a`, people who are found. $1 my account, $2 my user id, $3 only those I may write to, $4 only those
    /// I do not talk with alone.
    private static let filters =
        """
        NOT ($3 AND a.account = $1)
            AND NOT ($3 AND EXISTS (
                SELECT
                FROM conversations.blocks
                WHERE account = $1
                    AND blocked BETWEEN a.account AND a.account
            ))
            AND NOT ($3 AND EXISTS (
                SELECT
                FROM conversations.blocks
                WHERE account = a.account
                    AND blocked BETWEEN $1 AND $1
            ))
            AND NOT ($4 AND EXISTS (
                SELECT
                FROM (
                    SELECT LEAST($2::text COLLATE "C", a.user_id) || '_' || GREATEST($2::text COLLATE "C", a.user_id)
                        AS id
                ) AS of_us
                CROSS JOIN LATERAL (
                    SELECT conversation
                    FROM conversations.conversations
                    WHERE conversation_id BETWEEN of_us.id AND of_us.id
                    ORDER BY conversation_id
                    LIMIT 1
                ) AS c
                CROSS JOIN LATERAL (
                    SELECT place
                    FROM conversations.members
                    WHERE conversation = c.conversation
                        AND account BETWEEN $1 AND $1
                    ORDER BY account
                    LIMIT 1
                ) AS m
                WHERE m.place BETWEEN 1 AND 3
            ))
        """

    /// $5 part of the name, $6 folded text, $7 and $8 after which letters and account (the text
    /// and zero at first: the range has one beginning, or it is looked for from the wrong one), $9 how many at most,
    /// $10 how many ends are looked at: the last of these comes in any case. It reads one range of one index, in its
    /// order, whatever the plan was made for: the account is looked up for each row.
    static let peopleByName = Statement(
        """
        SELECT n.letters, n.account, n.place = $10, a.account IS NOT NULL, \(ViewsStore.userColumns)
        FROM (
            SELECT letters, account, longer_than,
                row_number() OVER (ORDER BY letters, account ROWS UNBOUNDED PRECEDING) AS place
            FROM conversations.ends_of_names
            WHERE part = $5
                AND letters <= $6 || chr(1114111)
                AND (letters, account) > ($7, $8)
            ORDER BY letters, account
            LIMIT $10
        ) AS n
        LEFT JOIN LATERAL (
            SELECT *
            FROM conversations.accounts
            WHERE account BETWEEN n.account AND n.account
                AND n.longer_than < length($6)
            ORDER BY account
            LIMIT 1
        ) AS a ON \(filters)
        WHERE a.account IS NOT NULL OR n.place = $10
        ORDER BY n.letters, n.account
        LIMIT $9
        """
    ) { row in try endOfName(row) }

    /// $5 whole address, $6 after which account, $7 how many at most, $8 how many accounts are looked at: the last of
    /// these comes in any case.
    static let peopleByEmail = Statement(
        """
        SELECT '', a.account, a.place = $8, shown.is_found, \(ViewsStore.userColumns)
        FROM (
            SELECT account, user_id, username, display_name, photo_url, created_at, erased_at,
                row_number() OVER (
                    ORDER BY conversations.lowered(email) COLLATE "C", account ROWS UNBOUNDED PRECEDING
                ) AS place
            FROM conversations.accounts
            WHERE findable_by_email
                AND conversations.lowered(email) COLLATE "C"
                    = conversations.lowered(normalize(btrim($5), NFC)) COLLATE "C"
                AND account > $6
            ORDER BY conversations.lowered(email) COLLATE "C", account
            LIMIT $8
        ) AS a
        CROSS JOIN LATERAL (SELECT (\(filters)) AS is_found OFFSET 0) AS shown
        WHERE shown.is_found OR a.place = $8
        ORDER BY a.place
        LIMIT $7
        """
    ) { row in try endOfName(row) }

    private static func endOfName(_ row: borrowing RowReader) throws -> EndOfName {
        EndOfName(
            user: try row.bool(3) ? try ViewsStore.user(row, from: 4) : nil, account: try row.int64(1),
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
    ) { row in try row.int64(0) }

    /// $1 user id: of who is not erased.
    static let account = Statement(
        """
        SELECT account
        FROM conversations.accounts
        WHERE user_id = $1
            AND erased_at IS NULL
        """
    ) { row in try row.int64(0) }

    /// $1 conversation id, $2 who reports, $3 about whom. A row only if the one is shown it and the other belongs to
    /// it, or did.
    static let sharedConversation = Statement(
        """
        SELECT c.conversation
        FROM conversations.conversations AS c
        JOIN conversations.members AS me ON me.conversation = c.conversation
        JOIN conversations.members AS them ON them.conversation = c.conversation
        WHERE c.conversation_id = $1
            AND me.account BETWEEN $2 AND $2
            AND me.place BETWEEN 1 AND 4
            AND them.account BETWEEN $3 AND $3
        """
    ) { row in try row.int64(0) }

    /// $1 who reports, $2 id, $3 about whom, $4 conversation, $5 seq, $6 reason, $7 note, $8 now. Again changes
    /// nothing.
    static let addReport = Statement(
        """
        INSERT INTO conversations.reports (account, id, about, conversation, seq, reason, note, at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT DO NOTHING
        """)
}

/// Somebody who was found, and where: after this the next page begins.
struct FoundPerson: Sendable {
    var user: User
    var cursor: PeopleCursor
}

/// An end of a name, or an email address, that was looked at.
struct EndOfName: Sendable {
    /// nil: they are not found here, if at all.
    var user: User?
    var account: Int64
    var letters: String
    /// Whether so many were looked at as may be.
    var isLast: Bool
}
