-- What signs people in who had accounts elsewhere, and what is kept beside of them.
CREATE OR REPLACE FUNCTION conversations.import_identities(
    at_us bigint,
    of_accounts bigint[],
    new_ids text[],
    new_issuers text[],
    new_subjects text[],
    new_labels text[]
) RETURNS void
LANGUAGE sql VOLATILE
SET search_path = pg_catalog
AS $$
    INSERT INTO conversations.ways_in (account, id, kind, issuer, subject, label, linked_at, used_at)
    SELECT i.account, i.id, 1, i.issuer, i.subject, i.label, at_us, at_us
    FROM unnest(of_accounts, new_ids, new_issuers, new_subjects, new_labels) AS i (account, id, issuer, subject, label)
    JOIN conversations.accounts AS a ON a.account = i.account AND a.erased_at IS NULL
    ON CONFLICT DO NOTHING
$$;
REVOKE ALL ON FUNCTION conversations.import_identities(bigint, bigint[], text[], text[], text[], text[]) FROM PUBLIC;
COMMENT ON FUNCTION conversations.import_identities(bigint, bigint[], text[], text[], text[], text[]) IS
    'Links identities to accounts. One that signs anybody in stays as it is, so a call can be repeated.';
