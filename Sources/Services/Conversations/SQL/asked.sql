CREATE OR REPLACE VIEW conversations.asked AS
SELECT m.account, m.conversation, c.conversation_id, c.kind, c.name, m.request_at,
    coalesce(m.invited_by, c.requester) AS asker, a.display_name AS asker_name
FROM conversations.members AS m
JOIN conversations.conversations AS c ON c.conversation = m.conversation
JOIN conversations.accounts AS a ON a.account = coalesce(m.invited_by, c.requester)
WHERE m.section = {Section.requests};
COMMENT ON VIEW conversations.asked IS
    'The message requests and invitations that people see, with who made them and when. Query with conversation = and '
    'with account BETWEEN itself and itself, so that the primary key is used.';
GRANT SELECT ON conversations.asked TO parley_notifications;
