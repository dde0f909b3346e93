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
    /// and zero at first: the range has one beginning, or it is looked for from the wrong one), $9 limit. It reads one range of
    /// one index, in its order, whatever the plan was made for: the account is looked up for each row.
    static let peopleByName = Statement(
        """
        SELECT n.letters, a.account, \(ViewsStore.userColumns)
        FROM conversations.ends_of_names AS n
        CROSS JOIN LATERAL (
            SELECT *
            FROM conversations.accounts
            WHERE account BETWEEN n.account AND n.account
            ORDER BY account
            LIMIT 1
        ) AS a
        WHERE n.part = $5
            AND n.letters <= $6 || chr(1114111)
            AND (n.letters, n.account) > ($7, $8)
            AND \(filters)
            AND conversations.is_first_end(a.display_name, a.username, $6, n.part, n.letters)
        ORDER BY n.letters, n.account
        LIMIT $9
        """
    ) { row in
        FoundPerson(user: try ViewsStore.user(row, from: 2), account: try row.int64(1), letters: try row.text(0))
    }

    /// $5 whole address, $6 after which account, $7 limit.
    static let peopleByEmail = Statement(
        """
        SELECT '', a.account, \(ViewsStore.userColumns)
        FROM conversations.accounts AS a
        WHERE a.findable_by_email
            AND conversations.lowered(a.email) COLLATE "C" = conversations.lowered(normalize(btrim($5), NFC)) COLLATE "C"
            AND a.account > $6
            AND \(filters)
        ORDER BY conversations.lowered(a.email) COLLATE "C", a.account
        LIMIT $7
        """
    ) { row in
        FoundPerson(user: try ViewsStore.user(row, from: 2), account: try row.int64(1), letters: try row.text(0))
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

    /// $1 conversation id, $2 who reports, $3 about whom. A row only if the one is shown it and the other belongs to it,
    /// or did.
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

    /// $1 who reports, $2 id, $3 about whom, $4 conversation, $5 seq, $6 reason, $7 note, $8 now. Again changes nothing.
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
    var account: Int64
    var letters: String
}
