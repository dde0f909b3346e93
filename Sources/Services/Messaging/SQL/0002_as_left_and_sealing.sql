-- What a former member reads of a message edited since they left.
ALTER TABLE messaging.revisions
    ADD COLUMN mentions bigint[],
    ADD COLUMN until_position bigint NOT NULL DEFAULT 9223372036854775807;
COMMENT ON TABLE messaging.revisions IS
    'Earlier texts and mentions of edited messages. Deleted together with the message''s text.';
COMMENT ON COLUMN messaging.revisions.mentions IS 'The accounts mentioned before the edit; null: none.';
COMMENT ON COLUMN messaging.revisions.until_position IS
    'The position of the edit that replaced it. The largest one for edits by a program that did not store it: whoever '
    'has left then reads the oldest text.';

-- A person lists the files that they sent.
CREATE INDEX attachments_sent ON messaging.attachments (owner, created_at, conversation, id)
    WHERE seq IS NOT NULL AND unused_at IS NULL;
COMMENT ON INDEX messaging.attachments_sent IS 'The files that a person sent, oldest first.';

\include Sealing/0001_sealing_keys.sql
