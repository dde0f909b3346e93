-- Published to other services. New columns go at the end, the only position at which a released view can grow.
CREATE OR REPLACE VIEW conversations.conversation_ids AS
SELECT conversation, conversation_id, kind, name, members_version, photo_url, member_count
FROM conversations.conversations;
COMMENT ON VIEW conversations.conversation_ids IS
    'Numbers and ids of conversations, names and photos of groups, versions of their members, and how many they are.';
GRANT SELECT ON conversations.conversation_ids
    TO parley_messaging, parley_presence, parley_entities, parley_notifications;
