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
    -- The conversation of each change.
    changed bigint[] := '{}';
BEGIN
    PERFORM messaging.lock_imported(of_conversations, at_us);
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
        changed := changed || item.conversation;
        new_position := messaging.next_position(item.conversation);
        UPDATE messaging.messages AS m
        SET kind = item.kind, text = stored.text, extra = item.extra, changed_at = at_us, position = new_position
        WHERE m.conversation = item.conversation AND m.seq = stored.seq;
        UPDATE messaging.attachments AS f
        SET seq = stored.seq
        WHERE f.conversation = item.conversation AND f.id = item.id;
        PERFORM messaging.index_again(item.conversation, stored.seq);
    END LOOP;
    PERFORM messaging.touch_readers(changed, at_us);
    RETURN cardinality(changed);
END
$$;
REVOKE ALL ON FUNCTION messaging.import_media(bigint, bigint[], uuid[], smallint[], bytea[], text[]) FROM PUBLIC;
COMMENT ON FUNCTION messaging.import_media(bigint, bigint[], uuid[], smallint[], bytea[], text[]) IS
    'Gives stored texts the files that messaging.import_files made for them and that are complete: their kind, and '
    'their Media as extra. The address that a text had for its file, alone or as its last line, is removed. Each '
    'takes the next position of its conversation. What has a file changes no more, so a call can be repeated. Returns '
    'how many changed. It asks nobody''s rights and makes no Updates.';
