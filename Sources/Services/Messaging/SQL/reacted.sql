-- Published to notifications.
CREATE OR REPLACE VIEW messaging.reacted AS
SELECT conversation, seq, account, emoji, at
FROM messaging.reactions;
COMMENT ON VIEW messaging.reacted IS 'Who reacted to which message, with what, and when.';
GRANT SELECT ON messaging.reacted TO parley_notifications;
