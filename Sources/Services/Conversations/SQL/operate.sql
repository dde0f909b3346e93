CREATE OR REPLACE FUNCTION conversations.operate(
    lane_number integer,
    what smallint,
    subject bigint,
    why text,
    until_us bigint,
    who text
) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog
AS $$
DECLARE
    now_us bigint;
    next_number bigint;
BEGIN
    -- As for a sign-out everywhere: lock out sign-ins, then refreshes, so that none commits later and stays valid.
    PERFORM FROM conversations.accounts AS a WHERE a.account = subject AND a.erased_at IS NULL FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM FROM conversations.devices AS d WHERE d.account = subject ORDER BY d.device_id FOR UPDATE;
    now_us := extract(epoch FROM clock_timestamp()) * 1000000;

    INSERT INTO conversations.audit (at, action, account, reason, operator)
    VALUES (now_us, what, subject, why, who || ' as ' || session_user);

    CASE what
        WHEN {OperatorAction.suspend} THEN
            UPDATE conversations.accounts
            SET suspended_at = now_us, suspended_until = until_us, suspended_for = why
            WHERE account = subject;
            IF until_us IS NULL THEN
                INSERT INTO conversations.jobs (account, kind, due_at, begun_at)
                VALUES (subject, {JobKind.handOver}, now_us, now_us)
                ON CONFLICT (account, kind) DO UPDATE
                SET again = true;
            END IF;
        WHEN {OperatorAction.restore} THEN
            UPDATE conversations.accounts
            SET suspended_at = NULL, suspended_until = NULL, suspended_for = ''
            WHERE account = subject;
            RETURN true;
        WHEN {OperatorAction.signOut} THEN NULL;
        WHEN {OperatorAction.remove} THEN PERFORM conversations.erase_account(subject, now_us);
    END CASE;

    DELETE FROM conversations.refresh_tokens AS t WHERE t.account = subject;
    UPDATE conversations.devices AS d
    SET revoked_at = now_us, tokens_void_before = now_us
    WHERE d.account = subject AND d.revoked_at IS NULL;
    UPDATE conversations.accounts AS a SET tokens_void_before = now_us WHERE a.account = subject;

    -- Gateways learn of it from the next heartbeat, and fetch it by journal.Replay.
    UPDATE conversations.lanes AS l
    SET number = l.number + 1
    WHERE l.lane = lane_number
    RETURNING l.number INTO STRICT next_number;
    INSERT INTO conversations.journal (
        lane, number, at, kinds, subjects, objects, positions, audience_counts, audience)
    VALUES (
        lane_number, next_number, now_us, ARRAY[{ConversationsKind.deviceRevoked}]::smallint[], ARRAY[subject],
        ARRAY[0]::bigint[], ARRAY[0]::bigint[], ARRAY[0]::smallint[], ARRAY[]::bigint[]);
    RETURN true;
END
$$;
REVOKE ALL ON FUNCTION conversations.operate(integer, smallint, bigint, text, bigint, text) FROM PUBLIC;
COMMENT ON FUNCTION conversations.operate(integer, smallint, bigint, text, bigint, text) IS
    'Does what an operator asks for, one of OperatorAction but invite, to an account, and records it in the audit. '
    'All but restore sign out all devices: a revocation is journaled on a lane that the caller has claimed. Returns '
    'false if there is no such account, or it is erased.';
