CREATE OR REPLACE VIEW conversations.suspended AS
SELECT account
FROM conversations.accounts
WHERE suspended_at IS NOT NULL
    AND (suspended_until IS NULL OR suspended_until > extract(epoch FROM statement_timestamp()) * 1000000);
COMMENT ON VIEW conversations.suspended IS 'Accounts that an operator has suspended, while that lasts.';
GRANT SELECT ON conversations.suspended TO parley_messaging, parley_entities;
