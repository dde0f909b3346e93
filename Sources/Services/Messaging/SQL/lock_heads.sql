-- The first step of a send: locks the heads of the batch's conversations without waiting for other transactions.
CREATE OR REPLACE FUNCTION messaging.lock_heads(
    of_conversations bigint[],
    by_senders bigint[],
    OUT locked bigint[],
    OUT seqs bigint[],
    OUT positions bigint[],
    OUT versions bigint[],
    OUT retentions bigint[],
    OUT absent bigint[]
)
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    SELECT array_agg(h.conversation), array_agg(h.seq), array_agg(h.position), array_agg(h.members_version),
        array_agg(h.retention_us)
    INTO locked, seqs, positions, versions, retentions
    FROM (
        SELECT x.conversation, x.seq, x.position, x.members_version, x.retention_us
        FROM messaging.heads AS x
        WHERE x.conversation = ANY (of_conversations)
        ORDER BY x.conversation
        FOR UPDATE SKIP LOCKED
    ) AS h;
    IF coalesce(cardinality(locked), 0) = (SELECT count(DISTINCT c) FROM unnest(of_conversations) AS c) THEN
        RETURN;
    END IF;

    -- Some conversations are locked by others or have no head yet. A head is inserted only for a sender who may write.
    -- Inserting it could wait for another transaction that inserts it, so it needs an advisory lock that is only tried.
    SELECT array_agg(DISTINCT i.conversation)
    INTO absent
    FROM unnest(of_conversations) AS i (conversation)
    WHERE NOT EXISTS (SELECT FROM messaging.heads AS h WHERE h.conversation = i.conversation);
    IF absent IS NULL THEN
        RETURN;
    END IF;

    INSERT INTO messaging.heads (conversation)
    SELECT e.conversation
    FROM (
        SELECT DISTINCT i.conversation
        FROM unnest(of_conversations, by_senders) AS i (conversation, sender)
        WHERE i.conversation = ANY (absent)
            AND (
                i.sender = 0
                OR EXISTS (
                    SELECT
                    FROM conversations.access AS a
                    WHERE a.conversation = i.conversation AND a.account BETWEEN i.sender AND i.sender
                        AND a.may_write
                )
            )
        ORDER BY i.conversation
        OFFSET 0
    ) AS e
    WHERE pg_try_advisory_xact_lock({AdvisoryLock.head}, hashint8(e.conversation))
    ON CONFLICT DO NOTHING;

    SELECT array_agg(h.conversation), array_agg(h.seq), array_agg(h.position), array_agg(h.members_version),
        array_agg(h.retention_us)
    INTO locked, seqs, positions, versions, retentions
    FROM (
        SELECT x.conversation, x.seq, x.position, x.members_version, x.retention_us
        FROM messaging.heads AS x
        WHERE x.conversation = ANY (of_conversations)
        ORDER BY x.conversation
        FOR UPDATE SKIP LOCKED
    ) AS h;
END
$$;
REVOKE ALL ON FUNCTION messaging.lock_heads(bigint[], bigint[]) FROM PUBLIC;
COMMENT ON FUNCTION messaging.lock_heads(bigint[], bigint[]) IS
    'Locks those heads of the conversations that no other transaction holds, and makes missing ones for senders who '
    'may write (sender 0: the system). Returns the locked conversations with the columns of their heads, and the '
    'conversations that had no head; null if all had one.';
