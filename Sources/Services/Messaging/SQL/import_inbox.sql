-- How far people read conversations elsewhere, and what they pinned, muted and archived there.
CREATE OR REPLACE FUNCTION messaging.import_inbox(
    at_us bigint,
    of_accounts bigint[],
    of_conversations bigint[],
    read_ids text[],
    read_times bigint[],
    unread_counts bigint[],
    delivered_ids uuid[],
    are_pinned boolean[],
    are_muted boolean[],
    are_archived boolean[]
) RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_custom_plan
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    changed bigint;
BEGIN
    -- Only what was imported counts, or a second import would mark as read what was sent since the first.
    WITH marked AS MATERIALIZED (
        SELECT i.account, i.conversation, i.read_at, i.is_pinned, i.is_muted, i.is_archived,
            CASE WHEN i.ids <> '{}' OR i.read_at IS NOT NULL THEN greatest(n.seq, t.seq) ELSE u.seq END AS read_seq,
            d.seq AS delivered_seq
        FROM unnest(
            of_accounts, of_conversations, read_ids::text[], read_times, unread_counts, delivered_ids, are_pinned,
            are_muted, are_archived
        ) AS i (account, conversation, ids, read_at, unread, delivered, is_pinned, is_muted, is_archived)
        LEFT JOIN LATERAL (
            SELECT max(m.seq) AS seq
            FROM unnest(i.ids::uuid[]) AS r (id)
            JOIN messaging.messages AS m ON m.conversation = i.conversation AND m.id = r.id
        ) AS n ON true
        LEFT JOIN LATERAL (
            SELECT m.seq
            FROM messaging.messages AS m
            WHERE m.conversation = i.conversation AND m.legacy_id IS NOT NULL AND m.sent_at <= i.read_at
            ORDER BY m.seq DESC
            LIMIT 1
        ) AS t ON true
        LEFT JOIN LATERAL (
            SELECT CASE WHEN i.unread = 0 THEN m.seq ELSE m.seq - 1 END AS seq
            FROM messaging.messages AS m
            WHERE i.ids = '{}' AND i.read_at IS NULL AND i.unread IS NOT NULL
                AND m.conversation = i.conversation AND m.legacy_id IS NOT NULL
                AND (i.unread = 0
                    OR m.sender IS DISTINCT FROM i.account AND m.deleted_at IS NULL AND m.kind <> {MessageKind.system})
            ORDER BY m.seq DESC
            OFFSET greatest(i.unread, 1) - 1
            LIMIT 1
        ) AS u ON true
        LEFT JOIN LATERAL (
            SELECT m.seq
            FROM messaging.messages AS m
            WHERE m.conversation = i.conversation AND m.id = i.delivered
        ) AS d ON true
    ),
    item AS MATERIALIZED (
        SELECT m.account, m.conversation, h.seq AS head_seq, coalesce(m.read_at, at_us) AS read_at,
            greatest(m.read_seq, b.read_seq, 0) AS read_seq,
            greatest(m.delivered_seq, m.read_seq, b.delivered_seq, 0) AS delivered_seq,
            -- What the person changed here since stays.
            coalesce(b.position, 0) = 0 AND m.is_pinned AS pins,
            coalesce(b.position, 0) = 0 AND m.is_muted AS mutes,
            coalesce(b.position, 0) = 0 AND m.is_archived AS archives,
            coalesce(b.read_seq, 0) AS old_read, coalesce(b.delivered_seq, 0) AS old_delivered,
            w.may_act AND w.may_write AND NOT w.is_pending AS may_send_receipt
        FROM marked AS m
        JOIN messaging.heads AS h ON h.conversation = m.conversation
        CROSS JOIN LATERAL messaging.window(m.account, m.conversation) AS w
        LEFT JOIN messaging.inbox AS b ON b.account = m.account AND b.conversation = m.conversation
    ),
    moved AS MATERIALIZED (
        SELECT i.*, row_number() OVER (PARTITION BY i.account ORDER BY i.conversation) AS nth,
            count(*) OVER (PARTITION BY i.account) AS total
        FROM item AS i
        WHERE i.read_seq > i.old_read OR i.delivered_seq > i.old_delivered OR i.pins OR i.mutes OR i.archives
    ),
    advanced AS (
        INSERT INTO messaging.person_heads AS h (account, position)
        SELECT DISTINCT i.account, i.total
        FROM moved AS i
        ORDER BY i.account
        ON CONFLICT (account) DO UPDATE
        SET position = h.position + excluded.position
        RETURNING account, position
    ),
    receipts AS (
        INSERT INTO messaging.receipts AS r (conversation, account, read_seq, read_at, delivered_seq, delivered_at)
        SELECT i.conversation, i.account, i.read_seq, CASE WHEN i.read_seq > 0 THEN i.read_at ELSE 0 END,
            i.delivered_seq, i.read_at
        FROM moved AS i
        WHERE i.may_send_receipt AND i.delivered_seq > 0
        ON CONFLICT (conversation, account) DO UPDATE
        SET read_at = CASE WHEN excluded.read_seq > r.read_seq THEN excluded.read_at ELSE r.read_at END,
            read_seq = greatest(r.read_seq, excluded.read_seq),
            delivered_at = CASE WHEN excluded.delivered_seq > r.delivered_seq THEN excluded.delivered_at
                ELSE r.delivered_at END,
            delivered_seq = greatest(r.delivered_seq, excluded.delivered_seq)
    ),
    timed AS (
        INSERT INTO messaging.reads (conversation, account, seq, at)
        SELECT i.conversation, i.account, i.read_seq, i.read_at
        FROM moved AS i
        WHERE i.may_send_receipt AND i.read_seq > i.old_read
        ON CONFLICT DO NOTHING
    )
    INSERT INTO messaging.inbox AS b (
        account, conversation, touched_at, position, read_seq, read_at, delivered_seq, delivered_at, pinned_at,
        muted_until, archived_at, archived_seq)
    SELECT i.account, i.conversation, at_us, h.position - i.total + i.nth, i.read_seq,
        CASE WHEN i.read_seq > i.old_read THEN i.read_at END, i.delivered_seq,
        CASE WHEN i.delivered_seq > i.old_delivered THEN i.read_at END,
        CASE WHEN i.pins THEN at_us END, CASE WHEN i.mutes THEN 9223372036854775807 END,
        CASE WHEN i.archives THEN at_us END, CASE WHEN i.archives THEN i.head_seq END
    FROM moved AS i
    JOIN advanced AS h ON h.account = i.account
    ORDER BY i.conversation, i.account
    ON CONFLICT (account, conversation) DO UPDATE
    SET touched_at = greatest(b.touched_at, excluded.touched_at),
        position = excluded.position,
        read_seq = excluded.read_seq,
        read_at = coalesce(excluded.read_at, b.read_at),
        delivered_seq = excluded.delivered_seq,
        delivered_at = coalesce(excluded.delivered_at, b.delivered_at),
        marked_unread = b.marked_unread AND excluded.read_at IS NULL,
        pinned_at = coalesce(excluded.pinned_at, b.pinned_at),
        muted_until = coalesce(excluded.muted_until, b.muted_until),
        archived_at = coalesce(excluded.archived_at, b.archived_at),
        archived_seq = coalesce(excluded.archived_seq, b.archived_seq);
    GET DIAGNOSTICS changed = ROW_COUNT;
    RETURN changed;
END
$$;
REVOKE ALL ON FUNCTION messaging.import_inbox(
    bigint, bigint[], bigint[], text[], bigint[], bigint[], uuid[], boolean[], boolean[], boolean[]) FROM PUBLIC;
COMMENT ON FUNCTION messaging.import_inbox(
    bigint, bigint[], bigint[], text[], bigint[], bigint[], uuid[], boolean[], boolean[], boolean[]) IS
    'Moves people''s marks to where they read elsewhere, forwards only: the last of the messages of read_ids (an array '
    'of ids, as text) and of those sent up to a time; without both, so many of the others'' last messages stay unread '
    'as unread_counts says. Of marks and counts only imported messages count. Pins, mutes and archives conversations '
    'for who has not changed the same here. Each change takes the next position of the person''s stream; what is so '
    'already changes nothing, so a call can be repeated. Returns how many changed. It makes no Updates.';
