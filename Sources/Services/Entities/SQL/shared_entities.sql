CREATE OR REPLACE VIEW entities.shared_entities AS
SELECT c.conversation, c.message, c.kind, c.entity, c.account, coalesce(e.title, d.text) AS title
FROM entities.cards AS c
LEFT JOIN entities.events AS e ON e.id = c.entity
LEFT JOIN entities.decisions AS d ON d.id = c.entity
WHERE c.withdrawn_at IS NULL;
COMMENT ON VIEW entities.shared_entities IS
    'Entities that appear in conversations, with who shared them and what they are called.';
GRANT SELECT ON entities.shared_entities TO parley_notifications;
