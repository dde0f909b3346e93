CREATE OR REPLACE VIEW entities.fired_reminders AS
SELECT r.account, r.position, r.id, r.title, r.conversation, r.fired_at
FROM entities.reminders AS r
WHERE r.fired_at IS NOT NULL AND r.completed_at IS NULL AND r.deleted_at IS NULL;
COMMENT ON VIEW entities.fired_reminders IS 'Open reminders whose time has come, for telling their owners.';
GRANT SELECT ON entities.fired_reminders TO parley_notifications;
