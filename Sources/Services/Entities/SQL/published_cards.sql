CREATE OR REPLACE VIEW entities.published_cards AS
SELECT card, kind, entity, conversation, account, message, supersedes, withdrawn_at IS NOT NULL AS is_withdrawn, changes
FROM entities.cards;
COMMENT ON VIEW entities.published_cards IS
    'Entities that appear in conversations, each as the system message with the id `message`.';
GRANT SELECT ON entities.published_cards TO parley_messaging;
