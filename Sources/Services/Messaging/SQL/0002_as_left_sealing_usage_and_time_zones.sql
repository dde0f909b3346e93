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

-- How much each person uses, and whose older messages a new retention concerns.
CREATE TABLE messaging.usage (
    account bigint PRIMARY KEY,
    file_bytes bigint NOT NULL DEFAULT 0,
    day integer NOT NULL DEFAULT 0,
    messages integer NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
COMMENT ON TABLE messaging.usage IS 'How much each person uses, for the quotas.';
COMMENT ON COLUMN messaging.usage.account IS 'The person.';
COMMENT ON COLUMN messaging.usage.file_bytes IS
    'The bytes of their files in messaging.attachments that are not unused. Triggers keep it.';
COMMENT ON COLUMN messaging.usage.day IS 'The last day on which they sent a message, in days since 1970, UTC.';
COMMENT ON COLUMN messaging.usage.messages IS
    'How many they sent on that day. Each replica adds its own every few seconds; one that dies adds less.';

INSERT INTO messaging.usage (account, file_bytes)
SELECT owner, sum(size_bytes)
FROM messaging.attachments
WHERE unused_at IS NULL
GROUP BY owner;

ALTER TABLE messaging.retention_jobs ADD COLUMN senders bigint[];
COMMENT ON COLUMN messaging.retention_jobs.senders IS
    'The accounts whose older messages it concerns: who asked for it in a direct conversation; null: everybody''s.';

-- Messages have the time zone of their sender, in which entities understands what they say.
ALTER TABLE messaging.messages ADD COLUMN time_zone text COLLATE "C";
COMMENT ON COLUMN messaging.messages.time_zone IS
    'IANA name of the zone that the sender''s session named; null: none, or the message is deleted.';

-- What former members do not learn, and what they do.
ALTER TABLE messaging.inbox
    ADD COLUMN visible_retention_us bigint,
    ADD COLUMN renewed_position bigint;
COMMENT ON COLUMN messaging.inbox.visible_retention_us IS
    'For former members, heads.retention_us when they left. Null if they have not left.';
COMMENT ON COLUMN messaging.inbox.renewed_position IS
    'For former members, the position of the last change of this row by which their devices learned that messages of '
    'the window were deleted, or disappear at other times. Null: there was none since they left.';

UPDATE messaging.inbox AS i
SET visible_retention_us = h.retention_us
FROM messaging.heads AS h
WHERE i.visible_to IS NOT NULL AND h.conversation = i.conversation;

CREATE TABLE messaging.renewal_jobs (
    conversation bigint PRIMARY KEY,
    first_seq bigint NOT NULL,
    last_seq bigint NOT NULL,
    next_account bigint NOT NULL DEFAULT 0
);
COMMENT ON TABLE messaging.renewal_jobs IS
    'Conversations whose former members are yet to learn that messages were deleted, or disappear at other times. '
    'Written under the lock of the head.';
COMMENT ON COLUMN messaging.renewal_jobs.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.renewal_jobs.first_seq IS 'The oldest of these messages.';
COMMENT ON COLUMN messaging.renewal_jobs.last_seq IS 'The newest of these messages.';
COMMENT ON COLUMN messaging.renewal_jobs.next_account IS 'Former members below this account have learned it.';

-- An export that is imported again costs what is new in it.
CREATE TABLE messaging.imports (
    conversation bigint PRIMARY KEY,
    messages bigint NOT NULL,
    messages_digest bytea NOT NULL,
    digest bytea NOT NULL
);
COMMENT ON TABLE messaging.imports IS
    'Conversations that came in from elsewhere with all that their export has of them. Written by importers, who alone '
    'know how digests are made: the same one means the same content.';
COMMENT ON COLUMN messaging.imports.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.imports.messages IS 'How many messages the last such export has of it.';
COMMENT ON COLUMN messaging.imports.messages_digest IS 'Of these messages.';
COMMENT ON COLUMN messaging.imports.digest IS 'Of all that this export has of it.';

\include Following/0002_tried_and_named.sql
