import Postgres
import Schema
import ServiceKit

/// The fields of an account that sign-in needs.
struct Account: Sendable {
    var account: AccountNumber
    var user: User
    var registerID: [UInt8]?
    var passwordHash: String?
}

/// An account locked until the transaction ends.
struct LockedAccount: Sendable {
    var suspension: Suspension?
}

/// A suspension by the operator.
struct Suspension: Sendable {
    var reason: String
    /// nil: until the operator ends it.
    var until: Timestamp?
}

/// One member's view of a conversation, still without its members.
struct ConversationRow: Sendable {
    var number: ConversationNumber
    var conversation: Conversation
}

/// The SQL of accounts, devices, tokens and new conversations.
///
/// ``oneRow(_:from:where:by:is:)`` says why lookups compare the last column of a key with BETWEEN.
enum ConversationsStore {
    /// Reads the user of an account that is not erased.
    private static func user(_ row: borrowing RowReader, from column: Int) throws -> User {
        User(
            id: try row.text(column), username: try row.optionalText(column + 1) ?? "",
            displayName: try row.text(column + 2),
            photoUrl: try row.text(column + 3), createdAtUs: try row.int64(column + 4))
    }

    // MARK: Accounts

    /// $1 user id, $2 username, $3 id of the registration, $4 password hash, $5 display name, $6 now. Returns no row if
    /// the username or an id is taken.
    static let addAccount = Statement(
        """
        INSERT INTO conversations.accounts (user_id, username, register_id, password_hash, display_name, created_at)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT DO NOTHING
        RETURNING account, user_id, username, display_name, photo_url, created_at
        """
    ) { row in Account(account: try row.account(0), user: try user(row, from: 1), registerID: nil, passwordHash: nil) }

    static let accountByUsername = Statement(
        """
        SELECT account, user_id, username, display_name, photo_url, created_at, register_id, password_hash
        FROM conversations.accounts
        WHERE username = $1
            AND erased_at IS NULL
        """
    ) { row in
        Account(
            account: try row.account(0), user: try user(row, from: 1), registerID: try row.optionalUUID(6),
            passwordHash: try row.optionalText(7))
    }

    /// $1 account, $2 the hash of another system that was just verified, $3 its own of the same password.
    static let replaceImportedPassword = Statement<Void>(
        """
        UPDATE conversations.accounts
        SET password_hash = $3
        WHERE account = $1
            AND password_hash = $2
        """)

    /// $1 account. Returns no row if it is erased.
    static let lockAccount = Statement(
        """
        SELECT suspended_at IS NOT NULL, suspended_for, suspended_until
        FROM conversations.accounts
        WHERE account = $1
            AND erased_at IS NULL
        FOR UPDATE
        """
    ) { row in
        LockedAccount(
            suspension: try row.bool(0) ? Suspension(reason: try row.text(1), until: try row.optionalTime(2)) : nil)
    }

    /// $1 key, $2 now, $3 time: windows that began by then have ended.
    static let countAttempt = Statement(
        """
        INSERT INTO conversations.sign_in_attempts AS s (key, window_started_at, attempts)
        VALUES ($1, $2, 1)
        ON CONFLICT (key) DO UPDATE
        SET window_started_at = CASE WHEN s.window_started_at <= $3 THEN $2 ELSE s.window_started_at END,
            attempts = CASE WHEN s.window_started_at <= $3 THEN 1 ELSE s.attempts + 1 END
        RETURNING attempts, window_started_at
        """
    ) { row in (attempts: Int(try row.int32(0)), windowStartedAt: try row.time(1)) }

    /// $1 keys: takes an attempt of each back.
    static let giveAttemptsBack = Statement(
        """
        UPDATE conversations.sign_in_attempts
        SET attempts = attempts - 1
        WHERE key = ANY ($1)
            AND attempts > 0
        """)

    /// $1 time: deletes windows that began before it, and $2 of turns.
    static let forgetAttempts = Statement(
        """
        DELETE FROM conversations.sign_in_attempts
        WHERE window_started_at < $1
            AND (key NOT LIKE '%:turns' OR window_started_at < $2)
        """)

    // MARK: Devices and tokens

    /// $1 account, $2 how many devices may stay. Returns the ids of the others, most recently used first.
    static let devicesBeyond = Statement(
        """
        SELECT device_id
        FROM conversations.devices
        WHERE account = $1
            AND revoked_at IS NULL
        ORDER BY last_used_at DESC, device_id
        OFFSET $2
        """
    ) { row in try row.text(0) }

    static let addDevice = Statement(
        """
        INSERT INTO conversations.devices (account, device_id, name, signed_in_at, last_used_at)
        VALUES ($1, $2, $3, $4, $4)
        """)

    static let touchDevice = Statement(
        """
        UPDATE conversations.devices
        SET last_used_at = $3
        WHERE account = $1
            AND device_id = $2
        """)

    static let devices = Statement(
        """
        SELECT device_id, name, signed_in_at, last_used_at
        FROM conversations.devices
        WHERE account = $1
            AND revoked_at IS NULL
        ORDER BY last_used_at DESC, device_id
        """
    ) { row in
        Device(
            id: try row.text(0), name: try row.text(1), signedInUs: try row.int64(2), lastUsedUs: try row.int64(3),
            current: false)
    }

    /// $1 account, $2 device, $3 now. Also deletes the device's refresh tokens.
    static let revokeDevice = Statement(
        """
        WITH gone AS (
            DELETE FROM conversations.refresh_tokens
            WHERE account = $1
                AND device_id = $2
        )
        UPDATE conversations.devices
        SET revoked_at = $3,
            tokens_void_before = $3
        WHERE account = $1
            AND device_id = $2
            AND revoked_at IS NULL
        """)

    /// $1 account, $2 now.
    static let revokeAllDevices = Statement(
        """
        WITH gone AS (
            DELETE FROM conversations.refresh_tokens
            WHERE account = $1
        ), devices AS (
            UPDATE conversations.devices
            SET revoked_at = $2,
                tokens_void_before = $2
            WHERE account = $1
                AND revoked_at IS NULL
        )
        UPDATE conversations.accounts
        SET tokens_void_before = $2
        WHERE account = $1
        """)

    /// $1 account, $2 hash, $3 device, $4 family, $5 now, $6 expiry. Also deletes the account's expired tokens.
    static let addRefreshToken = Statement(
        """
        WITH gone AS (
            DELETE FROM conversations.refresh_tokens
            WHERE account = $1
                AND expires_at < $5
        )
        INSERT INTO conversations.refresh_tokens (account, hash, device_id, family, issued_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6)
        """)

    /// $1 account, $2 device, $3 family, $4 when their predecessor was used, $5 how many to keep. Deletes the oldest
    /// unused successors.
    static let forgetSuccessors = Statement(
        """
        DELETE FROM conversations.refresh_tokens
        WHERE (account, hash) IN (
                SELECT account, hash
                FROM conversations.refresh_tokens
                WHERE account = $1
                    AND device_id = $2
                    AND family = $3
                    AND issued_at >= $4
                    AND used_at IS NULL
                ORDER BY issued_at DESC, hash
                OFFSET $5
            )
        """)

    /// $1 account, $2 device. Returns no row if it has no tokens any more, or has used one.
    static let unusedFamily = Statement(
        """
        SELECT family
        FROM conversations.refresh_tokens
        WHERE account = $1
            AND device_id = $2
        GROUP BY family
        HAVING bool_and(used_at IS NULL)
        """
    ) { row in try row.uuid(0) }

    static let useRefreshToken = Statement(
        """
        UPDATE conversations.refresh_tokens
        SET used_at = COALESCE(used_at, $3)
        WHERE account = $1
            AND hash = $2
        """)

    /// $1 account, $2 hash of one of its tokens. Returns the token's device unless it is signed out. Refreshing and
    /// signing out both lock the device first, then its tokens, so neither overtakes the other.
    static let lockDeviceOfToken = Statement(
        """
        SELECT d.device_id
        FROM conversations.devices AS d
        WHERE d.account = $1
            AND d.device_id = (
                SELECT t.device_id
                FROM conversations.refresh_tokens AS t
                WHERE t.account = $1
                    AND t.hash = $2
            )
            AND d.revoked_at IS NULL
        FOR UPDATE
        """
    ) { row in try row.text(0) }

    /// $1 account, $2 device, or null for all. Returns no row if no such device is signed in.
    static let lockDevices = Statement(
        """
        SELECT device_id
        FROM conversations.devices
        WHERE account = $1
            AND ($2::text IS NULL OR device_id = $2)
            AND revoked_at IS NULL
        ORDER BY device_id
        FOR UPDATE
        """
    ) { row in try row.text(0) }

    /// $1 account, $2 hash. Locked until the transaction ends, so that a token is used once.
    static let lockRefreshToken = Statement(
        """
        SELECT a.user_id, a.username, a.display_name, a.photo_url, a.created_at, t.device_id, t.family, t.expires_at, t.used_at,
            t.used_at IS NOT NULL AND EXISTS (
                SELECT
                FROM conversations.refresh_tokens AS s
                WHERE s.account = t.account
                    AND s.device_id = t.device_id
                    AND s.family = t.family
                    AND s.issued_at >= t.used_at
                    AND s.used_at IS NOT NULL
                    AND s.hash <> t.hash
            ),
            (
                SELECT max(s.used_at)
                FROM conversations.refresh_tokens AS s
                WHERE s.account = t.account
                    AND s.device_id = t.device_id
                    AND s.family = t.family
                    AND s.used_at > t.issued_at + 60000000
                    AND s.hash <> t.hash
            )
        FROM conversations.refresh_tokens AS t
        JOIN conversations.accounts AS a ON a.account = t.account
        WHERE t.account = $1
            AND t.hash BETWEEN $2 AND $2
            AND a.erased_at IS NULL
        ORDER BY t.hash
        LIMIT 1
        FOR UPDATE OF t
        """
    ) { row in
        RefreshableDevice(
            user: try user(row, from: 0), device: try row.text(5), family: try row.uuid(6), expiresAt: try row.time(7),
            usedAt: try row.optionalTime(8), successorWasUsed: try row.bool(9), otherUsedAt: try row.optionalTime(10))
    }

    static let newestSigningKey = Statement(
        """
        SELECT id, public, secret, seal
        FROM conversations.signing_keys
        WHERE retired_at IS NULL
        ORDER BY created_at DESC, id
        LIMIT 1
        """
    ) { row in
        AccessToken.Key(
            id: try row.text(0),
            signing: Sodium.SigningKey(publicKey: try row.bytes(1), secretKey: try row.bytes(2)),
            seal: try row.bytes(3))
    }

    static let addSigningKey = Statement(
        """
        INSERT INTO conversations.signing_keys (id, public, secret, seal, created_at)
        VALUES ($1, $2, $3, $4, $5)
        """)

    static let publicKeys = Statement(
        """
        SELECT id, public, seal
        FROM conversations.signing_keys
        ORDER BY created_at DESC
        LIMIT 16
        """
    ) { row in PublicKey(id: try row.text(0), ed25519: try row.bytes(1), seal: try row.bytes(2)) }

    /// The database's time, the one clock that all replicas share. A revocation must not be older than the tokens it
    /// voids, whatever the clocks of the replicas involved say.
    static let now = Statement("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint") { row in
        try row.time(0)
    }

    /// $1 since when, $2 limit. Returns the newest revocations, which are needed the longest.
    static let revokedSince = Statement(
        """
        (
            SELECT account, device_id, revoked_at AS at
            FROM conversations.devices
            WHERE revoked_at > $1
            ORDER BY at DESC
            LIMIT $2
        )
        UNION ALL
        (
            SELECT account, '', tokens_void_before
            FROM conversations.accounts
            WHERE tokens_void_before > $1
            ORDER BY tokens_void_before DESC
            LIMIT $2
        )
        ORDER BY at DESC
        LIMIT $2
        """
    ) { row in DeviceRevoked(account: try row.int64(0), device: try row.text(1), atUs: try row.int64(2)) }

    // MARK: Conversations

    /// $1 my account, $2 user ids. Returns existing accounts, and whether either of us blocks the other.
    static let peers = Statement(
        """
        SELECT a.account,
            EXISTS (
                SELECT
                FROM conversations.blocks
                WHERE account = $1
                    AND blocked BETWEEN a.account AND a.account
            )
            OR EXISTS (
                SELECT
                FROM conversations.blocks
                WHERE account = a.account
                    AND blocked BETWEEN $1 AND $1
            )
        FROM conversations.accounts AS a
        WHERE a.user_id = ANY ($2)
            AND a.erased_at IS NULL
        """
    ) { row in (account: try row.account(0), isBlocked: try row.bool(1)) }

    static let creator = Statement(
        """
        SELECT created_by, conversation
        FROM conversations.conversations
        WHERE conversation_id = $1
        """
    ) { row in (creator: try row.account(0), number: try row.conversation(1)) }

    static let advanceHeads = Statement(
        """
        INSERT INTO conversations.heads AS h (account, position)
        SELECT account, 1
        FROM unnest($1::bigint[]) AS account
        ORDER BY account
        ON CONFLICT (account) DO UPDATE
        SET position = h.position + 1
        RETURNING account, position
        """
    ) { row in (account: try row.account(0), position: try row.position(1)) }

    /// $1 conversation, $2 accounts, $3 roles, $4 now, $5 positions. Adds the first members.
    static let addMembers = Statement(
        """
        WITH added AS (
            INSERT INTO conversations.members (conversation, account, role, joined_at, position)
            SELECT $1, m.account, m.role, $4, m.position
            FROM unnest($2::bigint[], $3::smallint[], $5::bigint[]) AS m (account, role, position)
        )
        UPDATE conversations.conversations
        SET member_count = cardinality($2),
            members_key = (
                SELECT bit_xor(hashint8extended(account, 0))
                FROM unnest($2::bigint[]) AS account
            )
        WHERE conversation = $1
        """)
}
