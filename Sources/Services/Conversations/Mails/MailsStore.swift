import Postgres
import Schema
import ServiceKit

/// The SQL of mails and mailed codes.
enum MailsStore {
    /// $1 kind, $2 account or null, $3 address, $4 now. Changes nothing if the same mail waits, but writes as much: one
    /// to nobody never waits for long, and the time that this takes would tell.
    static let add = Statement(
        """
        INSERT INTO conversations.mails (kind, account, address, made_at, due_at)
        VALUES ($1, $2, $3, $4, $4)
        ON CONFLICT (kind, (COALESCE(account, 0)), address) WHERE due_at IS NOT NULL DO UPDATE
        SET made_at = mails.made_at
        """)

    /// $1 now, $2 when another replica may try, $3 limit. Takes the mails that are due, the longest waiting first.
    static let take = Statement(
        """
        UPDATE conversations.mails AS m
        SET due_at = $2,
            tries = m.tries + 1
        WHERE m.id = ANY (ARRAY(
                SELECT id
                FROM conversations.mails
                WHERE due_at <= $1
                ORDER BY due_at, id
                LIMIT $3
                FOR UPDATE SKIP LOCKED
            ))
        RETURNING m.id, m.kind, m.account, m.address, m.made_at, m.tries
        """
    ) { row in
        WaitingMail(
            id: try row.int64(0), kind: MailKind(rawValue: try row.int16(1)), account: try row.optionalAccount(2),
            address: try row.text(3), madeAt: try row.time(4), tries: Int(try row.int32(5)))
    }

    static let remove = Statement("DELETE FROM conversations.mails WHERE id = $1")

    /// $1 id, $2 when it is tried again or null, $3 why it failed.
    static let postpone = Statement(
        """
        UPDATE conversations.mails
        SET due_at = $2,
            problem = $3
        WHERE id = $1
        """)

    private static func recipient(_ row: borrowing RowReader) throws -> MailRecipient {
        MailRecipient(
            account: try row.account(0), address: try row.optionalText(1) ?? "",
            username: try row.optionalText(2) ?? "")
    }

    /// $1 address. Returns whoever has confirmed it.
    static let confirmed = Statement(
        """
        SELECT account, email, username
        FROM conversations.accounts
        WHERE conversations.lowered(email) COLLATE "C" = conversations.lowered($1) COLLATE "C"
            AND email_confirmed_at IS NOT NULL
        """
    ) { row in try recipient(row) }

    /// $1 account. Returns its owner, unless it is erased.
    static let owner = Statement(
        """
        SELECT account, email, username
        FROM conversations.accounts
        WHERE account = $1
            AND erased_at IS NULL
        """
    ) { row in try recipient(row) }

    /// $1 kind, $2 key, $3 account or null, $4 hash, $5 tries, $6 end. Replaces the code before.
    static let keepCode = Statement(
        """
        INSERT INTO conversations.mailed_codes (kind, key, account, hash, tries_left, ends_at)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (kind, key) DO UPDATE
        SET account = excluded.account,
            hash = excluded.hash,
            tries_left = excluded.tries_left,
            ends_at = excluded.ends_at
        """)

    /// $1 kind, $2 key, $3 now. Counts a try of the code. Returns no row if there is none that can be tried.
    static let tryCode = Statement(
        """
        UPDATE conversations.mailed_codes
        SET tries_left = tries_left - 1
        WHERE kind = $1
            AND key = $2
            AND tries_left > 0
            AND ends_at > $3
        RETURNING hash, account
        """
    ) { row in (hash: try row.bytes(0), account: try row.optionalAccount(1)) }

    /// $1 kind, $2 key, $3 hash. Uses a code up. Returns no row if it was used up or replaced.
    static let useCode = Statement(
        """
        DELETE FROM conversations.mailed_codes
        WHERE kind = $1
            AND key = $2
            AND hash = $3
        RETURNING kind
        """
    ) { row in try row.int16(0) }

    /// $1 address, $2 account. Returns the others whose address it is not any more.
    static let unconfirmOthers = Statement(
        """
        UPDATE conversations.accounts
        SET email_confirmed_at = NULL
        WHERE conversations.lowered(email) COLLATE "C" = conversations.lowered($1) COLLATE "C"
            AND email_confirmed_at IS NOT NULL
            AND account <> $2
        RETURNING account
        """
    ) { row in try row.account(0) }

    /// $1 account, $2 now.
    static let confirm = Statement(
        """
        UPDATE conversations.accounts
        SET email_confirmed_at = $2
        WHERE account = $1
        """)

    /// $1 now, $2 time: deletes the codes that have ended by now, and the mails that were made before: given up, or
    /// left over when mail was turned off.
    static let forget = Statement(
        """
        WITH codes AS (
            DELETE FROM conversations.mailed_codes WHERE ends_at < $1
        )
        DELETE FROM conversations.mails
        WHERE made_at < $2
        """)
}
