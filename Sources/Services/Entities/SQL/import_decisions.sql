-- Decisions that were made elsewhere, with their ids and times: what an importer calls.
CREATE OR REPLACE FUNCTION entities.import_decisions(
    new_accounts bigint[],
    new_ids uuid[],
    new_texts text[],
    new_folded text[],
    new_times bigint[],
    new_conversations bigint[],
    new_sources uuid[]
) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog
SET plan_cache_mode = force_custom_plan
SET jit = off
AS $$
BEGIN
    WITH item AS MATERIALIZED (
        SELECT i.*, row_number() OVER (PARTITION BY i.account ORDER BY i.ordinal) AS nth,
            count(*) OVER (PARTITION BY i.account) AS total
        FROM unnest(new_accounts, new_ids, new_texts, new_folded, new_times, new_conversations, new_sources)
            WITH ORDINALITY AS i (account, id, text, folded, created_at, conversation, source_message, ordinal)
        WHERE NOT EXISTS (
                SELECT
                FROM entities.decisions AS d
                WHERE d.id = i.id
            )
    ),
    advanced AS (
        INSERT INTO entities.heads AS h (account, position)
        SELECT i.account, count(*)
        FROM item AS i
        GROUP BY i.account
        ORDER BY i.account
        ON CONFLICT (account) DO UPDATE
        SET position = h.position + excluded.position
        RETURNING account, position
    )
    INSERT INTO entities.decisions (
        account, id, text, folded, created_at, conversation, source_message, position)
    SELECT i.account, i.id, i.text, i.folded, i.created_at, i.conversation, i.source_message,
        h.position - i.total + i.nth
    FROM item AS i
    JOIN advanced AS h ON h.account = i.account;
END
$$;
REVOKE ALL ON FUNCTION entities.import_decisions(
    bigint[], uuid[], text[], text[], bigint[], bigint[], uuid[]) FROM PUBLIC;
COMMENT ON FUNCTION entities.import_decisions(
    bigint[], uuid[], text[], text[], bigint[], bigint[], uuid[]) IS
    'Stores private decisions that were made elsewhere, each at the next position of its owner''s stream, so that Sync '
    'finds it. One whose id is known stays as it is, so a call can be repeated. It makes no Updates and asks '
    'no limits.';
