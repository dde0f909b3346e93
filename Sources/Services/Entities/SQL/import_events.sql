-- Events that were made elsewhere, with their ids, and the people who answered: what an importer calls.
CREATE OR REPLACE FUNCTION entities.import_events(
    new_accounts bigint[],
    new_ids uuid[],
    new_titles text[],
    new_days integer[],
    new_seconds integer[],
    new_minutes integer[],
    new_locations text[],
    new_times bigint[],
    new_conversations bigint[],
    new_sources uuid[],
    person_ordinals integer[],
    person_accounts bigint[],
    person_statuses smallint[]
) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog
SET plan_cache_mode = force_custom_plan
SET jit = off
AS $$
DECLARE
    are_new boolean[];
BEGIN
    SELECT array_agg(NOT EXISTS (SELECT FROM entities.events AS e WHERE e.id = i.id) ORDER BY i.ordinal)
    INTO are_new
    FROM unnest(new_ids) WITH ORDINALITY AS i (id, ordinal);

    -- The service finds the times anew where a zone has newer rules than none.
    INSERT INTO entities.events (
        account, id, title, first_day, at_second, time_zone, minutes, location, link, notes, recurrence, starts_at,
        ends_at, zone_rules, conversation, source_message, created_at, changed_at, attendees, accepted, tentative,
        declined, coming)
    SELECT i.account, i.id, i.title, i.day, i.second, CASE WHEN i.second IS NULL THEN '' ELSE 'UTC' END, i.minutes,
        i.location, '', '', '', t.starts_at,
        -- A whole day ends last where the sun sets last.
        t.starts_at + i.minutes * 60000000::bigint + CASE WHEN i.second IS NULL THEN 86400000000 ELSE 0 END,
        '', i.conversation, i.source, i.at, i.at, p.people, p.accepted, p.tentative, p.declined, p.accepted
    FROM unnest(
        new_accounts, new_ids, new_titles, new_days, new_seconds, new_minutes, new_locations, new_times,
        new_conversations, new_sources
    ) WITH ORDINALITY AS i (account, id, title, day, second, minutes, location, at, conversation, source, ordinal)
    CROSS JOIN LATERAL (
        SELECT (i.day * 86400::bigint + coalesce(i.second, 0)) * 1000000 AS starts_at
    ) AS t
    CROSS JOIN LATERAL (
        SELECT count(*)::integer AS people,
            (count(*) FILTER (WHERE s.status = {AttendanceStatus.accepted}))::integer AS accepted,
            (count(*) FILTER (WHERE s.status = {AttendanceStatus.tentative}))::integer AS tentative,
            (count(*) FILTER (WHERE s.status = {AttendanceStatus.declined}))::integer AS declined
        FROM unnest(person_ordinals, person_statuses) AS s (ordinal, status)
        WHERE s.ordinal = i.ordinal
    ) AS p
    WHERE are_new[i.ordinal];

    WITH person AS MATERIALIZED (
        SELECT i.ordinal, i.account, i.status, row_number() OVER (PARTITION BY i.account ORDER BY i.place) AS nth,
            count(*) OVER (PARTITION BY i.account) AS total
        FROM unnest(person_ordinals, person_accounts, person_statuses) WITH ORDINALITY
            AS i (ordinal, account, status, place)
        WHERE are_new[i.ordinal]
    ),
    advanced AS (
        INSERT INTO entities.heads AS h (account, position)
        SELECT DISTINCT p.account, p.total
        FROM person AS p
        ORDER BY p.account
        ON CONFLICT (account) DO UPDATE
        SET position = h.position + excluded.position
        RETURNING account, position
    )
    INSERT INTO entities.attendances (
        account, event, status, answered_at, is_host, remind_minutes, ends_at, position, content_position)
    SELECT p.account, e.id, p.status, e.created_at, p.account = e.account, -1, e.ends_at, h.position - p.total + p.nth,
        h.position - p.total + p.nth
    FROM person AS p
    JOIN advanced AS h ON h.account = p.account
    JOIN entities.events AS e ON e.id = new_ids[p.ordinal];
END
$$;
REVOKE ALL ON FUNCTION entities.import_events(
    bigint[], uuid[], text[], integer[], integer[], integer[], text[], bigint[], bigint[], uuid[], integer[], bigint[],
    smallint[])
FROM PUBLIC;
COMMENT ON FUNCTION entities.import_events(
    bigint[], uuid[], text[], integer[], integer[], integer[], text[], bigint[], bigint[], uuid[], integer[], bigint[],
    smallint[]) IS
    'Stores events that were made elsewhere, of whole days where new_seconds has none, otherwise in UTC, with the '
    'people who have them: the creator, who hosts, and who answered. person_ordinals says to which of the events, from '
    '1, each belongs; each person occurs once in one. Everybody takes a position of their stream for it, so that Sync '
    'finds it. An event whose id is known stays as it is, so a call can be repeated. It makes no cards, Updates and '
    'reminders, and asks no limits.';
