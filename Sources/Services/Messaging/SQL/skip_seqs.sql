CREATE OR REPLACE FUNCTION messaging.skip_seqs(of_conversations bigint[], skipped bigint) RETURNS void
LANGUAGE sql VOLATILE
AS $$
    UPDATE messaging.heads AS h
    SET seq = h.seq + skipped, position = h.position + skipped
    WHERE h.conversation = ANY (of_conversations)
$$;
REVOKE ALL ON FUNCTION messaging.skip_seqs(bigint[], bigint) FROM PUBLIC;
COMMENT ON FUNCTION messaging.skip_seqs(bigint[], bigint) IS
    'Takes the next seqs and positions of conversations for messages that are not stored, as for those that an '
    'importer leaves out: who reads there finds nothing.';
