-- Reminders fire. They keep the time on the wall too, so that a change of a zone's rules moves them.
ALTER TABLE entities.reminders
    ADD COLUMN due_civil bigint,
    ADD COLUMN utc_offset integer,
    ADD COLUMN zone_rules text COLLATE "C" NOT NULL DEFAULT '';
COMMENT ON COLUMN entities.reminders.due_civil IS
    'The time on the wall in the zone when it is due, µs since 1970-01-01T00:00:00 there; null: follows from due_at.';
COMMENT ON COLUMN entities.reminders.utc_offset IS
    'Seconds from UTC to that time on the wall, which tell apart the two instants of a time that comes twice.';
COMMENT ON COLUMN entities.reminders.zone_rules IS 'The version of the rules by which due_at follows from due_civil.';
CREATE INDEX reminders_pending ON entities.reminders (due_at, account, id)
    WHERE fired_at IS NULL AND completed_at IS NULL AND deleted_at IS NULL;
COMMENT ON INDEX entities.reminders_pending IS 'What fires next.';
CREATE INDEX reminders_zone_rules ON entities.reminders (zone_rules)
    WHERE fired_at IS NULL AND completed_at IS NULL AND deleted_at IS NULL;
COMMENT ON INDEX entities.reminders_zone_rules IS 'What fires at a time that follows from earlier rules.';
