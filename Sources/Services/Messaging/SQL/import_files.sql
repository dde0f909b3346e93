-- Files of messages that were sent elsewhere: a row for each, until its bytes are there.
CREATE OR REPLACE FUNCTION messaging.import_files(
    at_us bigint,
    of_conversations bigint[],
    of_messages uuid[],
    new_names text[],
    new_types text[],
    new_sizes bigint[],
    OUT objects text[],
    OUT types text[],
    OUT widths integer[],
    OUT heights integer[],
    OUT are_complete boolean[]
)
LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
BEGIN
    -- A try of before may have been with another file.
    DELETE FROM messaging.attachments AS f
    USING unnest(of_conversations, of_messages, new_types, new_sizes) AS n (conversation, message, type, size)
    WHERE f.conversation = n.conversation AND f.id = n.message AND f.completed_at IS NULL AND f.unused_at IS NULL
        AND f.seq IS NULL AND (f.mime_type, f.size_bytes) IS DISTINCT FROM (n.type, n.size);

    INSERT INTO messaging.attachments
        (conversation, id, owner, object, name, mime_type, size_bytes, created_at)
    SELECT n.conversation, n.message, m.sender, replace(gen_random_uuid()::text, '-', ''), n.name, n.type, n.size, at_us
    FROM unnest(of_conversations, of_messages, new_names, new_types, new_sizes)
        AS n (conversation, message, name, type, size)
    JOIN messaging.messages AS m ON m.conversation = n.conversation AND m.id = n.message
    WHERE m.sender IS NOT NULL AND m.deleted_at IS NULL AND m.extra IS NULL AND m.kind = {MessageKind.text}
    ORDER BY n.conversation, n.message
    ON CONFLICT (conversation, id) DO NOTHING;

    SELECT array_agg(coalesce(f.object, '') ORDER BY n.ordinal),
        array_agg(coalesce(f.mime_type, '') ORDER BY n.ordinal), array_agg(coalesce(f.width, 0) ORDER BY n.ordinal),
        array_agg(coalesce(f.height, 0) ORDER BY n.ordinal),
        array_agg(f.completed_at IS NOT NULL ORDER BY n.ordinal)
    INTO objects, types, widths, heights, are_complete
    FROM unnest(of_conversations, of_messages) WITH ORDINALITY AS n (conversation, message, ordinal)
    LEFT JOIN messaging.attachments AS f ON f.conversation = n.conversation AND f.id = n.message
        AND f.seq IS NULL AND f.unused_at IS NULL;
END
$$;
REVOKE ALL ON FUNCTION messaging.import_files(bigint, bigint[], uuid[], text[], text[], bigint[]) FROM PUBLIC;
COMMENT ON FUNCTION messaging.import_files(bigint, bigint[], uuid[], text[], text[], bigint[]) IS
    'Makes a file for each stored text that its sender has not deleted and that has none, with the id of the '
    'message. Types may be of a group, such as image/*: then the bytes decide. The bytes come by an upload to '
    '/v1/files/FILE/OBJECT, where FILE is the conversation as 16 hexadecimal digits and the id of the message; they '
    'are checked as those of anybody. Returns arrays of the same length: the objects, empty for messages that take '
    'no file, or not now; and the type and size of the picture, which hold once the file is complete. Repeated, it '
    'returns the same files. One that is not complete within a day, by files.unsent-seconds, is removed.';
