CREATE OR REPLACE VIEW conversations.titles AS
SELECT m.conversation, m.account, a.display_name, a.photo_url, m.left_name, m.left_photo_url
FROM conversations.members AS m
JOIN conversations.accounts AS a ON a.account = m.account;
COMMENT ON VIEW conversations.titles IS
    'What names a conversation besides its own name: each member''s, and the group''s as a former member last saw it.';
GRANT SELECT ON conversations.titles TO parley_messaging, parley_notifications;
