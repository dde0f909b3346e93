CREATE OR REPLACE FUNCTION conversations.erase_account(subject bigint, now_us bigint) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog
AS $$
BEGIN
    DELETE FROM conversations.refresh_tokens WHERE account = subject;
    DELETE FROM conversations.devices WHERE account = subject;
    DELETE FROM conversations.ways_in AS w WHERE w.account = erase_account.subject;
    DELETE FROM conversations.used_tokens WHERE account = subject;
    DELETE FROM conversations.device_links AS l WHERE l.account = erase_account.subject;
    DELETE FROM conversations.mailed_codes AS c WHERE c.account = erase_account.subject;
    DELETE FROM conversations.mails AS m WHERE m.account = erase_account.subject;
    DELETE FROM conversations.kept_beside AS k WHERE k.account = erase_account.subject;
    -- Those that were to go to whoever has confirmed this address.
    DELETE FROM conversations.mails AS m
    USING conversations.accounts AS a
    WHERE a.account = erase_account.subject
        AND a.email_confirmed_at IS NOT NULL
        AND m.account IS NULL
        AND conversations.lowered(m.address) COLLATE "C" = conversations.lowered(a.email) COLLATE "C";
    -- The person's own blocks. Blocks by other people belong to them and stay.
    DELETE FROM conversations.blocks WHERE account = subject;
    -- What the person declined, and that others declined the person's invitations.
    DELETE FROM conversations.declined_invitations WHERE account = subject OR inviter = subject;
    -- Before a registration that waits for the username can get it.
    INSERT INTO conversations.retired_usernames (keyed_hash, retired_at)
    SELECT conversations.username_hash(a.username), now_us
    FROM conversations.accounts AS a
    WHERE a.account = subject
        AND a.username IS NOT NULL
    ON CONFLICT DO NOTHING;
    -- The row stays, so that its ids are never reused.
    UPDATE conversations.accounts
    SET username = NULL,
        register_id = NULL,
        password_hash = NULL,
        display_name = '',
        email = NULL,
        email_confirmed_at = NULL,
        findable_by_email = false,
        guest_since = NULL,
        photo_url = '',
        created_at = 0,
        legacy_id = NULL,
        suspended_at = NULL,
        suspended_until = NULL,
        suspended_for = '',
        tokens_void_before = now_us,
        erased_at = now_us
    WHERE account = subject;
    -- Its conversations follow piece by piece.
    DELETE FROM conversations.jobs WHERE account = subject AND kind = {JobKind.publishProfile};
    INSERT INTO conversations.jobs (account, kind, due_at, begun_at)
    VALUES (subject, 2, now_us, now_us)
    ON CONFLICT DO NOTHING;
END
$$;
REVOKE ALL ON FUNCTION conversations.erase_account(bigint, bigint) FROM PUBLIC;
COMMENT ON FUNCTION conversations.erase_account(bigint, bigint) IS
    'Erases an account: all that must have taken effect before its owner or the operator learns that it is done, and a '
    'job for the rest. The caller has locked the account and then its devices, and publishes the revocation.';
