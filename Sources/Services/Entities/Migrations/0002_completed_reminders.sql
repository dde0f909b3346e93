-- Listing completed reminders by due time; open ones have an index of their own since 0001.

CREATE INDEX reminders_completed ON entities.reminders (account, due_at, id)
    WHERE deleted_at IS NULL AND completed_at IS NOT NULL;
COMMENT ON INDEX entities.reminders_completed IS 'A person''s completed reminders by due time.';
