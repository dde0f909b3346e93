-- Gives messages their files, once their bytes are there.
CREATE OR REPLACE FUNCTION messaging.import_media(
    at_us bigint,
    of_conversations bigint[],
    of_messages uuid[],
    new_kinds smallint[],
    new_extras bytea[],
    addresses text[]
) RETURNS bigint
LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
DECLARE
    item record;
    stored record;
    new_position bigint;
    changed bigint := 0;
BEGIN
    PERFORM
    FROM messaging.heads AS h
    WHERE h.conversation = ANY (of_conversations)
    ORDER BY h.conversation
    FOR UPDATE;
    PERFORM messaging.note_members(ARRAY(SELECT DISTINCT c FROM unnest(of_conversations) AS c ORDER BY c), at_us);
    FOR item IN
        SELECT *
        FROM unnest(of_conversations, of_messages, new_kinds, new_extras, addresses) WITH ORDINALITY
            AS i (conversation, id, kind, extra, address, ordinal)
        ORDER BY i.ordinal
    LOOP
        SELECT m.seq,
            CASE
                WHEN m.text = item.address THEN ''
                WHEN right(m.text, length(item.address) + 1) = E'\n' || item.address
                    THEN left(m.text, length(m.text) - length(item.address) - 1)
                ELSE m.text
            END AS text
        INTO stored
        FROM messaging.messages AS m
        JOIN messaging.attachments AS f ON f.conversation = m.conversation AND f.id = m.id
        WHERE m.conversation = item.conversation AND m.id = item.id AND m.deleted_at IS NULL AND m.extra IS NULL
            AND f.completed_at IS NOT NULL AND f.seq IS NULL AND f.unused_at IS NULL;
        CONTINUE WHEN NOT FOUND;
        changed := changed + 1;
        UPDATE messaging.heads AS h
        SET position = h.position + 1
        WHERE h.conversation = item.conversation
        RETURNING h.position INTO new_position;
        UPDATE messaging.messages AS m
        SET kind = item.kind, text = stored.text, extra = item.extra, changed_at = at_us, position = new_position
        WHERE m.conversation = item.conversation AND m.seq = stored.seq;
        UPDATE messaging.attachments AS f
        SET seq = stored.seq
        WHERE f.conversation = item.conversation AND f.id = item.id;
        DELETE FROM messaging.search AS s WHERE s.conversation = item.conversation AND s.seq = stored.seq;
        INSERT INTO messaging.search_backlog AS b (conversation, seq)
        VALUES (item.conversation, stored.seq)
        ON CONFLICT (conversation) DO UPDATE
        SET seq = greatest(b.seq, excluded.seq);
        INSERT INTO messaging.inbox AS b (account, conversation, touched_at)
        SELECT a.account, a.conversation, at_us
        FROM conversations.access AS a
        WHERE a.conversation = item.conversation AND a.may_read
        ORDER BY a.account
        ON CONFLICT (account, conversation) DO UPDATE
        SET touched_at = greatest(b.touched_at, excluded.touched_at);
    END LOOP;
    RETURN changed;
END
$$;
REVOKE ALL ON FUNCTION messaging.import_media(bigint, bigint[], uuid[], smallint[], bytea[], text[]) FROM PUBLIC;
COMMENT ON FUNCTION messaging.import_media(bigint, bigint[], uuid[], smallint[], bytea[], text[]) IS
    'Gives stored texts the files that messaging.import_files made for them and that are complete: their kind, and '
    'their Media as extra. The address that a text had for its file, alone or as its last line, is removed. Each '
    'takes the next position of its conversation. What has a file changes no more, so a call can be repeated. Returns '
    'how many changed. It asks nobody''s rights and makes no Updates.';
