-- Blocks that people made elsewhere, with what follows for the conversation of the two.
CREATE OR REPLACE FUNCTION conversations.import_blocks(at_us bigint, of_accounts bigint[], of_blocked bigint[])
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog
AS $$
DECLARE
    item record;
    talk record;
    added bigint := 0;
BEGIN
    FOR item IN
        SELECT i.account, i.blocked
        FROM unnest(of_accounts, of_blocked) AS i (account, blocked)
        WHERE i.account <> i.blocked
            AND NOT EXISTS (
                SELECT FROM conversations.blocks AS b WHERE b.account = i.account AND b.blocked = i.blocked)
            AND NOT EXISTS (
                SELECT
                FROM conversations.accounts AS a
                WHERE a.account IN (i.account, i.blocked) AND a.erased_at IS NOT NULL
            )
        ORDER BY i.account, i.blocked
    LOOP
        INSERT INTO conversations.blocks (account, blocked, at)
        VALUES (item.account, item.blocked, at_us)
        ON CONFLICT DO NOTHING;
        CONTINUE WHEN NOT FOUND;
        added := added + 1;
        INSERT INTO conversations.heads AS h (account, position, blocks_position)
        VALUES (item.account, 1, 1)
        ON CONFLICT (account) DO UPDATE
        SET position = h.position + 1, blocks_position = h.position + 1;

        SELECT c.conversation, c.status, c.requester
        INTO talk
        FROM conversations.accounts AS a
        JOIN conversations.accounts AS b ON b.account = item.blocked
        JOIN conversations.conversations AS c ON c.conversation_id
            = least(a.user_id, b.user_id) || '_' || greatest(a.user_id, b.user_id)
        WHERE a.account = item.account
        FOR UPDATE OF c;
        CONTINUE WHEN NOT FOUND;
        -- A request ends, whoever of the two made it.
        IF talk.status = {ConversationStatus.pending} THEN
            UPDATE conversations.conversations AS c
            SET declined_at = CASE WHEN talk.requester <> item.account THEN coalesce(c.declined_at, at_us)
                    ELSE c.declined_at END,
                withdrawn_at = CASE WHEN talk.requester = item.account THEN coalesce(c.withdrawn_at, at_us)
                    ELSE c.withdrawn_at END
            WHERE c.conversation = talk.conversation;
        END IF;
        INSERT INTO conversations.heads AS h (account, position)
        SELECT m.account, 1
        FROM conversations.members AS m
        WHERE m.conversation = talk.conversation
        ORDER BY m.account
        ON CONFLICT (account) DO UPDATE
        SET position = h.position + 1;
        UPDATE conversations.members AS m
        SET position = h.position,
            section = CASE
                WHEN m.account = item.account THEN {Section.blockedPeople}
                -- Who was asked by somebody who blocks them now sees nothing of it any more.
                WHEN talk.status = {ConversationStatus.pending} AND talk.requester = item.account THEN {Section.gone}
                ELSE m.section END,
            write_refusal = CASE
                WHEN talk.status = {ConversationStatus.pending} AND talk.requester = item.account
                    AND m.account <> item.account THEN {WriteRefusal.notMember}
                ELSE {WriteRefusal.userBlocked} END,
            may_read = CASE
                WHEN talk.status = {ConversationStatus.pending} AND talk.requester = item.account
                    AND m.account <> item.account THEN false
                ELSE m.may_read END
        FROM conversations.heads AS h
        WHERE m.conversation = talk.conversation
            AND h.account = m.account;
    END LOOP;
    RETURN added;
END
$$;
REVOKE ALL ON FUNCTION conversations.import_blocks(bigint, bigint[], bigint[]) FROM PUBLIC;
COMMENT ON FUNCTION conversations.import_blocks(bigint, bigint[], bigint[]) IS
    'Stores blocks that people made elsewhere, as Block does it: neither of the two writes any more, the conversation '
    'is among those with blocked people, and a request between them ends. Blocks that are known stay. Returns how many '
    'are new. It makes no Updates: who is connected hears of it at the next Sync.';
