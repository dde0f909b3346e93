-- Locks an event and then reads a person's part in it. A statement that did both at once would read what the person was
-- before it waited for the lock, since it sees its own beginning: only the locked row is read again.
CREATE OR REPLACE FUNCTION entities.lock_attendance(of_event uuid, of_account bigint)
RETURNS SETOF entities.attendances
LANGUAGE plpgsql VOLATILE ROWS 1
AS $$
BEGIN
    PERFORM
    FROM entities.events
    WHERE id = of_event
    FOR UPDATE;

    RETURN QUERY
    SELECT *
    FROM entities.attendances
    WHERE account = of_account
        AND event = of_event
        AND removed_at IS NULL;
END
$$;
REVOKE ALL ON FUNCTION entities.lock_attendance(uuid, bigint) FROM PUBLIC;
COMMENT ON FUNCTION entities.lock_attendance(uuid, bigint) IS
    'Locks an event until the end of the transaction. Returns the person''s part in it, as it is then.';
