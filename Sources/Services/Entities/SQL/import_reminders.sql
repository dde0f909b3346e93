-- Reminders that were made elsewhere, with their ids and times: what an importer calls, and a bench that needs many.
-- Until it had where a reminder came from, and what became of it, it had eight parameters.
DROP FUNCTION IF EXISTS entities.import_reminders(
    bigint[], uuid[], text[], bigint[], text[], bigint[], bigint[], text[]);
CREATE OR REPLACE FUNCTION entities.import_reminders(
    new_accounts bigint[],
    new_ids uuid[],
    new_titles text[],
    new_dues bigint[],
    new_zones text[],
    new_times bigint[],
    new_civils bigint[] DEFAULT '{}',
    new_rules text[] DEFAULT '{}',
    new_conversations bigint[] DEFAULT '{}',
    new_sources uuid[] DEFAULT '{}',
    new_completed bigint[] DEFAULT '{}',
    new_fired bigint[] DEFAULT '{}',
    only_new boolean DEFAULT false
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
        FROM unnest(
            new_accounts, new_ids, new_titles, new_dues, new_zones, new_times, new_civils, new_rules, new_conversations,
            new_sources, new_completed, new_fired
        ) WITH ORDINALITY AS i (
            account, id, title, due_at, time_zone, created_at, due_civil, rules, conversation, source_message,
            completed_at, fired_at, ordinal)
        WHERE NOT (only_new AND EXISTS (
                SELECT
                FROM entities.reminders AS r
                WHERE r.account = i.account AND r.id = i.id
            ))
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
    INSERT INTO entities.reminders AS r (
        account, id, title, due_at, time_zone, created_at, position, due_civil, utc_offset, zone_rules, conversation,
        source_message, completed_at, fired_at)
    SELECT i.account, i.id, i.title, i.due_at, i.time_zone, i.created_at, h.position - i.total + i.nth, i.due_civil,
        (i.due_civil - i.due_at) / 1000000, coalesce(i.rules, ''), i.conversation, i.source_message, i.completed_at,
        i.fired_at
    FROM item AS i
    JOIN advanced AS h ON h.account = i.account
    ON CONFLICT (account, id) DO UPDATE
    SET title = excluded.title, due_at = excluded.due_at, time_zone = excluded.time_zone,
        position = excluded.position, due_civil = excluded.due_civil, utc_offset = excluded.utc_offset,
        zone_rules = excluded.zone_rules;
    -- As when a service commits something that is due.
    PERFORM pg_notify('entities_due', '');
END
$$;
REVOKE ALL ON FUNCTION entities.import_reminders(
    bigint[], uuid[], text[], bigint[], text[], bigint[], bigint[], text[], bigint[], uuid[], bigint[], bigint[],
    boolean)
FROM PUBLIC;
COMMENT ON FUNCTION entities.import_reminders(
    bigint[], uuid[], text[], bigint[], text[], bigint[], bigint[], text[], bigint[], uuid[], bigint[], bigint[],
    boolean) IS
    'Stores reminders that were made elsewhere, each at the next position of its owner''s stream, so that Sync finds '
    'it. One whose id its owner has already gets the new title and time, or with only_new stays as it is. The time on '
    'the wall, and the version of the zone''s rules by which the time follows from it, may be left out: the service '
    'then finds both. It makes no Updates and asks no limits.';
