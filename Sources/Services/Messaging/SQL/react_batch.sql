-- Reactions. Group commit: all reactions to one message in one batch are one change of it.
CREATE OR REPLACE FUNCTION messaging.react_batch(
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
    target record;
    item record;
    message record;
    member record;
    emoji_index integer;
    done integer;
    result smallint;
    changed boolean;
    new_position bigint;
    seen_version bigint;
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

    FOR target IN
        SELECT i.conversation, i.seq, array_agg(i.ordinal::integer ORDER BY i.ordinal) AS ordinals
        FROM unnest(batch_conversations, batch_seqs) WITH ORDINALITY AS i (conversation, seq, ordinal)
        GROUP BY i.conversation, i.seq
        ORDER BY i.conversation, i.seq
    LOOP
        IF NOT target.conversation = ANY (locked) THEN
            RETURN QUERY
            SELECT o, (CASE WHEN EXISTS (SELECT FROM messaging.heads AS h WHERE h.conversation = target.conversation)
                THEN {Outcome.locked} ELSE {Outcome.notMember} END)::smallint,
            NULL::bigint, NULL::bigint, NULL::text[], NULL::bigint[], NULL::bigint[],
                NULL::bigint[]
            FROM unnest(target.ordinals) AS o;
            CONTINUE;
        END IF;

        SELECT m.ctid AS row_id, m.seq, m.kind, m.deleted_at, m.expires_at, m.position,
            coalesce(m.reactions, '{}') AS reactions, coalesce(m.reaction_counts, '{}') AS counts
        INTO message
        FROM messaging.messages AS m
        WHERE m.conversation = target.conversation AND m.seq BETWEEN target.seq AND target.seq
        ORDER BY m.seq
        LIMIT 1;

        changed := false;
        outcomes := '{}';
        FOR item IN
            SELECT o AS ordinal, batch_accounts[o] AS account, batch_emoji[o] AS emoji, batch_removals[o] AS removal
            FROM unnest(target.ordinals) AS o
        LOOP
            SELECT w.may_act, w.may_write, w.refusal, w.first_seq, EXISTS (
                SELECT
                FROM messaging.message_states AS f
                WHERE f.account = item.account AND f.conversation = target.conversation
                    AND f.seq BETWEEN target.seq AND target.seq
                    AND f.hidden_at IS NOT NULL
            ) AS has_hidden
            INTO member
            FROM messaging.window(item.account, target.conversation) AS w;

            result := CASE
                WHEN member.may_act IS NOT TRUE THEN {Outcome.notMember}
                WHEN NOT member.may_write THEN messaging.refused(member.refusal)
                WHEN message.seq IS NULL OR message.seq < member.first_seq OR message.kind = {MessageKind.system}
                    THEN {Outcome.messageNotFound}
                WHEN message.deleted_at IS NOT NULL OR message.expires_at <= batch_at OR member.has_hidden
                    THEN {Outcome.messageDeleted}
                ELSE {Outcome.unchanged} END;
            IF result = {Outcome.unchanged} THEN
                emoji_index := array_position(message.reactions, item.emoji);
                IF item.removal THEN
                    DELETE FROM messaging.reactions AS r
                    WHERE r.ctid = ANY (ARRAY(
                        SELECT x.ctid
                        FROM messaging.reactions AS x
                        WHERE x.conversation = target.conversation AND x.seq = target.seq AND x.account = item.account
                            AND x.emoji BETWEEN item.emoji AND item.emoji
                        ORDER BY x.conversation, x.seq, x.account, x.emoji
                        LIMIT 1));
                    GET DIAGNOSTICS done = ROW_COUNT;
                    IF done > 0 THEN
                        result := {Outcome.done};
                        message.counts[emoji_index] := message.counts[emoji_index] - 1;
                        IF message.counts[emoji_index] = 0 THEN
                            message.reactions :=
                                message.reactions[:emoji_index - 1] || message.reactions[emoji_index + 1:];
                            message.counts := message.counts[:emoji_index - 1] || message.counts[emoji_index + 1:];
                        END IF;
                    END IF;
                ELSIF emoji_index IS NULL AND cardinality(message.reactions) >= emoji_most THEN
                    result := {Outcome.tooManyReactions};
                ELSE
                    INSERT INTO messaging.reactions (conversation, seq, account, emoji, at)
                    VALUES (target.conversation, target.seq, item.account, item.emoji, batch_at)
                    ON CONFLICT DO NOTHING;
                    GET DIAGNOSTICS done = ROW_COUNT;
                    IF done > 0 THEN
                        result := {Outcome.done};
                        IF emoji_index IS NULL THEN
                            message.reactions := message.reactions || item.emoji;
                            message.counts := message.counts || 1::bigint;
                        ELSE
                            message.counts[emoji_index] := message.counts[emoji_index] + 1;
                        END IF;
                    END IF;
                END IF;
            END IF;
            changed := changed OR result = {Outcome.done};
            outcomes := outcomes || result;
        END LOOP;

        readers := NULL;
        others := NULL;
        new_position := message.position;
        IF changed THEN
            SELECT w.readers, w.others, c.members_version
            INTO readers, others, seen_version
            FROM messaging.readers(target.conversation, target.seq) AS w
            JOIN conversations.conversation_ids AS c ON c.conversation = target.conversation;
            new_position := messaging.next_position(target.conversation, seen_version);

            UPDATE messaging.messages AS m
            SET position = new_position, changed_at = batch_at, reactions = message.reactions,
                reaction_counts = message.counts
            WHERE m.ctid = message.row_id;

            -- As in a send, so that a later Sync finds the conversation.
            INSERT INTO messaging.inbox AS y (account, conversation, touched_at)
            SELECT r.account, target.conversation, now_us
            FROM unnest(readers || others) AS r (account)
            LEFT JOIN LATERAL (
                SELECT x.touched_at
                FROM messaging.inbox AS x
                WHERE x.account = r.account AND x.conversation BETWEEN target.conversation AND target.conversation
                ORDER BY x.conversation
                LIMIT 1
            ) AS b ON true
            WHERE b.touched_at IS NULL OR b.touched_at < now_us - touch_after_us
            ON CONFLICT (account, conversation) DO UPDATE
            SET touched_at = excluded.touched_at;

            last_number := last_number + 1;
            journal_kinds := journal_kinds || {MessagingKind.reactions}::smallint;
            journal_subjects := journal_subjects || target.conversation;
            journal_objects := journal_objects || target.seq;
            journal_positions := journal_positions || new_position;
            journal_counts := journal_counts || cardinality(readers)::smallint;
            journal_audience := journal_audience || readers;
            -- Members who joined after the message receive only the position.
            IF cardinality(others) > 0 THEN
                journal_kinds := journal_kinds || {MessagingKind.notShown}::smallint;
                journal_subjects := journal_subjects || target.conversation;
                journal_objects := journal_objects || target.seq;
                journal_positions := journal_positions || new_position;
                journal_counts := journal_counts || cardinality(others)::smallint;
                journal_audience := journal_audience || others;
            END IF;
        END IF;

        RETURN QUERY
        SELECT o.ordinal, o.outcome, CASE WHEN changed THEN last_number END, new_position, message.reactions,
            message.counts, readers, others
        FROM unnest(target.ordinals, outcomes) AS o (ordinal, outcome);
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
COMMENT ON FUNCTION messaging.react_batch(integer, bigint, bigint[], bigint[], bigint[], text[], boolean[], integer) IS
    'Adds and removes reactions, in the order of the batch. Outcomes: 0 changed, 1 already so, 2 locked by another '
    '(next batch), 3 not_member, 4 user_blocked, 5 accept_first, 8 message_not_found, 10 message_deleted, 11 '
    'too_many_reactions. Number, position, emoji, counts, audience and others are those of the message, the same in '
    'all its rows. Others joined after the message; their Update has the next number and kind 6.';
