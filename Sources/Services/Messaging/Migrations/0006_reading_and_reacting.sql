-- Reading messages and reacting to them, many at once; what of it is published; and today's partition of the journal.

CREATE FUNCTION messaging.readers(of_conversation bigint, of_seq bigint, OUT readers bigint[], OUT others bigint[])
LANGUAGE sql STABLE
AS $$
    SELECT coalesce(array_agg(r.account) FILTER (WHERE r.is_shown), '{}'),
        coalesce(array_agg(r.account) FILTER (WHERE NOT r.is_shown), '{}')
    FROM (
        SELECT a.account,
            of_seq = 0 OR h.seq IS NULL OR of_seq >=
                CASE WHEN a.joined_version > h.members_version THEN h.seq + 1 ELSE coalesce(i.visible_from, 1) END
                AS is_shown
        FROM conversations.access AS a
        LEFT JOIN messaging.heads AS h ON h.conversation = a.conversation
        LEFT JOIN LATERAL (
            SELECT x.visible_from
            FROM messaging.inbox AS x
            WHERE x.account = a.account AND x.conversation BETWEEN of_conversation AND of_conversation
            ORDER BY x.conversation
            LIMIT 1
        ) AS i ON true
        WHERE a.conversation = of_conversation AND a.may_read
    ) AS r
$$;
REVOKE ALL ON FUNCTION messaging.readers(bigint, bigint) FROM PUBLIC;
COMMENT ON FUNCTION messaging.readers(bigint, bigint) IS
    'The members to whom a message is shown, and the others, who joined after it; seq 0: all are shown. To be asked under the '
    'lock of the head.';

-- ---------------------------------------------------------------------------------------------------------------------
-- Reading. Group commit as in sending: one call is one transaction and waits for nobody. It takes inbox rows without the
-- head's lock, so it may hold up a send for as long as its commit takes; a row that is held comes back as outcome 2.

CREATE FUNCTION messaging.mark_batch(
    batch_lane integer,
    batch_at bigint,
    batch_accounts bigint[],
    batch_conversations bigint[],
    batch_reads bigint[],
    batch_delivered bigint[]
) RETURNS TABLE (
    ordinal integer,
    outcome smallint,
    number bigint,
    own_position bigint,
    read_seq bigint,
    delivered_seq bigint,
    unread bigint,
    mentions bigint,
    counted_position bigint,
    counted_seq bigint,
    marked_unread boolean,
    pinned_at bigint,
    muted_until bigint,
    archived_at bigint,
    archived_seq bigint,
    cleared_seq bigint,
    first_seq bigint,
    told_above bigint,
    told_read_at bigint,
    told_delivered_at bigint,
    audience bigint[]
)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    touch_after_us CONSTANT bigint := 10000000;
    -- From so many others on nobody is told live: the group is large (DESIGN §7).
    others_most CONSTANT integer := 64;
    -- Of a large group so long is kept as one time of reading.
    one_read_us CONSTANT bigint := 60000000;
    now_us CONSTANT bigint := date_part('epoch', clock_timestamp()) * 1000000;
    last_number bigint;
    held integer[];
    heads_held bigint[];
BEGIN
    SELECT l.number
    INTO STRICT last_number
    FROM messaging.lanes AS l
    WHERE l.lane = batch_lane;

    -- Who reads for the first time has no head yet; making it may wait for another who makes it, so it is tried.
    INSERT INTO messaging.person_heads (account, position)
    SELECT e.account, 0
    FROM (
        SELECT DISTINCT a AS account
        FROM unnest(batch_accounts) AS a
        WHERE NOT EXISTS (SELECT FROM messaging.person_heads AS h WHERE h.account = a)
        ORDER BY a
        OFFSET 0
    ) AS e
    WHERE pg_try_advisory_xact_lock(7305, hashint8(e.account))
    ON CONFLICT DO NOTHING;

    heads_held := ARRAY(
        SELECT h.account
        FROM messaging.person_heads AS h
        WHERE h.account = ANY (batch_accounts)
        ORDER BY h.account
        FOR UPDATE SKIP LOCKED);

    held := ARRAY(
        SELECT i.ordinal::integer
        FROM unnest(batch_accounts, batch_conversations) WITH ORDINALITY AS i (account, conversation, ordinal)
        CROSS JOIN LATERAL (
            SELECT
            FROM messaging.inbox AS b
            WHERE b.account = i.account AND b.conversation BETWEEN i.conversation AND i.conversation
            ORDER BY b.conversation
            LIMIT 1
            FOR UPDATE SKIP LOCKED
        ) AS b
        WHERE i.account = ANY (heads_held));

    RETURN QUERY
    WITH item AS MATERIALIZED (
        SELECT i.ordinal::integer AS ordinal, i.account, i.conversation,
            coalesce(b.account IS NOT NULL AND (a.may_read OR a.left_version IS NOT NULL)
                AND (a.place BETWEEN 1 AND 4 OR a.place = 0 AND h.seq > 0), false) AS is_there,
            i.account = ANY (heads_held) AND (b.account IS NULL OR i.ordinal = ANY (held)) AS is_held,
            a.may_read AND a.write_refusal = 0 AND a.write_until_seq IS NULL AS may_tell,
            b.read_seq, b.delivered_seq, b.marked_unread, b.pinned_at, b.muted_until, b.archived_at, b.archived_seq,
            b.cleared_before, b.position AS own_position, b.place AS row_place,
            -- Replicas' clocks differ; times of one person do not go backwards all the same.
            greatest(batch_at, b.read_at) AS at,
            coalesce(r.read_seq, 0) AS told_read, coalesce(r.read_at, 0) AS told_read_at,
            coalesce(r.delivered_seq, 0) AS told_delivered, coalesce(r.delivered_at, 0) AS told_delivered_at,
            CASE WHEN a.left_version <= h.members_version THEN coalesce(b.visible_to, 0) ELSE h.seq END AS last_seq,
            CASE WHEN a.left_version <= h.members_version THEN coalesce(b.visible_position, 0)
                ELSE h.position END AS last_position,
            greatest(CASE WHEN a.joined_version > h.members_version THEN h.seq + 1 ELSE b.visible_from END,
                b.cleared_before + 1, h.first_seq, 1) AS first_seq,
            i.read AS asked_read, i.delivered AS asked_delivered
        FROM unnest(batch_accounts, batch_conversations, batch_reads, batch_delivered) WITH ORDINALITY
            AS i (account, conversation, read, delivered, ordinal)
        LEFT JOIN LATERAL (
            SELECT x.may_read, x.write_refusal, x.write_until_seq, x.joined_version, x.left_version, x.place
            FROM conversations.access AS x
            WHERE x.conversation = i.conversation AND x.account BETWEEN i.account AND i.account
            ORDER BY x.account
            LIMIT 1
        ) AS a ON true
        LEFT JOIN LATERAL (
            SELECT x.*, x.ctid AS place
            FROM messaging.inbox AS x
            WHERE x.account = i.account AND x.conversation BETWEEN i.conversation AND i.conversation
            ORDER BY x.conversation
            LIMIT 1
        ) AS b ON true
        LEFT JOIN messaging.heads AS h ON h.conversation = b.conversation
        LEFT JOIN messaging.receipts AS r ON r.conversation = b.conversation AND r.account = b.account
    ),
    moved AS MATERIALIZED (
        SELECT i.*,
            greatest(i.read_seq, least(i.asked_read, i.last_seq)) AS new_read,
            greatest(i.delivered_seq, i.read_seq, least(greatest(i.asked_delivered, i.asked_read), i.last_seq))
                AS new_delivered
        FROM item AS i
        WHERE i.is_there AND i.is_held
    ),
    -- Only what is read is a fact of the person's stream: what was delivered concerns the others alone. They are told
    -- what they do not know yet, which is also what was read before it could be told.
    numbered AS MATERIALIZED (
        SELECT m.*,
            m.new_read > m.read_seq AS is_read,
            m.may_tell AND (m.new_read > m.told_read OR m.new_delivered > m.told_delivered) AS is_told,
            count(*) FILTER (WHERE m.new_read > m.read_seq)
                OVER (PARTITION BY m.account ORDER BY m.ordinal ROWS UNBOUNDED PRECEDING) AS nth,
            last_number + count(*) FILTER (WHERE m.new_read > m.read_seq)
                OVER (ORDER BY m.ordinal ROWS UNBOUNDED PRECEDING) AS number
        FROM moved AS m
    ),
    placed AS MATERIALIZED (
        SELECT n.*, CASE WHEN n.is_read THEN p.position + n.nth ELSE n.own_position END AS new_position,
            CASE WHEN n.is_told THEN ARRAY(
                SELECT x.account
                FROM conversations.access AS x
                WHERE x.conversation = n.conversation AND x.may_read AND x.account <> n.account
                LIMIT others_most
            ) END AS audience
        FROM numbered AS n
        JOIN messaging.person_heads AS p ON p.account = n.account
    ),
    headed AS (
        UPDATE messaging.person_heads AS p
        SET position = l.position
        FROM (
            SELECT account, max(new_position) AS position
            FROM placed
            WHERE is_read
            GROUP BY account
        ) AS l
        WHERE p.account = l.account
    ),
    -- Touched as by a send: a row that was touched a moment ago is found by Sync anyway.
    kept AS (
        UPDATE messaging.inbox AS b
        SET read_seq = p.new_read,
            read_at = CASE WHEN p.is_read THEN p.at ELSE b.read_at END,
            delivered_seq = p.new_delivered,
            delivered_at = CASE WHEN p.new_delivered > b.delivered_seq THEN batch_at ELSE b.delivered_at END,
            marked_unread = b.marked_unread AND NOT p.is_read,
            touched_at = CASE WHEN p.is_read AND b.touched_at < now_us - touch_after_us THEN now_us
                ELSE b.touched_at END,
            position = p.new_position
        FROM placed AS p
        WHERE (p.is_read OR p.new_delivered > p.delivered_seq)
            AND b.ctid = p.row_place
    ),
    told AS (
        INSERT INTO messaging.receipts AS r (conversation, account, read_seq, read_at, delivered_seq, delivered_at)
        SELECT p.conversation, p.account, p.new_read,
            CASE WHEN p.new_read > p.told_read THEN p.at ELSE p.told_read_at END,
            p.new_delivered,
            CASE WHEN p.new_delivered > p.told_delivered THEN batch_at ELSE p.told_delivered_at END
        FROM placed AS p
        WHERE p.is_told
        ON CONFLICT (conversation, account) DO UPDATE
        SET read_at = CASE WHEN excluded.read_seq > r.read_seq THEN excluded.read_at ELSE r.read_at END,
            read_seq = greatest(r.read_seq, excluded.read_seq),
            delivered_at = CASE WHEN excluded.delivered_seq > r.delivered_seq THEN excluded.delivered_at
                ELSE r.delivered_at END,
            delivered_seq = greatest(r.delivered_seq, excluded.delivered_seq)
    ),
    -- The last row moves on while the one before it is young: so no time is later than it was by more than that.
    continued AS (
        UPDATE messaging.reads AS t
        SET seq = p.new_read, at = p.at
        FROM placed AS p
        CROSS JOIN LATERAL (
            SELECT x.ctid AS place
            FROM messaging.reads AS x
            WHERE x.conversation = p.conversation AND x.account = p.account
            ORDER BY x.seq DESC
            LIMIT 1
        ) AS last
        CROSS JOIN LATERAL (
            SELECT x.at
            FROM messaging.reads AS x
            WHERE x.conversation = p.conversation AND x.account = p.account
            ORDER BY x.seq DESC
            OFFSET 1
            LIMIT 1
        ) AS before
        WHERE p.is_told AND p.new_read > p.told_read AND cardinality(p.audience) >= others_most
            AND before.at > p.at - one_read_us
            AND t.ctid = last.place
        RETURNING p.ordinal
    ),
    timed AS (
        INSERT INTO messaging.reads (conversation, account, seq, at)
        SELECT p.conversation, p.account, p.new_read, p.at
        FROM placed AS p
        WHERE p.is_told AND p.new_read > p.told_read AND p.ordinal NOT IN (SELECT c.ordinal FROM continued AS c)
        ON CONFLICT DO NOTHING
    ),
    published AS (
        SELECT min(p.number) AS first_number, max(p.number) AS last_used,
            array_agg(3::smallint ORDER BY p.number) AS kinds,
            array_agg(p.account ORDER BY p.number) AS subjects,
            array_agg(p.conversation ORDER BY p.number) AS objects,
            array_agg(p.new_position ORDER BY p.number) AS positions,
            array_agg(1::smallint ORDER BY p.number) AS audience_counts
        FROM placed AS p
        WHERE p.is_read
    ),
    counted AS (
        UPDATE messaging.lanes AS l
        SET number = p.last_used
        FROM published AS p
        WHERE l.lane = batch_lane AND p.last_used IS NOT NULL
    ),
    journaled AS (
        INSERT INTO messaging.journal
            (lane, number, at, kinds, subjects, objects, positions, audience_counts, audience)
        SELECT batch_lane, p.first_number, now_us, p.kinds, p.subjects, p.objects, p.positions, p.audience_counts,
            p.subjects
        FROM published AS p
        WHERE p.last_used IS NOT NULL
    )
    SELECT p.ordinal,
        (CASE WHEN p.is_read OR p.is_told OR p.new_delivered > p.delivered_seq THEN 0 ELSE 1 END)::smallint,
        CASE WHEN p.is_read THEN p.number END,
        p.new_position, p.new_read, p.new_delivered, u.unread, u.mentions, p.last_position, p.last_seq,
        p.marked_unread AND NOT p.is_read, p.pinned_at, p.muted_until, p.archived_at, p.archived_seq,
        p.cleared_before, p.first_seq, least(p.told_read, p.told_delivered),
        CASE WHEN p.new_read > p.told_read THEN p.at ELSE p.told_read_at END,
        CASE WHEN p.new_delivered > p.told_delivered THEN batch_at ELSE p.told_delivered_at END,
        p.audience
    FROM placed AS p
    CROSS JOIN LATERAL messaging.unread(
        p.account, p.conversation, greatest(p.new_read, p.first_seq - 1), p.last_seq, batch_at) AS u
    UNION ALL
    SELECT i.ordinal, (CASE WHEN i.is_held THEN 3 ELSE 2 END)::smallint, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM item AS i
    WHERE NOT (i.is_there AND i.is_held);
END
$$;
REVOKE ALL ON FUNCTION messaging.mark_batch(integer, bigint, bigint[], bigint[], bigint[], bigint[]) FROM PUBLIC;
COMMENT ON FUNCTION messaging.mark_batch(integer, bigint, bigint[], bigint[], bigint[], bigint[]) IS
    'Moves what people have read and what has reached them, forwards only; each pair of account and conversation once a batch. '
    'Outcomes: 0 moved, 1 stands as it stood, 2 held by another (next batch), 3 nothing to read there. With the state as it '
    'now stands; number: of the journal, where read_seq moved; audience: the others who may know, null: nothing new for '
    'anybody or nobody may, 64 of them: too many to be told live; told_above: what they knew before.';

-- ---------------------------------------------------------------------------------------------------------------------
-- Reacting. Group commit: all that comes to one message in one batch is one change of it.

CREATE FUNCTION messaging.react_batch(
    batch_lane integer,
    batch_at bigint,
    batch_conversations bigint[],
    batch_seqs bigint[],
    batch_accounts bigint[],
    batch_emoji text[],
    batch_removals boolean[],
    emoji_most integer
) RETURNS TABLE (
    ordinal integer,
    outcome smallint,
    number bigint,
    "position" bigint,
    emoji text[],
    counts bigint[],
    audience bigint[],
    others bigint[]
)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    touch_after_us CONSTANT bigint := 10000000;
    now_us CONSTANT bigint := date_part('epoch', clock_timestamp()) * 1000000;
    first_number bigint;
    last_number bigint;
    locked bigint[];
    told record;
    item record;
    message record;
    member record;
    place integer;
    done integer;
    result smallint;
    changed boolean;
    new_position bigint;
    outcomes smallint[];
    ordinals integer[];
    readers bigint[];
    journal_kinds smallint[] := '{}';
    journal_subjects bigint[] := '{}';
    journal_objects bigint[] := '{}';
    journal_positions bigint[] := '{}';
    journal_counts smallint[] := '{}';
    journal_audience bigint[] := '{}';
BEGIN
    SELECT l.number
    INTO STRICT last_number
    FROM messaging.lanes AS l
    WHERE l.lane = batch_lane;
    first_number := last_number + 1;

    locked := ARRAY(
        SELECT h.conversation
        FROM messaging.heads AS h
        WHERE h.conversation = ANY (batch_conversations)
        ORDER BY h.conversation
        FOR UPDATE SKIP LOCKED);

    FOR told IN
        SELECT i.conversation, i.seq, array_agg(i.ordinal::integer ORDER BY i.ordinal) AS ordinals
        FROM unnest(batch_conversations, batch_seqs) WITH ORDINALITY AS i (conversation, seq, ordinal)
        GROUP BY i.conversation, i.seq
        ORDER BY i.conversation, i.seq
    LOOP
        IF NOT told.conversation = ANY (locked) THEN
            RETURN QUERY
            SELECT o, (CASE WHEN EXISTS (SELECT FROM messaging.heads AS h WHERE h.conversation = told.conversation)
                THEN 2 ELSE 3 END)::smallint, NULL::bigint, NULL::bigint, NULL::text[], NULL::bigint[], NULL::bigint[],
                NULL::bigint[]
            FROM unnest(told.ordinals) AS o;
            CONTINUE;
        END IF;

        SELECT m.ctid AS place, m.seq, m.kind, m.deleted_at, m.expires_at, m.position, coalesce(m.reactions, '{}') AS reactions,
            coalesce(m.reaction_counts, '{}') AS counts
        INTO message
        FROM messaging.messages AS m
        WHERE m.conversation = told.conversation AND m.seq BETWEEN told.seq AND told.seq
        ORDER BY m.seq
        LIMIT 1;

        changed := false;
        outcomes := '{}';
        FOR item IN
            SELECT o AS ordinal, batch_accounts[o] AS account, batch_emoji[o] AS emoji, batch_removals[o] AS removal
            FROM unnest(told.ordinals) AS o
        LOOP
            SELECT x.may_read, x.write_refusal, x.place,
                greatest(CASE WHEN x.joined_version > h.members_version THEN h.seq + 1 ELSE b.visible_from END,
                    b.cleared_before + 1, h.first_seq, 1) AS first_seq
            INTO member
            FROM conversations.access AS x
            JOIN messaging.heads AS h ON h.conversation = x.conversation
            LEFT JOIN LATERAL (
                SELECT y.visible_from, y.cleared_before
                FROM messaging.inbox AS y
                WHERE y.account = item.account AND y.conversation BETWEEN told.conversation AND told.conversation
                ORDER BY y.conversation
                LIMIT 1
            ) AS b ON true
            WHERE x.conversation = told.conversation AND x.account BETWEEN item.account AND item.account
            ORDER BY x.account
            LIMIT 1;

            result := CASE
                WHEN member.may_read IS NOT TRUE OR member.place = 5 THEN 3
                WHEN member.write_refusal <> 0 THEN (ARRAY[5, 4, 3])[member.write_refusal]
                WHEN message.seq IS NULL OR message.seq < member.first_seq OR message.kind = 6 THEN 8
                WHEN message.deleted_at IS NOT NULL OR message.expires_at <= batch_at THEN 10
                ELSE 1 END;
            IF result = 1 THEN
                place := array_position(message.reactions, item.emoji);
                IF item.removal THEN
                    DELETE FROM messaging.reactions AS r
                    WHERE r.ctid = ANY (ARRAY(
                        SELECT x.ctid
                        FROM messaging.reactions AS x
                        WHERE x.conversation = told.conversation AND x.seq = told.seq AND x.account = item.account
                            AND x.emoji BETWEEN item.emoji AND item.emoji
                        ORDER BY x.conversation, x.seq, x.account, x.emoji
                        LIMIT 1));
                    GET DIAGNOSTICS done = ROW_COUNT;
                    IF done > 0 THEN
                        result := 0;
                        message.counts[place] := message.counts[place] - 1;
                        IF message.counts[place] = 0 THEN
                            message.reactions := message.reactions[:place - 1] || message.reactions[place + 1:];
                            message.counts := message.counts[:place - 1] || message.counts[place + 1:];
                        END IF;
                    END IF;
                ELSIF place IS NULL AND cardinality(message.reactions) >= emoji_most THEN
                    result := 11;
                ELSE
                    INSERT INTO messaging.reactions (conversation, seq, account, emoji, at)
                    VALUES (told.conversation, told.seq, item.account, item.emoji, batch_at)
                    ON CONFLICT DO NOTHING;
                    GET DIAGNOSTICS done = ROW_COUNT;
                    IF done > 0 THEN
                        result := 0;
                        IF place IS NULL THEN
                            message.reactions := message.reactions || item.emoji;
                            message.counts := message.counts || 1::bigint;
                        ELSE
                            message.counts[place] := message.counts[place] + 1;
                        END IF;
                    END IF;
                END IF;
            END IF;
            changed := changed OR result = 0;
            outcomes := outcomes || result;
        END LOOP;

        readers := NULL;
        others := NULL;
        new_position := message.position;
        IF changed THEN
            UPDATE messaging.heads AS h
            SET position = h.position + 1
            WHERE h.conversation = told.conversation
            RETURNING h.position INTO new_position;

            UPDATE messaging.messages AS m
            SET position = new_position, changed_at = batch_at, reactions = message.reactions,
                reaction_counts = message.counts
            WHERE m.ctid = message.place;

            SELECT w.readers, w.others
            INTO readers, others
            FROM messaging.readers(told.conversation, told.seq) AS w;
            -- As a send does: who syncs later is told that there is news.
            INSERT INTO messaging.inbox AS y (account, conversation, touched_at)
            SELECT r.account, told.conversation, now_us
            FROM unnest(readers || others) AS r (account)
            LEFT JOIN LATERAL (
                SELECT x.touched_at
                FROM messaging.inbox AS x
                WHERE x.account = r.account AND x.conversation BETWEEN told.conversation AND told.conversation
                ORDER BY x.conversation
                LIMIT 1
            ) AS b ON true
            WHERE b.touched_at IS NULL OR b.touched_at < now_us - touch_after_us
            ON CONFLICT (account, conversation) DO UPDATE
            SET touched_at = excluded.touched_at;

            last_number := last_number + 1;
            journal_kinds := journal_kinds || 5::smallint;
            journal_subjects := journal_subjects || told.conversation;
            journal_objects := journal_objects || told.seq;
            journal_positions := journal_positions || new_position;
            journal_counts := journal_counts || cardinality(readers)::smallint;
            journal_audience := journal_audience || readers;
            -- Who joined after the message counts the position and is told nothing.
            IF cardinality(others) > 0 THEN
                journal_kinds := journal_kinds || 6::smallint;
                journal_subjects := journal_subjects || told.conversation;
                journal_objects := journal_objects || told.seq;
                journal_positions := journal_positions || new_position;
                journal_counts := journal_counts || cardinality(others)::smallint;
                journal_audience := journal_audience || others;
            END IF;
        END IF;

        RETURN QUERY
        SELECT o.ordinal, o.outcome, CASE WHEN changed THEN last_number END, new_position, message.reactions,
            message.counts, readers, others
        FROM unnest(told.ordinals, outcomes) AS o (ordinal, outcome);
        IF changed AND cardinality(others) > 0 THEN
            last_number := last_number + 1;
        END IF;
    END LOOP;

    IF last_number >= first_number THEN
        UPDATE messaging.lanes AS l
        SET number = last_number
        WHERE l.lane = batch_lane;

        INSERT INTO messaging.journal
            (lane, number, at, kinds, subjects, objects, positions, audience_counts, audience)
        VALUES (batch_lane, first_number, now_us, journal_kinds,
            journal_subjects, journal_objects, journal_positions, journal_counts, journal_audience);
    END IF;
END
$$;
REVOKE ALL ON FUNCTION
    messaging.react_batch(integer, bigint, bigint[], bigint[], bigint[], text[], boolean[], integer) FROM PUBLIC;
COMMENT ON FUNCTION
    messaging.react_batch(integer, bigint, bigint[], bigint[], bigint[], text[], boolean[], integer) IS
    'Puts emoji to messages and takes them back, in the order of the batch. Outcomes: 0 changed, 1 was so already, 2 locked by '
    'another (next batch), 3 not_member, 4 user_blocked, 5 accept_first, 8 message_not_found, 10 message_deleted, 11 '
    'too_many_reactions. Number, position, emoji, counts, audience and others (who joined after it; the next number, kind 6) are the message''s, the same in all its rows.';

COMMENT ON COLUMN messaging.journal.kinds IS
    'What changed: 1 message, 2 message of a pending request, 3 somebody''s inbox, 4 their flags of a message, 5 reactions of a '
    'message, 6 a change of a message that is before the window of these people.';
COMMENT ON COLUMN messaging.journal.subjects IS 'Conversation whose stream messaging/c it is; kinds 3 and 4: account, messaging/u.';
COMMENT ON COLUMN messaging.journal.objects IS 'Seq of the message; kinds 3 and 4: the conversation.';

-- ---------------------------------------------------------------------------------------------------------------------
-- What is published to entities: not what was deleted, has disappeared or was hidden.

CREATE OR REPLACE VIEW messaging.readable AS
SELECT a.account, m.conversation, m.seq, m.id, m.sender, m.kind, m.text, m.sent_at, m.position
FROM conversations.access AS a
JOIN messaging.heads AS h ON h.conversation = a.conversation
JOIN messaging.messages AS m ON m.conversation = a.conversation
LEFT JOIN LATERAL (
    SELECT i.visible_from, i.visible_to, i.cleared_before
    FROM messaging.inbox AS i
    WHERE i.account = a.account AND i.conversation BETWEEN a.conversation AND a.conversation
    ORDER BY i.conversation
    LIMIT 1
) AS b ON true
WHERE (a.may_read OR a.left_version IS NOT NULL)
    AND m.seq >= CASE WHEN a.joined_version > h.members_version THEN h.seq + 1 ELSE coalesce(b.visible_from, 1) END
    AND m.seq <= CASE WHEN a.left_version <= h.members_version THEN b.visible_to ELSE h.seq END
    AND m.seq > coalesce(b.cleared_before, 0)
    AND m.deleted_at IS NULL
    AND (m.expires_at IS NULL OR m.expires_at > extract(epoch FROM now()) * 1000000)
    AND NOT EXISTS (
        SELECT
        FROM messaging.flags AS f
        WHERE f.account = a.account AND f.conversation = m.conversation AND f.seq BETWEEN m.seq AND m.seq
            AND f.hidden_at IS NOT NULL
    );

-- ---------------------------------------------------------------------------------------------------------------------
-- Making today's partition of the journal moves rows out of the default one. Who wrote or read at that instant, and had chosen
-- partitions before, failed (23514) or saw neither; now they wait. Everything else is as in 0003.

CREATE OR REPLACE FUNCTION messaging.keep_journal(now_us bigint) RETURNS integer
LANGUAGE plpgsql
SET search_path = pg_catalog
SET lock_timeout = '100ms'
AS $$
DECLARE
    day_us CONSTANT bigint := 86400000000;
    database_us CONSTANT bigint := extract(epoch FROM clock_timestamp()) * 1000000;
    over_us CONSTANT bigint := least(now_us, database_us) - 7 * day_us;
    starts_at bigint;
    partition text;
    changed integer := 0;
    is_held boolean := false;
BEGIN
    IF NOT pg_try_advisory_xact_lock(7304, hashtext('messaging')) THEN
        RETURN 0;
    END IF;

    -- Each step waits only shortly for a lock, since others wait behind it meanwhile; what is held is left to the next
    -- call. Dropping stops all writers for an instant. It comes first: with the default partition locked already, it
    -- and a reader could wait for each other.
    FOR partition IN
        SELECT c.relname
        FROM pg_inherits AS i
        JOIN pg_class AS c ON c.oid = i.inhrelid
        WHERE i.inhparent = to_regclass('messaging.journal')
            AND c.relname ~ '^journal_[0-9]{8}$'
            AND c.relname::text COLLATE "C"
                < 'journal_' || to_char(to_timestamp(over_us / 1000000) AT TIME ZONE 'UTC', 'YYYYMMDD')
        ORDER BY c.relname
    LOOP
        BEGIN
            EXECUTE format('DROP TABLE messaging.%I', partition);
            changed := changed + 1;
        EXCEPTION WHEN lock_not_available THEN
            is_held := true;
        END;
        EXIT WHEN is_held;
    END LOOP;

    -- ATTACH, unlike CREATE … PARTITION OF, lets writers of the other partitions go on.
    FOR starts_at IN
        SELECT database_us - database_us % day_us + ahead * day_us
        FROM generate_series(0, 3) AS ahead
    LOOP
        partition := 'journal_' || to_char(to_timestamp(starts_at / 1000000) AT TIME ZONE 'UTC', 'YYYYMMDD');
        CONTINUE WHEN to_regclass(format('messaging.%I', partition)) IS NOT NULL;
        BEGIN
            EXECUTE format('CREATE TABLE messaging.%I (LIKE messaging.journal INCLUDING ALL)', partition);
            EXECUTE format('COMMENT ON TABLE messaging.%I IS %L', partition, 'One day of the journal (UTC).');
            -- Today's rows may be in the default partition, and who is about to write or read them has already looked for
            -- the partition they are in: they wait for it before they look.
            IF starts_at <= database_us THEN
                LOCK TABLE messaging.journal IN ACCESS EXCLUSIVE MODE;
            END IF;
            LOCK TABLE messaging.journal_default IN ACCESS EXCLUSIVE MODE;
            EXECUTE format(
                'WITH moved AS (DELETE FROM messaging.journal_default WHERE at >= %1$s AND at < %2$s RETURNING *) '
                'INSERT INTO messaging.%3$I SELECT * FROM moved',
                starts_at, starts_at + day_us, partition);
            EXECUTE format(
                'ALTER TABLE messaging.journal ATTACH PARTITION messaging.%I FOR VALUES FROM (%s) TO (%s)',
                partition, starts_at, starts_at + day_us);
            changed := changed + 1;
        EXCEPTION WHEN lock_not_available THEN
            is_held := true;
        END;
    END LOOP;

    BEGIN
        DELETE FROM messaging.journal_default
        WHERE at < over_us;
    EXCEPTION WHEN lock_not_available THEN
        is_held := true;
    END;
    RETURN CASE WHEN is_held THEN -1 ELSE changed END;
END
$$;
