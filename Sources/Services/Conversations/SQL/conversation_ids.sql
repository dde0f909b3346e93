CREATE OR REPLACE VIEW conversations.conversation_ids AS
SELECT conversation, conversation_id, kind, name, members_version, photo_url
FROM conversations.conversations;
COMMENT ON VIEW conversations.conversation_ids IS
    'Numbers and ids of conversations, names and photos of groups, and the versions of their members.';
GRANT SELECT ON conversations.conversation_ids TO parley_messaging, parley_presence, parley_entities;
