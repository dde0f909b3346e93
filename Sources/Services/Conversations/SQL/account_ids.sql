CREATE OR REPLACE VIEW conversations.account_ids AS
SELECT account, user_id
FROM conversations.accounts;
COMMENT ON VIEW conversations.account_ids IS 'Numbers and ids of accounts.';
GRANT SELECT ON conversations.account_ids TO parley_messaging, parley_presence, parley_entities, parley_notifications;
