CREATE OR REPLACE VIEW conversations.erased AS
SELECT account, erased_at
FROM conversations.accounts
WHERE erased_at IS NOT NULL;
COMMENT ON VIEW conversations.erased IS 'Erased accounts, of which no data may be kept.';
GRANT SELECT ON conversations.erased TO parley_messaging, parley_presence, parley_entities, parley_notifications;
