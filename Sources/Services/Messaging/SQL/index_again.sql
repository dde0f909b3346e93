-- For the words of a stored message that an import changed.
CREATE OR REPLACE FUNCTION messaging.index_again(of_conversation bigint, of_seq bigint) RETURNS void
LANGUAGE sql VOLATILE
AS $$
    DELETE FROM messaging.search AS s
    WHERE s.conversation = of_conversation AND s.seq = of_seq;
    INSERT INTO messaging.search_backlog AS b (conversation, seq)
    VALUES (of_conversation, of_seq)
    ON CONFLICT (conversation) DO UPDATE
    SET seq = greatest(b.seq, excluded.seq)
$$;
REVOKE ALL ON FUNCTION messaging.index_again(bigint, bigint) FROM PUBLIC;
COMMENT ON FUNCTION messaging.index_again(bigint, bigint) IS
    'Nobody finds a message by what it said before; the service finds its words of now within a minute.';
