-- Messages that were sent elsewhere, with the times they have: what an importer calls, and a bench that needs a full
-- database. It does what a send does around messaging.store_messages, for whoever reads the conversation.
-- Until replies, mentions and ids of before were imported it had nine parameters.
DROP FUNCTION IF EXISTS messaging.import_messages(
    bigint, bigint[], uuid[], bigint[], smallint[], text[], bigint[], bytea[], text[]);
CREATE OR REPLACE FUNCTION messaging.import_messages(
    at_us bigint,
    new_conversations bigint[],
    new_ids uuid[],
    new_senders bigint[],
    new_kinds smallint[],
    new_texts text[],
    new_times bigint[],
    new_extras bytea[] DEFAULT '{}',
    new_words text[] DEFAULT '{}',
    new_legacy_ids text[] DEFAULT '{}',
    new_replies uuid[] DEFAULT '{}',
    new_mentions text[] DEFAULT '{}'
) RETURNS bigint[]
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_custom_plan
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    here CONSTANT bigint[] := ARRAY(SELECT DISTINCT c FROM unnest(new_conversations) AS c ORDER BY c);
    unknown bigint[];
    are_new boolean[];
    expiries bigint[];
    seqs bigint[];
    answered bigint[] := '{}';
    answered_here integer[];
    roots bigint[] := '{}';
BEGIN
    unknown := ARRAY(
        SELECT c
        FROM unnest(here) AS c
        WHERE NOT EXISTS (SELECT FROM conversations.conversation_ids AS i WHERE i.conversation = c));
    IF unknown <> '{}' THEN
        RAISE foreign_key_violation USING MESSAGE = 'conversations do not exist: ' || unknown::text;
    END IF;

    -- As in messaging.lock_heads, but it waits, also for a send that makes a head.
    PERFORM pg_advisory_xact_lock({AdvisoryLock.head}, l.key)
    FROM (
        SELECT DISTINCT hashint8(c) AS key
        FROM unnest(here) AS c
        WHERE NOT EXISTS (SELECT FROM messaging.heads AS h WHERE h.conversation = c)
        ORDER BY 1
    ) AS l;
    INSERT INTO messaging.heads (conversation)
    SELECT c
    FROM unnest(here) AS c
    WHERE NOT EXISTS (SELECT FROM messaging.heads AS h WHERE h.conversation = c)
    ORDER BY c
    ON CONFLICT DO NOTHING;
    PERFORM
    FROM messaging.heads AS h
    WHERE h.conversation = ANY (here)
    ORDER BY h.conversation
    FOR UPDATE;
    PERFORM messaging.note_members(here, at_us);

    SELECT array_agg(i.is_new), array_agg(i.expires_at)
    INTO are_new, expiries
    FROM (
        SELECT row_number() OVER (PARTITION BY n.conversation, n.id ORDER BY n.ordinal) = 1
                AND NOT EXISTS (
                    SELECT
                    FROM messaging.messages AS m
                    WHERE m.conversation = n.conversation AND m.id = n.id
                ) AS is_new,
            CASE WHEN h.retention_us > 0 AND n.kind <> {MessageKind.system}
                THEN n.sent_at + h.retention_us END AS expires_at
        FROM unnest(new_conversations, new_ids, new_kinds, new_times) WITH ORDINALITY
            AS n (conversation, id, kind, sent_at, ordinal)
        LEFT JOIN messaging.heads AS h ON h.conversation = n.conversation
        ORDER BY n.ordinal
    ) AS i;

    IF num_nonnulls(VARIADIC new_replies) > 0 THEN
        -- A reply answers a message that is stored, or one before it here, by the seq that this will have.
        WITH item AS MATERIALIZED (
            SELECT n.conversation, n.id, n.reply, n.ordinal::integer AS ordinal, are_new[n.ordinal] AS is_new,
                h.seq + count(*) FILTER (WHERE are_new[n.ordinal]) OVER (
                    PARTITION BY n.conversation ORDER BY n.ordinal ROWS UNBOUNDED PRECEDING) AS seq
            FROM unnest(new_conversations, new_ids, new_replies) WITH ORDINALITY AS n (conversation, id, reply, ordinal)
            JOIN messaging.heads AS h ON h.conversation = n.conversation
        )
        SELECT array_agg(coalesce(e.seq, m.seq) ORDER BY i.ordinal), array_agg(e.ordinal ORDER BY i.ordinal),
            array_agg(coalesce(m.thread_seq, m.seq) ORDER BY i.ordinal)
        INTO answered, answered_here, roots
        FROM item AS i
        LEFT JOIN item AS e ON e.conversation = i.conversation AND e.id = i.reply AND e.is_new AND e.ordinal < i.ordinal
        LEFT JOIN LATERAL (
            SELECT x.seq, x.thread_seq
            FROM messaging.messages AS x
            WHERE e.id IS NULL AND x.conversation = i.conversation AND x.id BETWEEN i.reply AND i.reply
            ORDER BY x.id
            LIMIT 1
        ) AS m ON true;
        FOR o IN 1..cardinality(answered) LOOP
            IF answered_here[o] IS NOT NULL THEN
                roots[o] := coalesce(roots[answered_here[o]], answered[o]);
            END IF;
        END LOOP;
    END IF;

    SELECT s.seqs
    INTO seqs
    FROM messaging.store_messages(
        new_conversations, new_ids, new_senders, new_kinds, new_texts, new_times, new_extras, new_expiries => expiries,
        are_stored => are_new, new_replies => answered, new_roots => roots, new_mentions => new_mentions,
        new_legacy_ids => new_legacy_ids) AS s;

    INSERT INTO messaging.inbox AS i (account, conversation, touched_at, news_at)
    SELECT a.account, t.conversation, at_us, t.newest
    FROM (
        SELECT new_conversations[o] AS conversation, max(new_times[o]) AS newest
        FROM generate_subscripts(seqs, 1) AS o
        WHERE seqs[o] IS NOT NULL
        GROUP BY new_conversations[o]
    ) AS t
    JOIN conversations.access AS a ON a.conversation = t.conversation
    WHERE a.may_read
    ORDER BY a.conversation, a.account
    ON CONFLICT (account, conversation) DO UPDATE
    SET touched_at = greatest(i.touched_at, excluded.touched_at), news_at = greatest(i.news_at, excluded.news_at);

    IF new_words = '{}' THEN
        INSERT INTO messaging.search_backlog AS b (conversation, seq)
        SELECT new_conversations[o], max(seqs[o])
        FROM generate_subscripts(seqs, 1) AS o
        WHERE seqs[o] IS NOT NULL
        GROUP BY new_conversations[o]
        ON CONFLICT (conversation) DO UPDATE
        SET seq = greatest(b.seq, excluded.seq);
    ELSE
        PERFORM messaging.lock_words(here);
        INSERT INTO messaging.search (conversation, seq, document)
        SELECT new_conversations[o], seqs[o],
            array_to_tsvector(ARRAY(
                SELECT to_hex(new_conversations[o]) || '.' || to_hex(seqs[o] >> 12) || '.' || word
                FROM string_to_table(new_words[o], ' ') AS word))
        FROM generate_subscripts(seqs, 1) AS o
        WHERE seqs[o] IS NOT NULL AND new_words[o] <> '';
    END IF;
    RETURN seqs;
END
$$;
REVOKE ALL ON FUNCTION messaging.import_messages(
    bigint, bigint[], uuid[], bigint[], smallint[], text[], bigint[], bytea[], text[], text[], uuid[], text[])
FROM PUBLIC;
COMMENT ON FUNCTION messaging.import_messages(
    bigint, bigint[], uuid[], bigint[], smallint[], text[], bigint[], bytea[], text[], text[], uuid[], text[]) IS
    'Stores messages that were sent elsewhere, in the order of the arrays, behind those that their conversations '
    'have. Times are stored as given; sender 0: the system. A message whose id its conversation has, or had earlier '
    'in the arrays, is left out, so a call can be repeated. Everybody who reads a conversation finds it in the inbox '
    'by the time of its newest message, and by Sync as touched at at_us: the time by the database''s clock once '
    'anybody uses Parley. The words of each message, separated by spaces, are indexed at once; without them the '
    'service indexes the messages within a minute. Returns the seqs, null for messages that were left out; fails as a '
    'whole if a conversation does not exist or a value is missing. It asks nobody''s rights and makes no Updates: who '
    'is connected hears of it at the next Sync, and no suggestions or counts come of it. new_replies has the id of the '
    'message that one answers, which is stored or stands before it; of others the reply is left out. Mentions are '
    'arrays of accounts, as text. All arrays but the first six may be empty. Each conversation without messages takes '
    'a lock, so name at most some thousands of them.';
