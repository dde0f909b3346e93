-- Reminders and the streams that publish them. Times are bigint µs since 1970 (UTC), set by the service.

-- Reminders.
CREATE TABLE entities.reminders (
    account bigint NOT NULL,
    id uuid NOT NULL,
    title text NOT NULL,
    due_at bigint NOT NULL,
    time_zone text NOT NULL,
    conversation bigint,
    source_message uuid,
    notification_id text NOT NULL DEFAULT '',
    created_at bigint NOT NULL,
    completed_at bigint,
    fired_at bigint,
    deleted_at bigint,
    position bigint NOT NULL,
    PRIMARY KEY (account, id)
);
COMMENT ON TABLE entities.reminders IS 'Reminders. Each is visible only to its owner.';
COMMENT ON COLUMN entities.reminders.account IS 'The owner.';
COMMENT ON COLUMN entities.reminders.id IS 'Chosen by the client (UUIDv7).';
COMMENT ON COLUMN entities.reminders.title IS 'What to remember; empty once deleted.';
COMMENT ON COLUMN entities.reminders.due_at IS 'When it is due.';
COMMENT ON COLUMN entities.reminders.time_zone IS 'IANA name of the time zone in which the owner set the time.';
COMMENT ON COLUMN entities.reminders.conversation IS 'The conversation it was made from; null: none.';
COMMENT ON COLUMN entities.reminders.source_message IS 'Id of the message it was made from; null: none.';
COMMENT ON COLUMN entities.reminders.notification_id IS 'The client''s own notification id; empty: none.';
COMMENT ON COLUMN entities.reminders.created_at IS 'When it was created.';
COMMENT ON COLUMN entities.reminders.completed_at IS 'When it was completed; null: open.';
COMMENT ON COLUMN entities.reminders.fired_at IS 'When the owner was reminded; null: not yet.';
COMMENT ON COLUMN entities.reminders.deleted_at IS
    'When it was deleted; null: not deleted. The row stays for devices that were offline.';
COMMENT ON COLUMN entities.reminders.position IS 'Position of its last change, in the stream entities/u of its owner.';
CREATE UNIQUE INDEX reminders_position ON entities.reminders (account, position);
CREATE INDEX reminders_due_at ON entities.reminders (account, due_at, id) WHERE deleted_at IS NULL;
CREATE INDEX reminders_open ON entities.reminders (account, due_at, id)
    WHERE deleted_at IS NULL AND completed_at IS NULL;
CREATE INDEX reminders_conversation ON entities.reminders (account, conversation, due_at, id)
    WHERE deleted_at IS NULL AND conversation IS NOT NULL;
-- Lists completed reminders by due time. Open ones have their own index.
CREATE INDEX reminders_completed ON entities.reminders (account, due_at, id)
    WHERE deleted_at IS NULL AND completed_at IS NOT NULL;
COMMENT ON INDEX entities.reminders_completed IS 'A person''s completed reminders by due time.';

-- Heads of people's streams.
CREATE TABLE entities.heads (
    account bigint PRIMARY KEY,
    position bigint NOT NULL
) WITH (fillfactor = 70);
COMMENT ON TABLE entities.heads IS 'Heads of the streams entities/u/USER. Lock several in order of account.';
COMMENT ON COLUMN entities.heads.account IS 'The owner of the stream.';
COMMENT ON COLUMN entities.heads.position IS 'The last position used.';

-- Journal and erasure.
\include Journal/0001_journal.sql
\include Erasure/0001_erased.sql

COMMENT ON COLUMN entities.journal.subjects IS 'Account whose stream entities/u changed.';
COMMENT ON COLUMN entities.journal.objects IS 'Always 0. The reminder is found by subject and position.';
COMMENT ON COLUMN entities.journal.audience IS 'Accounts that may see the Updates, listed Update by Update.';
