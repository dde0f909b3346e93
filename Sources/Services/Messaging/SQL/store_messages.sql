-- The one place that numbers messages and stores them: the third step of a send, and of an import. The everyday message
-- takes one statement; what few messages have takes one more each, so that others do not pay for it.
-- Until imported messages kept their ids of before it had sixteen parameters.
DROP FUNCTION IF EXISTS messaging.store_messages(
    bigint[], uuid[], bigint[], smallint[], text[], bigint[], bytea[], bigint[], bigint[], bigint[], text[], uuid[],
    bigint[], text[], boolean[], bigint[]);
CREATE OR REPLACE FUNCTION messaging.store_messages(
    new_conversations bigint[],
    new_ids uuid[],
    new_senders bigint[],
    new_kinds smallint[],
    new_texts text[],
    new_times bigint[],
    new_extras bytea[] DEFAULT '{}',
    new_replies bigint[] DEFAULT '{}',
    new_roots bigint[] DEFAULT '{}',
    new_forwarded bigint[] DEFAULT '{}',
    new_mentions text[] DEFAULT '{}',
    new_attachments uuid[] DEFAULT '{}',
    new_expiries bigint[] DEFAULT '{}',
    new_zones text[] DEFAULT '{}',
    are_stored boolean[] DEFAULT '{}',
    new_versions bigint[] DEFAULT '{}',
    new_legacy_ids text[] DEFAULT '{}',
    OUT seqs bigint[],
    OUT positions bigint[],
    OUT thread_replies bigint[],
    OUT thread_last_seqs bigint[],
    OUT thread_positions bigint[]
)
LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
BEGIN
    WITH item AS MATERIALIZED (
        SELECT i.conversation, i.ordinal::integer AS ordinal, are_stored[i.ordinal] IS NOT FALSE AS is_stored,
            count(*) FILTER (WHERE are_stored[i.ordinal] IS NOT FALSE)
                OVER (PARTITION BY i.conversation ORDER BY i.ordinal ROWS UNBOUNDED PRECEDING) AS nth
        FROM unnest(new_conversations) WITH ORDINALITY AS i (conversation, ordinal)
    ),
    advanced AS (
        UPDATE messaging.heads AS h
        SET seq = h.seq + t.added, position = h.position + t.added,
            members_version = coalesce(t.version, h.members_version)
        FROM (
            SELECT i.conversation, max(i.nth) AS added, max(new_versions[i.ordinal]) AS version
            FROM item AS i
            WHERE i.is_stored OR new_versions[i.ordinal] IS NOT NULL
            GROUP BY i.conversation
        ) AS t
        WHERE h.conversation = t.conversation
        RETURNING h.conversation, h.seq - t.added AS seq, h.position - t.added AS position
    ),
    -- A FULL join cannot become a nested loop over both lists. Every head has an item.
    numbered AS MATERIALIZED (
        SELECT i.conversation, i.ordinal, i.is_stored,
            CASE WHEN i.is_stored THEN h.seq + i.nth END AS seq,
            CASE WHEN i.is_stored THEN h.position + i.nth END AS position
        FROM item AS i
        FULL JOIN advanced AS h ON h.conversation = i.conversation
    ),
    stored AS (
        INSERT INTO messaging.messages (conversation, seq, id, sender, kind, text, sent_at, position, extra,
            reply_to_seq, thread_seq, forwarded_from, mentions, expires_at, time_zone, legacy_id)
        SELECT i.conversation, i.seq, new_ids[i.ordinal], nullif(new_senders[i.ordinal], 0), new_kinds[i.ordinal],
            new_texts[i.ordinal], new_times[i.ordinal], i.position, new_extras[i.ordinal], new_replies[i.ordinal],
            new_roots[i.ordinal], new_forwarded[i.ordinal], new_mentions[i.ordinal]::bigint[], new_expiries[i.ordinal],
            nullif(new_zones[i.ordinal], ''), new_legacy_ids[i.ordinal]
        FROM numbered AS i
        WHERE i.is_stored
    )
    SELECT array_agg(i.seq), array_agg(i.position)
    INTO seqs, positions
    FROM (
        SELECT n.seq, n.position
        FROM numbered AS n
        ORDER BY n.ordinal
    ) AS i;

    IF num_nonnulls(VARIADIC new_mentions) > 0 THEN
        INSERT INTO messaging.mentions (account, conversation, seq, sent_at)
        SELECT unnest(new_mentions[o]::bigint[]), new_conversations[o], seqs[o], new_times[o]
        FROM generate_subscripts(seqs, 1) AS o
        WHERE seqs[o] IS NOT NULL AND new_mentions[o] IS NOT NULL;
    END IF;

    IF num_nonnulls(VARIADIC new_attachments) > 0 THEN
        UPDATE messaging.attachments AS f
        SET seq = seqs[o], unused_at = NULL
        FROM generate_subscripts(seqs, 1) AS o
        WHERE seqs[o] IS NOT NULL AND new_attachments[o] IS NOT NULL
            AND f.conversation = new_conversations[o] AND f.id BETWEEN new_attachments[o] AND new_attachments[o];
    END IF;

    IF num_nonnulls(VARIADIC new_roots) > 0 THEN
        -- By ctid, because with `seq BETWEEN` a plan made on an empty table may read the whole conversation.
        UPDATE messaging.messages AS m
        SET has_replies = true
        WHERE m.ctid = ANY (ARRAY(
            SELECT f.ctid
            FROM generate_subscripts(seqs, 1) AS o
            CROSS JOIN LATERAL (
                SELECT x.ctid, x.has_replies
                FROM messaging.messages AS x
                WHERE x.conversation = new_conversations[o] AND x.seq BETWEEN new_roots[o] AND new_roots[o]
                ORDER BY x.seq
                LIMIT 1
            ) AS f
            WHERE seqs[o] IS NOT NULL AND new_roots[o] IS NOT NULL AND NOT f.has_replies));

        WITH threaded AS (
            INSERT INTO messaging.threads AS h (conversation, seq, replies, last_seq, position)
            SELECT new_conversations[o], new_roots[o], count(*), max(seqs[o]), max(positions[o])
            FROM generate_subscripts(seqs, 1) AS o
            WHERE seqs[o] IS NOT NULL AND new_roots[o] IS NOT NULL
            GROUP BY new_conversations[o], new_roots[o]
            ON CONFLICT (conversation, seq) DO UPDATE
            SET replies = h.replies + excluded.replies, last_seq = excluded.last_seq, position = excluded.position
            RETURNING h.conversation, h.seq, h.replies, h.last_seq, h.position
        )
        SELECT array_agg(t.replies), array_agg(t.last_seq), array_agg(t.position)
        INTO thread_replies, thread_last_seqs, thread_positions
        FROM (
            SELECT h.replies, h.last_seq, h.position
            FROM generate_subscripts(seqs, 1) AS o
            LEFT JOIN threaded AS h ON seqs[o] IS NOT NULL AND h.conversation = new_conversations[o]
                AND h.seq = new_roots[o]
            ORDER BY o
        ) AS t;
    END IF;
END
$$;
REVOKE ALL ON FUNCTION messaging.store_messages(
    bigint[], uuid[], bigint[], smallint[], text[], bigint[], bytea[], bigint[], bigint[], bigint[], text[], uuid[],
    bigint[], text[], boolean[], bigint[], text[])
FROM PUBLIC;
COMMENT ON FUNCTION messaging.store_messages(
    bigint[], uuid[], bigint[], smallint[], text[], bigint[], bytea[], bigint[], bigint[], bigint[], text[], uuid[],
    bigint[], text[], boolean[], bigint[], text[]) IS
    'Gives messages the next seqs and positions of their conversations, in the order of the arrays, and stores them '
    'with the times they have: rows of messages, mentions and threads, the message of an attachment, and the heads. '
    'Those whose are_stored is false are left out, but the head takes the version of members that new_versions has '
    'for one. All arrays but the first six may be empty. Sender 0: the system. Mentions are arrays of accounts, as '
    'text; roots are the first messages of threads. Returns arrays of the same length: null for what was left out. '
    'The last three are null if nothing is in a thread. It checks nothing: the caller holds the heads, which exist, '
    'and has decided that each message may be stored and that no id is known. It leaves journal, inbox and search to '
    'the caller, since they depend on who sees the messages, and on how they came.';
