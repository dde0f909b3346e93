CREATE OR REPLACE VIEW entities.attended_events AS
SELECT a.account, a.position, a.event, a.status, a.is_host, a.is_asked_to_host, a.reminded_at, a.reminded_of,
    e.title, e.version, e.changed_at, e.cancelled_at, e.starts_at, e.time_zone
FROM entities.attendances AS a
JOIN entities.events AS e ON e.id = a.event
WHERE a.removed_at IS NULL AND e.deleted_at IS NULL;
COMMENT ON VIEW entities.attended_events IS
    'The events of each person who created, hosts or answered them, for telling them of changes and dates.';
GRANT SELECT ON entities.attended_events TO parley_notifications;
