CREATE OR REPLACE FUNCTION messaging.remove_message(lane_number integer, named text, of_seq bigint) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    now_us bigint;
    of_conversation bigint;
    author bigint;
    new_position bigint;
    next_number bigint;
    audience record;
    kinds smallint[] := ARRAY[{MessagingKind.message}]::smallint[];
BEGIN
    SELECT c.conversation INTO of_conversation
    FROM conversations.conversation_ids AS c
    WHERE c.conversation_id = named;
    PERFORM FROM messaging.heads AS h WHERE h.conversation = of_conversation FOR UPDATE;
    now_us := extract(epoch FROM clock_timestamp()) * 1000000;

    SELECT m.sender INTO author
    FROM messaging.messages AS m
    WHERE m.conversation = of_conversation AND m.seq = of_seq
        AND m.sender IS NOT NULL
        AND m.deleted_at IS NULL
        AND (m.expires_at IS NULL OR m.expires_at > now_us);
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    SELECT r.readers, r.others, c.members_version
    INTO audience
    FROM messaging.readers(of_conversation, of_seq) AS r
    JOIN conversations.conversation_ids AS c ON c.conversation = of_conversation;
    new_position := messaging.next_position(of_conversation, audience.members_version);
    UPDATE messaging.messages AS m
    SET expires_at = now_us, changed_at = now_us, position = new_position
    WHERE m.conversation = of_conversation AND m.seq = of_seq;

    PERFORM messaging.add_renewal(of_conversation, of_seq, of_seq);

    IF cardinality(audience.others) > 0 THEN
        kinds := kinds || {MessagingKind.notShown}::smallint;
    END IF;
    -- Gateways and followers learn of it from the next heartbeat, and fetch it by journal.Replay.
    UPDATE messaging.lanes AS l
    SET number = l.number + cardinality(kinds)
    WHERE l.lane = lane_number
    RETURNING l.number - cardinality(kinds) + 1 INTO STRICT next_number;
    INSERT INTO messaging.journal (
        lane, number, at, kinds, subjects, objects, positions, audience_counts, audience)
    VALUES (
        lane_number, next_number, now_us, kinds, array_fill(of_conversation, ARRAY[cardinality(kinds)]),
        array_fill(of_seq, ARRAY[cardinality(kinds)]), array_fill(new_position, ARRAY[cardinality(kinds)]),
        (ARRAY[cardinality(audience.readers), cardinality(audience.others)])[:cardinality(kinds)]::smallint[],
        audience.readers || audience.others);
    RETURN author;
END
$$;
REVOKE ALL ON FUNCTION messaging.remove_message(integer, text, bigint) FROM PUBLIC;
COMMENT ON FUNCTION messaging.remove_message(integer, text, bigint) IS
    'Ends a message for everyone, for the operator: it disappears now, and the next sweep empties it. Journaled on a '
    'lane that the caller has claimed. Returns its author; null if there is no such message, or it is gone already.';
