-- Members beyond the most that a group has, who may read what was.
CREATE OR REPLACE FUNCTION conversations.import_leaving(at_us bigint, of_conversation bigint, of_accounts bigint[])
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog
AS $$
DECLARE
    group_of record;
    leaving bigint[];
BEGIN
    SELECT c.members_version + 1 AS version, c.name, c.photo_url
    INTO group_of
    FROM conversations.conversations AS c
    WHERE c.conversation = of_conversation
    FOR UPDATE;
    leaving := ARRAY(
        SELECT m.account
        FROM conversations.members AS m
        WHERE m.conversation = of_conversation AND m.account = ANY (of_accounts) AND m.left_at IS NULL);
    IF leaving = '{}' THEN
        RETURN;
    END IF;
    UPDATE conversations.conversations AS c
    SET members_version = group_of.version, member_count = c.member_count - cardinality(leaving),
        members_key = c.members_key # (SELECT bit_xor(hashint8extended(a, 0)) FROM unnest(leaving) AS a)
    WHERE c.conversation = of_conversation;
    INSERT INTO conversations.heads AS h (account, position)
    SELECT a, 1
    FROM unnest(leaving) AS a
    ORDER BY a
    ON CONFLICT (account) DO UPDATE
    SET position = h.position + 1;
    UPDATE conversations.members AS m
    SET left_at = at_us, left_version = group_of.version, left_name = group_of.name,
        left_photo_url = group_of.photo_url, write_refusal = {WriteRefusal.notMember}, may_read = false,
        section = {Section.left}, position = h.position
    FROM conversations.heads AS h
    WHERE m.conversation = of_conversation
        AND m.account = ANY (leaving)
        AND h.account = m.account;
END
$$;
REVOKE ALL ON FUNCTION conversations.import_leaving(bigint, bigint, bigint[]) FROM PUBLIC;
COMMENT ON FUNCTION conversations.import_leaving(bigint, bigint, bigint[]) IS
    'Lets members of a group leave, who then read the messages that it has so far. Who left already stays so.';
