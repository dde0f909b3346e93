CREATE OR REPLACE FUNCTION conversations.name_owner(group_id text, subject bigint, why text, who text) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog
AS $$
DECLARE
    now_us bigint := extract(epoch FROM clock_timestamp()) * 1000000;
    named bigint;
BEGIN
    SELECT c.conversation
    INTO named
    FROM conversations.conversations AS c
    JOIN conversations.members AS m ON m.conversation = c.conversation
        AND m.account = subject
        AND m.left_at IS NULL
    WHERE c.conversation_id = group_id
        AND c.kind = {ConversationKind.group};
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM conversations.note_operation({OperatorAction.nameOwner}::smallint, subject, why, who);
    INSERT INTO conversations.jobs AS j (account, kind, due_at, begun_at, pass, conversations)
    VALUES (subject, {JobKind.takeOver}, now_us, now_us, 2, ARRAY[named])
    ON CONFLICT (account, kind) DO UPDATE
    SET conversations = coalesce(j.conversations, '{}') || named;
    RETURN true;
END
$$;
REVOKE ALL ON FUNCTION conversations.name_owner(text, bigint, text, text) FROM PUBLIC;
COMMENT ON FUNCTION conversations.name_owner(text, bigint, text, text) IS
    'Makes a member the owner of a group, for the operator: records it in the audit, and a job for the service. '
    'Returns false if the group has no such member.';
