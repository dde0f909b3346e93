-- Reactions that people gave elsewhere to messages that are stored.
CREATE OR REPLACE FUNCTION messaging.import_reactions(
    at_us bigint,
    of_conversations bigint[],
    of_ids uuid[],
    of_accounts bigint[],
    new_emoji text[],
    new_times bigint[]
) RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_custom_plan
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    changed bigint;
    here bigint[];
    seqs bigint[];
BEGIN
    PERFORM messaging.lock_imported(of_conversations, at_us);
    WITH added AS (
        INSERT INTO messaging.reactions (conversation, seq, account, emoji, at)
        SELECT i.conversation, m.seq, i.account, i.emoji, i.at
        FROM unnest(of_conversations, of_ids, of_accounts, new_emoji, new_times)
            AS i (conversation, id, account, emoji, at)
        CROSS JOIN LATERAL (
            SELECT x.seq, x.deleted_at
            FROM messaging.messages AS x
            WHERE x.conversation = i.conversation AND x.id BETWEEN i.id AND i.id
            ORDER BY x.id
            LIMIT 1
        ) AS m
        WHERE m.deleted_at IS NULL
        ON CONFLICT DO NOTHING
        RETURNING conversation, seq
    )
    SELECT array_agg(a.conversation), array_agg(a.seq)
    INTO here, seqs
    FROM (
        SELECT DISTINCT conversation, seq
        FROM added
        ORDER BY conversation, seq
    ) AS a;
    changed := coalesce(cardinality(here), 0);
    IF changed = 0 THEN
        RETURN 0;
    END IF;

    WITH item AS MATERIALIZED (
        SELECT i.conversation, i.seq, row_number() OVER (PARTITION BY i.conversation ORDER BY i.seq) AS nth,
            count(*) OVER (PARTITION BY i.conversation) AS total
        FROM unnest(here, seqs) AS i (conversation, seq)
    ),
    advanced AS (
        UPDATE messaging.heads AS h
        SET position = h.position + t.total
        FROM (SELECT DISTINCT conversation, total FROM item) AS t
        WHERE h.conversation = t.conversation
        RETURNING h.conversation, h.position
    )
    UPDATE messaging.messages AS m
    SET reactions = r.emoji, reaction_counts = r.counts, changed_at = at_us, position = h.position - i.total + i.nth
    FROM item AS i
    JOIN advanced AS h ON h.conversation = i.conversation
    CROSS JOIN LATERAL (
        SELECT array_agg(e.emoji ORDER BY e.first_at, e.emoji) AS emoji,
            array_agg(e.people ORDER BY e.first_at, e.emoji) AS counts
        FROM (
            SELECT x.emoji, min(x.at) AS first_at, count(*) AS people
            FROM messaging.reactions AS x
            WHERE x.conversation = i.conversation AND x.seq = i.seq
            GROUP BY x.emoji
        ) AS e
    ) AS r
    WHERE m.conversation = i.conversation AND m.seq = i.seq;
    PERFORM messaging.touch_readers(here, at_us);
    RETURN changed;
END
$$;
REVOKE ALL ON FUNCTION messaging.import_reactions(bigint, bigint[], uuid[], bigint[], text[], bigint[]) FROM PUBLIC;
COMMENT ON FUNCTION messaging.import_reactions(bigint, bigint[], uuid[], bigint[], text[], bigint[]) IS
    'Adds reactions to stored messages that are not deleted, at the times of then. Each message that gets one takes '
    'the next position of its conversation; those that are known change nothing, so a call can be repeated. Returns '
    'how many messages changed. It asks nobody''s rights and makes no Updates.';
