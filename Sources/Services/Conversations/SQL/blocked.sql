CREATE OR REPLACE VIEW conversations.blocked AS
SELECT account, blocked, at
FROM conversations.blocks;
COMMENT ON VIEW conversations.blocked IS 'Who blocks whom, since when.';
GRANT SELECT ON conversations.blocked TO parley_presence, parley_messaging, parley_entities, parley_notifications;
