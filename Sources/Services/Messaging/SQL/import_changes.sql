-- What became elsewhere of messages that are stored: edits and deletions.
CREATE OR REPLACE FUNCTION messaging.import_changes(
    at_us bigint,
    of_conversations bigint[],
    of_ids uuid[],
    new_texts text[],
    new_edits bigint[],
    new_deletions bigint[],
    earlier_texts text[]
) RETURNS bigint
LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
DECLARE
    item record;
    stored record;
    new_position bigint;
    -- The conversation of each change.
    changed bigint[] := '{}';
BEGIN
    PERFORM messaging.lock_imported(of_conversations, at_us);
    FOR item IN
        SELECT *
        FROM unnest(of_conversations, of_ids, new_texts, new_edits, new_deletions, earlier_texts) WITH ORDINALITY
            AS i (conversation, id, text, edited_at, deleted_at, earlier, ordinal)
        ORDER BY i.ordinal
    LOOP
        SELECT m.seq, m.text, m.thread_seq, m.mentions, m.sent_at
        INTO stored
        FROM messaging.messages AS m
        WHERE m.conversation = item.conversation AND m.id = item.id AND m.deleted_at IS NULL
            AND (item.deleted_at IS NOT NULL OR m.edited_at IS NULL OR m.edited_at < item.edited_at);
        CONTINUE WHEN NOT FOUND;
        changed := changed || item.conversation;
        new_position := messaging.next_position(item.conversation);

        IF item.deleted_at IS NOT NULL THEN
            DELETE FROM messaging.search AS s WHERE s.conversation = item.conversation AND s.seq = stored.seq;
            UPDATE messaging.messages AS m
            SET text = '', extra = NULL, mentions = NULL, reactions = NULL, reaction_counts = NULL,
                forwarded_from = NULL, time_zone = NULL, edited_at = NULL, deleted_at = item.deleted_at,
                changed_at = at_us, position = new_position
            WHERE m.conversation = item.conversation AND m.seq = stored.seq;
            DELETE FROM messaging.revisions AS r WHERE r.conversation = item.conversation AND r.seq = stored.seq;
            DELETE FROM messaging.reactions AS r WHERE r.conversation = item.conversation AND r.seq = stored.seq;
            DELETE FROM messaging.mentions AS n
            WHERE n.account = ANY (stored.mentions) AND n.conversation = item.conversation AND n.seq = stored.seq;
            UPDATE messaging.attachments AS f
            SET unused_at = at_us
            WHERE f.conversation = item.conversation AND f.seq = stored.seq;
            UPDATE messaging.threads AS t
            SET replies = t.replies - 1, position = new_position
            WHERE t.conversation = item.conversation AND t.seq = stored.thread_seq;
            CONTINUE;
        END IF;

        -- What it said is an earlier text, and so is what the importer knows of before.
        INSERT INTO messaging.revisions (conversation, seq, revision, text, mentions, until_at, until_position)
        SELECT item.conversation, stored.seq, o.last + e.nth, e.text, stored.mentions, item.edited_at, new_position
        FROM (
            SELECT u.text, row_number() OVER (ORDER BY u.rank) AS nth
            FROM (
                SELECT t.text, t.rank
                FROM jsonb_array_elements_text(item.earlier::jsonb) WITH ORDINALITY AS t (text, rank)
                WHERE t.text <> stored.text
                UNION ALL
                SELECT stored.text, 9223372036854775807
                WHERE stored.text <> item.text
            ) AS u
            WHERE NOT EXISTS (
                SELECT
                FROM messaging.revisions AS r
                WHERE r.conversation = item.conversation AND r.seq = stored.seq AND r.text = u.text
            )
        ) AS e
        CROSS JOIN (
            SELECT coalesce(max(r.revision), 0) AS last
            FROM messaging.revisions AS r
            WHERE r.conversation = item.conversation AND r.seq = stored.seq
        ) AS o;
        UPDATE messaging.messages AS m
        SET text = item.text, edited_at = item.edited_at, changed_at = at_us, position = new_position
        WHERE m.conversation = item.conversation AND m.seq = stored.seq;
        PERFORM messaging.index_again(item.conversation, stored.seq);
    END LOOP;
    PERFORM messaging.touch_readers(changed, at_us);
    RETURN cardinality(changed);
END
$$;
REVOKE ALL ON FUNCTION messaging.import_changes(
    bigint, bigint[], uuid[], text[], bigint[], bigint[], text[]) FROM PUBLIC;
COMMENT ON FUNCTION messaging.import_changes(bigint, bigint[], uuid[], text[], bigint[], bigint[], text[]) IS
    'Edits and deletes stored messages as their senders did elsewhere, at the times of then. Each change takes the '
    'next position of its conversation, so that who holds the message reads it again. A deletion counts before an '
    'edit, and a later edit before an earlier one; what is not later changes nothing, so a call can be repeated. '
    'earlier_texts are arrays of JSON with what a message said before, the oldest first. Returns how many changed. It '
    'asks nobody''s rights and makes no Updates.';
