-- Conversations that were made elsewhere, with their ids and times: what an importer calls, and a bench that needs a
-- database that has grown.
-- Until requests, photos and ids of before were imported it had eight parameters.
DROP FUNCTION IF EXISTS conversations.import_conversations(
    text[], smallint[], text[], bigint[], bigint[], integer[], bigint[], smallint[]);
CREATE OR REPLACE FUNCTION conversations.import_conversations(
    new_ids text[],
    new_kinds smallint[],
    new_names text[],
    new_creators bigint[],
    new_times bigint[],
    member_ordinals integer[],
    member_accounts bigint[],
    member_roles smallint[] DEFAULT '{}',
    member_times bigint[] DEFAULT '{}',
    new_legacy_ids text[] DEFAULT '{}',
    new_photos text[] DEFAULT '{}',
    new_requesters bigint[] DEFAULT '{}',
    are_seen boolean[] DEFAULT '{}',
    new_untils bigint[] DEFAULT '{}'
) RETURNS bigint[]
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog
SET plan_cache_mode = force_custom_plan
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    unknown bigint[];
    made bigint[];
BEGIN
    -- As for a new group: nobody is erased before the transaction ends, so that an erasure finds all of it.
    PERFORM
    FROM conversations.accounts AS a
    WHERE a.account = ANY (member_accounts) AND a.erased_at IS NULL
    ORDER BY a.account
    FOR KEY SHARE;
    unknown := ARRAY(
        SELECT DISTINCT m
        FROM unnest(member_accounts) AS m
        WHERE NOT EXISTS (SELECT FROM conversations.accounts AS a WHERE a.account = m AND a.erased_at IS NULL));
    IF unknown <> '{}' THEN
        RAISE foreign_key_violation USING MESSAGE = 'accounts do not exist, or are erased: ' || unknown::text;
    END IF;

    -- Of a repeated id the first counts.
    WITH item AS MATERIALIZED (
        SELECT i.*, row_number() OVER (PARTITION BY i.id ORDER BY i.ordinal) = 1 AS is_first
        FROM unnest(new_ids, new_kinds, new_names, new_creators, new_times) WITH ORDINALITY
            AS i (id, kind, name, creator, at, ordinal)
    ),
    added AS (
        INSERT INTO conversations.conversations (
            conversation_id, kind, name, created_by, created_at, member_count, members_key, legacy_id, photo_url,
            status, requester, requests_sent, requested_at)
        SELECT i.id, i.kind, normalize(i.name, NFC), i.creator, i.at, coalesce(m.members, 0), coalesce(m.key, 0),
            new_legacy_ids[i.ordinal], coalesce(new_photos[i.ordinal], ''),
            CASE WHEN new_requesters[i.ordinal] IS NULL THEN {ConversationStatus.accepted}
                ELSE {ConversationStatus.pending} END,
            new_requesters[i.ordinal],
            CASE WHEN new_requesters[i.ordinal] IS NULL THEN 0 ELSE 1 END,
            CASE WHEN new_requesters[i.ordinal] IS NOT NULL THEN i.at END
        FROM item AS i
        LEFT JOIN (
            SELECT p.ordinal, count(*) AS members, bit_xor(hashint8extended(p.account, 0)) AS key
            FROM unnest(member_ordinals, member_accounts) AS p (ordinal, account)
            GROUP BY p.ordinal
        ) AS m ON m.ordinal = i.ordinal
        WHERE i.is_first
            -- Without a number of the sequence for each that is known.
            AND NOT EXISTS (
                SELECT
                FROM conversations.conversations AS c
                WHERE c.conversation_id = i.id COLLATE "C"
            )
        ORDER BY i.ordinal
        ON CONFLICT (conversation_id) DO NOTHING
        RETURNING conversation, conversation_id
    )
    SELECT array_agg(o.conversation)
    INTO made
    FROM (
        SELECT a.conversation
        FROM item AS i
        LEFT JOIN added AS a ON a.conversation_id = i.id AND i.is_first
        ORDER BY i.ordinal
    ) AS o;

    WITH member AS MATERIALIZED (
        SELECT made[m.ordinal] AS conversation, m.account,
            greatest(member_times[m.place], new_times[m.ordinal]) AS joined_at, new_times[m.ordinal] AS at,
            new_requesters[m.ordinal] AS requester, are_seen[m.ordinal] AS is_seen,
            CASE WHEN new_requesters[m.ordinal] IS NOT NULL THEN new_untils[m.ordinal] END AS until_seq,
            m.account <> new_requesters[m.ordinal] AS is_asked,
            -- As MemberRole: the creator of a group owns it.
            coalesce(
                m.role, CASE WHEN new_kinds[m.ordinal] = {ConversationKind.group}
                    AND new_creators[m.ordinal] = m.account THEN {MemberRole.owner} ELSE {MemberRole.member} END
            ) AS role,
            row_number() OVER (PARTITION BY m.account ORDER BY m.place) AS nth,
            count(*) OVER (PARTITION BY m.account) AS total
        FROM unnest(member_ordinals, member_accounts, member_roles) WITH ORDINALITY
            AS m (ordinal, account, role, place)
        WHERE made[m.ordinal] IS NOT NULL
    ),
    advanced AS (
        INSERT INTO conversations.heads AS h (account, position)
        SELECT m.account, count(*)
        FROM member AS m
        GROUP BY m.account
        ORDER BY m.account
        ON CONFLICT (account) DO UPDATE
        SET position = h.position + excluded.position
        RETURNING account, position
    )
    INSERT INTO conversations.members (
        conversation, account, role, joined_at, position, write_until_seq, section, write_refusal, request_at,
        request_read_at)
    SELECT m.conversation, m.account, m.role, m.joined_at, h.position - m.total + m.nth, m.until_seq,
        CASE WHEN m.is_asked THEN {Section.requests} ELSE {Section.inbox} END,
        CASE WHEN m.is_asked THEN {WriteRefusal.acceptFirst} ELSE {WriteRefusal.none} END,
        CASE WHEN m.is_asked THEN m.at END,
        CASE WHEN m.is_asked AND m.is_seen THEN m.at END
    FROM member AS m
    JOIN advanced AS h ON h.account = m.account;

    RETURN ARRAY(
        SELECT c.conversation
        FROM unnest(new_ids) WITH ORDINALITY AS i (id, ordinal)
        JOIN conversations.conversations AS c ON c.conversation_id = i.id
        ORDER BY i.ordinal);
END
$$;
REVOKE ALL ON FUNCTION conversations.import_conversations(
    text[], smallint[], text[], bigint[], bigint[], integer[], bigint[], smallint[], bigint[], text[], text[], bigint[],
    boolean[], bigint[])
FROM PUBLIC;
COMMENT ON FUNCTION conversations.import_conversations(
    text[], smallint[], text[], bigint[], bigint[], integer[], bigint[], smallint[], bigint[], text[], text[], bigint[],
    boolean[], bigint[]) IS
    'Stores conversations that were made elsewhere, with their members. member_ordinals says to which of the '
    'conversations, from 1, each member belongs; without roles the creator owns a group and the others are members. '
    'One with a requester is a request to the other, seen or not, with as many messages as new_untils says; others are '
    'accepted. The last seven arrays may be empty. Everybody reads it from its beginning, also who joined later, and '
    'takes a position of their stream for it, so that Sync finds it. A conversation whose id exists stays as it is, '
    'so a call can be repeated. Returns their numbers in the order of the ids; fails as a whole if an account does not '
    'exist or is erased. It makes no Updates and no system messages, and asks neither blocks nor limits.';
