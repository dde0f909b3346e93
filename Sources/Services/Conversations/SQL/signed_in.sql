CREATE OR REPLACE VIEW conversations.signed_in AS
SELECT d.account, d.device_id
FROM conversations.devices AS d
WHERE d.revoked_at IS NULL;
COMMENT ON VIEW conversations.signed_in IS 'The devices of each account that are signed in.';
GRANT SELECT ON conversations.signed_in TO parley_notifications;
