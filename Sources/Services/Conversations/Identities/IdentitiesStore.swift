import Postgres
import Schema
import ServiceKit

/// An identity as its owner sees it, and what names it.
struct StoredIdentity: Sendable {
    var identity: Identity
    var subject: String
}

/// A token that was accepted before.
struct UsedToken: Sendable {
    var requestID: [UInt8]?
    var device: String?
    var usedAt: Timestamp
    var madeAccount: Bool
}

/// The SQL of identities and of the tokens that were used.
///
/// ``oneRow(_:from:where:by:is:)`` says why lookups compare the last column of a key with BETWEEN.
enum IdentitiesStore {
    private static func account(_ row: borrowing RowReader) throws -> Account {
        Account(
            account: try row.account(0),
            user: User(
                id: try row.text(1), username: try row.optionalText(2) ?? "", displayName: try row.text(3),
                photoUrl: try row.text(4), createdAtUs: try row.int64(5)),
            registerID: nil, passwordHash: nil)
    }

    /// $1 issuer, $2 subject. Returns whom the identity signs in.
    static let accountOfIdentity = Statement(
        """
        SELECT a.account, a.user_id, a.username, a.display_name, a.photo_url, a.created_at
        FROM conversations.ways_in AS w
        JOIN conversations.accounts AS a ON a.account = w.account
        WHERE w.issuer = $1
            AND w.subject = $2
            AND a.erased_at IS NULL
        """
    ) { row in try account(row) }

    /// $1 id in the system that people were imported from.
    static let importedAccount = Statement(
        """
        SELECT account, user_id, username, display_name, photo_url, created_at
        FROM conversations.accounts
        WHERE legacy_id = $1
            AND erased_at IS NULL
        """
    ) { row in try account(row) }

    /// $1 usernames in the order in which they are wanted. Returns the first that nobody has or had.
    static let freeUsername = Statement(
        """
        SELECT u.name
        FROM unnest($1::text[]) WITH ORDINALITY AS u (name, rank)
        WHERE NOT EXISTS (
                SELECT
                FROM conversations.accounts AS a
                WHERE a.username = u.name COLLATE "C"
            )
            AND NOT EXISTS (
                SELECT
                FROM conversations.retired_usernames AS r
                WHERE r.keyed_hash = conversations.username_hash(u.name)
            )
        ORDER BY u.rank
        LIMIT 1
        """
    ) { row in try row.text(0) }

    /// $1 user id, $2 username, $3 display name, $4 photo, $5 email or null, $6 now. Returns no row if the username or
    /// the id is taken.
    static let addAccount = Statement(
        """
        INSERT INTO conversations.accounts (user_id, username, display_name, photo_url, email, created_at)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT DO NOTHING
        RETURNING account, user_id, username, display_name, photo_url, created_at
        """
    ) { row in try account(row) }

    /// $1 account, $2 id, $3 issuer, $4 subject, $5 label, $6 now. Returns no row if the identity signs somebody in.
    static let addIdentity = Statement(
        """
        INSERT INTO conversations.ways_in (account, id, kind, issuer, subject, label, linked_at, used_at)
        VALUES ($1, $2, 1, $3, $4, $5, $6, $6)
        ON CONFLICT (issuer, subject) DO NOTHING
        RETURNING id
        """
    ) { row in try row.text(0) }

    /// $1 account, $2 issuer, $3 subject, $4 label, $5 now. Returns no row if it does not sign this account in.
    static let useIdentity = Statement(
        """
        UPDATE conversations.ways_in
        SET used_at = $5,
            label = $4
        WHERE issuer = $2
            AND subject = $3
            AND account = $1
        RETURNING id
        """
    ) { row in try row.text(0) }

    /// $1 account. Returns its identities, the oldest first.
    static let identities = Statement(
        """
        SELECT id, issuer, label, linked_at, used_at, subject
        FROM conversations.ways_in
        WHERE account = $1
        ORDER BY linked_at, id
        """
    ) { row in
        StoredIdentity(
            identity: Identity(
                id: try row.text(0), url: try row.text(1), label: try row.text(2), linkedAtUs: try row.int64(3),
                lastUsedUs: try row.int64(4)),
            subject: try row.text(5))
    }

    static let removeIdentity = Statement(
        """
        DELETE FROM conversations.ways_in
        WHERE account = $1
            AND id = $2
        """)

    /// $1 account, $2 hash, $3 end, $4 now, $5 request or null, $6 device or null, $7 whether it made the account. Also
    /// deletes the account's tokens that have ended. Returns no row if the token was used before.
    static let useToken = Statement(
        """
        WITH gone AS (
            DELETE FROM conversations.used_tokens
            WHERE account = $1
                AND ends_at < $4
                AND hash <> $2
        )
        INSERT INTO conversations.used_tokens (account, hash, ends_at, used_at, request_id, device_id, made_account)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (account, hash) DO NOTHING
        RETURNING made_account
        """
    ) { row in try row.bool(0) }

    /// $1 account, $2 hash.
    static let usedToken = Statement(
        """
        SELECT request_id, device_id, used_at, made_account
        FROM conversations.used_tokens
        WHERE account = $1
            AND hash BETWEEN $2 AND $2
        ORDER BY hash
        LIMIT 1
        """
    ) { row in
        UsedToken(
            requestID: try row.optionalUUID(0), device: try row.optionalText(1), usedAt: try row.time(2),
            madeAccount: try row.bool(3))
    }

    /// $1 account, $2 hash, $3 device: the token signs in this one instead.
    static let replaceDevice = Statement(
        """
        UPDATE conversations.used_tokens
        SET device_id = $3
        WHERE account = $1
            AND hash = $2
        """)

    /// $1 time: deletes the tokens that had ended by then.
    static let forgetTokens = Statement("DELETE FROM conversations.used_tokens WHERE ends_at < $1")

    /// $1 account, $2 hash.
    static let setPassword = Statement(
        """
        UPDATE conversations.accounts
        SET password_hash = $2
        WHERE account = $1
        """)
}
