-- Conversations that were made elsewhere, with their ids and times: what an importer calls, and a bench that needs a
-- database that has grown.
CREATE OR REPLACE FUNCTION conversations.import_conversations(
    new_ids text[],
    new_kinds smallint[],
    new_names text[],
    new_creators bigint[],
    new_times bigint[],
    member_ordinals integer[],
    member_accounts bigint[],
    member_roles smallint[] DEFAULT '{}'
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
        INSERT INTO conversations.conversations
            (conversation_id, kind, name, created_by, created_at, member_count, members_key)
        SELECT i.id, i.kind, normalize(i.name, NFC), i.creator, i.at, coalesce(m.members, 0), coalesce(m.key, 0)
        FROM item AS i
        LEFT JOIN (
            SELECT p.ordinal, count(*) AS members, bit_xor(hashint8extended(p.account, 0)) AS key
            FROM unnest(member_ordinals, member_accounts) AS p (ordinal, account)
            GROUP BY p.ordinal
        ) AS m ON m.ordinal = i.ordinal
        WHERE i.is_first
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
        SELECT made[m.ordinal] AS conversation, m.account, new_times[m.ordinal] AS joined_at,
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
    INSERT INTO conversations.members (conversation, account, role, joined_at, position)
    SELECT m.conversation, m.account, m.role, m.joined_at, h.position - m.total + m.nth
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
    text[], smallint[], text[], bigint[], bigint[], integer[], bigint[], smallint[]) FROM PUBLIC;
COMMENT ON FUNCTION conversations.import_conversations(
    text[], smallint[], text[], bigint[], bigint[], integer[], bigint[], smallint[]) IS
    'Stores accepted conversations that were made elsewhere, with their members. member_ordinals says to which of the '
    'conversations, from 1, each member belongs; without roles the creator owns a group and the others are members. '
    'Everybody has been a member since the conversation was made, and takes a position of their stream for it, so '
    'that Sync finds it. A conversation whose id exists stays as it is, so a call can be repeated. Returns their '
    'numbers in the order of the ids; fails as a whole if an account does not exist or is erased. It makes no Updates '
    'and no system messages, and asks neither blocks nor limits.';
