-- People who had accounts elsewhere: what an importer calls.
CREATE OR REPLACE FUNCTION conversations.import_accounts(
    at_us bigint,
    who text,
    new_ids text[],
    new_legacy_ids text[],
    new_usernames text[],
    new_names text[],
    new_emails text[],
    are_confirmed boolean[],
    new_photos text[],
    new_times bigint[],
    new_hashes text[],
    new_suspensions text[],
    OUT accounts bigint[],
    OUT are_erased boolean[],
    OUT are_new boolean[]
)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog
AS $$
DECLARE
    known record;
    made bigint;
    username text;
BEGIN
    FOR o IN 1..coalesce(cardinality(new_ids), 0) LOOP
        SELECT a.account, a.legacy_id, a.erased_at IS NOT NULL AS is_erased
        INTO known
        FROM conversations.accounts AS a
        WHERE a.user_id = new_ids[o];
        IF FOUND THEN
            IF NOT known.is_erased AND known.legacy_id IS DISTINCT FROM new_legacy_ids[o] THEN
                RAISE unique_violation USING
                    MESSAGE = 'the id ' || new_ids[o] || ' is that of somebody who was not imported',
                    CONSTRAINT = 'accounts_user_id_key';
            END IF;
            -- Whom others named before may now come with what signs them in.
            UPDATE conversations.accounts AS a
            SET email = new_emails[o], password_hash = new_hashes[o],
                email_confirmed_at = CASE WHEN are_confirmed[o] AND NOT EXISTS (
                    SELECT
                    FROM conversations.accounts AS b
                    WHERE b.email_confirmed_at IS NOT NULL
                        AND conversations.lowered(b.email) COLLATE "C"
                            = conversations.lowered(new_emails[o]) COLLATE "C"
                ) THEN at_us END
            WHERE a.account = known.account AND NOT known.is_erased AND num_nonnulls(new_emails[o], new_hashes[o]) > 0
                AND a.email IS NULL AND a.password_hash IS NULL
                AND NOT EXISTS (SELECT FROM conversations.ways_in AS w WHERE w.account = a.account);
            accounts[o] := known.account;
            are_erased[o] := known.is_erased;
            are_new[o] := false;
            CONTINUE;
        END IF;

        SELECT u.name
        INTO username
        FROM string_to_table(new_usernames[o], ' ') WITH ORDINALITY AS u (name, rank)
        WHERE NOT EXISTS (SELECT FROM conversations.accounts AS a WHERE a.username = u.name COLLATE "C")
            AND NOT EXISTS (
                SELECT
                FROM conversations.retired_usernames AS r
                WHERE r.keyed_hash = conversations.username_hash(u.name)
            )
        ORDER BY u.rank
        LIMIT 1;
        INSERT INTO conversations.accounts (
            user_id, legacy_id, username, display_name, email, email_confirmed_at, photo_url, created_at, password_hash,
            suspended_at, suspended_for)
        VALUES (
            new_ids[o], new_legacy_ids[o], username, normalize(coalesce(nullif(new_names[o], ''), username, ''), NFC),
            new_emails[o],
            CASE WHEN are_confirmed[o] AND NOT EXISTS (
                SELECT
                FROM conversations.accounts AS a
                WHERE a.email_confirmed_at IS NOT NULL
                    AND conversations.lowered(a.email) COLLATE "C" = conversations.lowered(new_emails[o]) COLLATE "C"
            ) THEN at_us END,
            new_photos[o], new_times[o], new_hashes[o],
            CASE WHEN new_suspensions[o] <> '' THEN at_us END, new_suspensions[o])
        RETURNING account INTO made;
        IF new_suspensions[o] <> '' THEN
            INSERT INTO conversations.audit (at, action, account, reason, operator)
            VALUES (at_us, {OperatorAction.suspend}, made, new_suspensions[o], who || ' as ' || session_user);
        END IF;
        accounts[o] := made;
        are_erased[o] := false;
        are_new[o] := true;
    END LOOP;
END
$$;
REVOKE ALL ON FUNCTION conversations.import_accounts(
    bigint, text, text[], text[], text[], text[], text[], boolean[], text[], bigint[], text[], text[]) FROM PUBLIC;
COMMENT ON FUNCTION conversations.import_accounts(
    bigint, text, text[], text[], text[], text[], text[], boolean[], text[], bigint[], text[], text[]) IS
    'Stores people who had accounts elsewhere, with their ids, and returns their numbers in the order of the ids. '
    'new_usernames has for each of them those that are wanted, separated by spaces, of which the first that nobody has '
    'or had is taken. A hash may be of another system: the service checks it once and replaces it. Somebody with a '
    'suspension cannot sign in, and the audit says so, in the name of who. A person whose id is known stays as they '
    'are, also one who was erased since; one whom nothing signs in gets address and hash. Fails as a whole if '
    'an id is that of somebody who was not imported.';
