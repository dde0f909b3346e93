-- The second step of a send: what happens to each message of a batch, and why. Reads only. PostgreSQL puts the query in
-- the place of the call.
-- Until storing was a function of its own it also passed on what it does not decide by.
DROP FUNCTION IF EXISTS messaging.decide_sends(
    bigint[], bigint[], uuid[], smallint[], text[], bytea[], bigint[], text[], bigint[], uuid[], bigint[], bigint[],
    bigint[], bigint[], bigint[], bigint[]);
CREATE OR REPLACE FUNCTION messaging.decide_sends(
    batch_conversations bigint[],
    batch_senders bigint[],
    batch_ids uuid[],
    batch_kinds smallint[],
    batch_replies bigint[],
    batch_attachments uuid[],
    locked bigint[],
    seqs bigint[],
    versions bigint[],
    retentions bigint[],
    absent bigint[]
) RETURNS TABLE (
    ordinal bigint,
    conversation bigint,
    sender bigint,
    kind smallint,
    root bigint,
    outcome integer,
    first_ordinal bigint,
    first_sender bigint,
    is_new boolean,
    nth bigint,
    head_seq bigint,
    behind_version bigint,
    retention bigint,
    until_seq bigint,
    readers bigint[],
    stored_seq bigint,
    stored_position bigint,
    stored_at bigint
)
LANGUAGE sql STABLE
AS $$
    WITH talk AS MATERIALIZED (
        SELECT l.conversation, l.seq, l.retention, m.accounts, m.refused, m.refusals, m.until_seq,
            m.readers, m.version, m.version > l.version AS is_behind
        FROM unnest(locked, seqs, versions, retentions) AS l (conversation, seq, version, retention)
        CROSS JOIN LATERAL (
            SELECT array_agg(a.account) AS accounts,
                array_agg(a.account) FILTER (WHERE NOT a.may_write) AS refused,
                array_agg(a.refusal) FILTER (WHERE NOT a.may_write) AS refusals,
                min(a.write_until_seq) AS until_seq,
                array_agg(a.account) FILTER (WHERE a.may_read) AS readers,
                coalesce(max(greatest(a.joined_version, a.left_version)), 1) AS version
            FROM conversations.access AS a
            WHERE a.conversation = l.conversation
        ) AS m
    ),
    -- A FULL join cannot become a nested loop over both lists. Every row has an item.
    placed AS (
        SELECT i.ordinal, i.conversation, i.sender, i.id, i.kind, i.reply_to, i.attachment,
            coalesce(NOT t.is_behind, false) AS is_locked, CASE WHEN t.is_behind THEN t.version END AS behind_version,
            t.seq AS head_seq, t.retention, t.until_seq, t.readers,
            CASE WHEN i.sender = ANY (t.accounts)
                THEN coalesce(t.refusals[array_position(t.refused, i.sender)], '')
                ELSE 'not_member' END AS refusal
        FROM unnest(batch_conversations, batch_senders, batch_ids, batch_kinds, batch_replies, batch_attachments)
            WITH ORDINALITY AS i (conversation, sender, id, kind, reply_to, attachment, ordinal)
        FULL JOIN talk AS t ON t.conversation = i.conversation
    ),
    ruled AS (
        SELECT a.*, s.seq AS stored_seq, s.position AS stored_position, s.sent_at AS stored_at, r.root,
            CASE
                WHEN NOT a.is_locked THEN
                    CASE WHEN a.conversation = ANY (locked) THEN {Outcome.locked}
                    WHEN a.conversation = ANY (absent) AND a.sender <> 0 THEN coalesce((
                        SELECT CASE x.refusal
                            WHEN '' THEN {Outcome.locked}
                            WHEN 'user_blocked' THEN {Outcome.userBlocked}
                        END
                        FROM conversations.access AS x
                        WHERE x.conversation = a.conversation AND x.account BETWEEN a.sender AND a.sender
                        ORDER BY x.account
                        LIMIT 1), {Outcome.notMember})
                    ELSE {Outcome.locked} END
                WHEN s.sender = a.sender THEN {Outcome.unchanged}
                -- The recipient does not see the request before its first message, and is refused like anyone else.
                WHEN a.refusal = 'accept_first' AND a.head_seq = 0 THEN {Outcome.notMember}
                WHEN a.refusal = '' THEN
                    CASE WHEN s.seq IS NOT NULL THEN {Outcome.idInUse}
                    WHEN a.reply_to IS NOT NULL AND r.root IS NULL THEN {Outcome.messageNotFound}
                    WHEN a.attachment IS NOT NULL AND NOT EXISTS (
                        SELECT
                        FROM messaging.attachments AS f
                        WHERE f.conversation = a.conversation AND f.id BETWEEN a.attachment AND a.attachment
                            AND f.owner = a.sender AND f.seq IS NULL AND f.completed_at IS NOT NULL
                            AND f.unused_at IS NULL
                    ) THEN {Outcome.attachmentNotFound}
                    -- An earlier message of the sender in this batch has the same attachment. The next batch decides,
                    -- when the outcome of that message is known.
                    WHEN a.attachment IS NOT NULL AND EXISTS (
                        SELECT
                        FROM unnest(batch_conversations, batch_senders, batch_ids, batch_attachments) WITH ORDINALITY
                            AS e (conversation, sender, id, attachment, ordinal)
                        WHERE e.ordinal < a.ordinal AND e.attachment = a.attachment
                            AND e.conversation = a.conversation AND e.sender = a.sender AND e.id <> a.id
                    ) THEN {Outcome.attachmentTaken}
                    ELSE {Outcome.done} END
                WHEN a.sender = 0 AND a.kind = {MessageKind.system} THEN
                    CASE WHEN s.seq IS NULL THEN {Outcome.done}
                    WHEN s.sender IS NULL THEN {Outcome.unchanged}
                    ELSE {Outcome.idInUse} END
                ELSE messaging.refused(a.refusal)
            END AS outcome
        FROM placed AS a
        LEFT JOIN LATERAL (
            SELECT m.seq, m.sender, m.position, m.sent_at
            FROM messaging.messages AS m
            WHERE m.conversation = a.conversation AND m.id BETWEEN a.id AND a.id
            ORDER BY m.id
            LIMIT 1
        ) AS s ON a.is_locked
        -- A message that was sent before the sender joined looks as if it did not exist. The last condition ends the
        -- look-up before it begins for messages that answer none; in the join's ON it would not.
        LEFT JOIN LATERAL (
            SELECT coalesce(m.thread_seq, m.seq) AS root
            FROM messaging.members(a.conversation) AS p
            CROSS JOIN LATERAL (
                SELECT x.seq, x.thread_seq
                FROM messaging.messages AS x
                WHERE x.conversation = a.conversation AND x.seq BETWEEN a.reply_to AND a.reply_to
                ORDER BY x.seq
                LIMIT 1
            ) AS m
            WHERE p.account BETWEEN a.sender AND a.sender AND m.seq >= p.first_seq
                AND a.is_locked AND a.reply_to IS NOT NULL
            ORDER BY p.account
            LIMIT 1
        ) AS r ON true
    ),
    -- Of several items with the same id in this batch the first counts; the others are its duplicates.
    singled AS (
        SELECT r.*,
            first_value(r.ordinal) OVER same_id AS first_ordinal,
            first_value(r.sender) OVER same_id AS first_sender
        FROM ruled AS r
        WINDOW same_id AS (PARTITION BY r.conversation, r.id ORDER BY r.outcome, r.ordinal)
    )
    SELECT s.ordinal, s.conversation, s.sender, s.kind, s.root, s.outcome, s.first_ordinal, s.first_sender,
        s.outcome = {Outcome.done} AND s.first_ordinal = s.ordinal,
        count(*) FILTER (WHERE s.outcome = {Outcome.done} AND s.first_ordinal = s.ordinal) OVER (
            PARTITION BY s.conversation ORDER BY s.ordinal ROWS UNBOUNDED PRECEDING),
        s.head_seq, s.behind_version, s.retention, s.until_seq, s.readers, s.stored_seq, s.stored_position, s.stored_at
    FROM singled AS s
$$;
REVOKE ALL ON FUNCTION messaging.decide_sends(
    bigint[], bigint[], uuid[], smallint[], bigint[], uuid[], bigint[], bigint[], bigint[], bigint[], bigint[])
FROM PUBLIC;
COMMENT ON FUNCTION messaging.decide_sends(
    bigint[], bigint[], uuid[], smallint[], bigint[], uuid[], bigint[], bigint[], bigint[], bigint[], bigint[]) IS
    'Returns each message of a batch with its outcome. The last five parameters are the result of '
    'messaging.lock_heads. first_ordinal: the message with this id that counts. nth: among the new messages of its '
    'conversation. behind_version: set if members joined or left since the last message; the outcome is then "locked".';
