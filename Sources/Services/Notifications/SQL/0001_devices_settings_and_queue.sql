-- Devices that are registered for pushes, what people want to be told, and what waits to be sent. Times are bigint µs
-- since 1970 (UTC).

-- Devices.
CREATE TABLE notifications.devices (
    account bigint NOT NULL,
    device text COLLATE "C" NOT NULL,
    transport smallint NOT NULL CHECK (transport BETWEEN 1 AND 5),
    token text NOT NULL,
    token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32),
    app text NOT NULL,
    language text NOT NULL,
    content_key bytea CHECK (octet_length(content_key) = 65),
    auth_secret bytea CHECK (octet_length(auth_secret) = 16),
    registered_at bigint NOT NULL,
    last_sent_at bigint NOT NULL DEFAULT 0,
    last_result text NOT NULL DEFAULT '',
    badge integer NOT NULL DEFAULT 0,
    quiet_until bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (account, device),
    CONSTRAINT token_is_short CHECK (octet_length(token) <= 4096)
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX devices_token_hash ON notifications.devices (token_hash);
COMMENT ON INDEX notifications.devices_token_hash IS 'A token belongs to one device.';
COMMENT ON TABLE notifications.devices IS 'The devices that are registered for pushes.';
COMMENT ON COLUMN notifications.devices.account IS 'The owner.';
COMMENT ON COLUMN notifications.devices.device IS 'The device, as of conversations.devices.';
COMMENT ON COLUMN notifications.devices.transport IS 'As PushTransport: 1 apns … 5 web_push.';
COMMENT ON COLUMN notifications.devices.token IS 'What the push service knows the device by.';
COMMENT ON COLUMN notifications.devices.token_hash IS 'SHA-256 of the transport, the app and the token.';
COMMENT ON COLUMN notifications.devices.app IS 'The app''s bundle id or project.';
COMMENT ON COLUMN notifications.devices.language IS 'BCP 47 tag; empty: English.';
COMMENT ON COLUMN notifications.devices.content_key IS 'Its public key of P-256; null: pushes are not encrypted.';
COMMENT ON COLUMN notifications.devices.auth_secret IS 'The secret beside the key (RFC 8291).';
COMMENT ON COLUMN notifications.devices.registered_at IS 'When it was registered last.';
COMMENT ON COLUMN notifications.devices.last_sent_at IS 'When a push was last sent to it; 0: never.';
COMMENT ON COLUMN notifications.devices.last_result IS 'What became of that.';
COMMENT ON COLUMN notifications.devices.badge IS 'The number on its icon, as of the last push.';
COMMENT ON COLUMN notifications.devices.quiet_until IS 'Until then no push is sent to it that only changes the number.';

-- What people want.
CREATE TABLE notifications.people (
    account bigint PRIMARY KEY,
    level smallint NOT NULL DEFAULT 1 CHECK (level BETWEEN 1 AND 3),
    content smallint NOT NULL DEFAULT 1 CHECK (content BETWEEN 1 AND 3),
    reactions boolean NOT NULL DEFAULT false,
    requests boolean NOT NULL DEFAULT true,
    reminders boolean NOT NULL DEFAULT true,
    events boolean NOT NULL DEFAULT true,
    mentions_when_muted boolean NOT NULL DEFAULT false,
    quiet_days smallint[] NOT NULL DEFAULT '{}',
    quiet_from smallint[] NOT NULL DEFAULT '{}',
    quiet_until smallint[] NOT NULL DEFAULT '{}',
    time_zone text NOT NULL DEFAULT '',
    sound text NOT NULL DEFAULT '',
    version bigint NOT NULL DEFAULT 0,
    changed_at bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX people_changed_at ON notifications.people (changed_at, account);
COMMENT ON INDEX notifications.people_changed_at IS 'What changed since a replica last looked.';
COMMENT ON TABLE notifications.people IS 'Of what people are told; the row exists once a device was registered.';
COMMENT ON COLUMN notifications.people.account IS 'The person.';
COMMENT ON COLUMN notifications.people.level IS 'As PushLevel: 1 all messages, 2 mentions, 3 none.';
COMMENT ON COLUMN notifications.people.content IS 'As PushContent: 1 full text, 2 names, 3 nothing.';
COMMENT ON COLUMN notifications.people.reactions IS 'Whether they are told of reactions to their messages.';
COMMENT ON COLUMN notifications.people.requests IS 'Whether they are told of message requests and invitations.';
COMMENT ON COLUMN notifications.people.reminders IS 'Whether they are told of their reminders.';
COMMENT ON COLUMN notifications.people.events IS 'Whether they are told of events.';
COMMENT ON COLUMN notifications.people.mentions_when_muted IS
    'Whether they are told of mentions in muted conversations.';
COMMENT ON COLUMN notifications.people.quiet_days IS 'The weekdays on which quiet hours begin: 1 Monday … 7 Sunday.';
COMMENT ON COLUMN notifications.people.quiet_from IS 'Beside each, the minute of the day at which they begin.';
COMMENT ON COLUMN notifications.people.quiet_until IS
    'Beside each, the minute at which they end; not above that of their beginning: on the next day.';
COMMENT ON COLUMN notifications.people.time_zone IS 'IANA name of the zone of quiet hours; empty: UTC.';
COMMENT ON COLUMN notifications.people.sound IS 'Name of the sound; empty: the device''s own.';
COMMENT ON COLUMN notifications.people.version IS 'Counts the changes of the settings.';
COMMENT ON COLUMN notifications.people.changed_at IS
    'When this row or a device of the person last changed, by the database''s clock.';

CREATE TABLE notifications.levels (
    account bigint NOT NULL,
    conversation bigint NOT NULL,
    level smallint NOT NULL CHECK (level BETWEEN 1 AND 3),
    PRIMARY KEY (account, conversation)
);
COMMENT ON TABLE notifications.levels IS 'Conversations of whose messages a person is told by a level of their own.';
COMMENT ON COLUMN notifications.levels.account IS 'The person.';
COMMENT ON COLUMN notifications.levels.conversation IS 'The conversation.';
COMMENT ON COLUMN notifications.levels.level IS 'As PushLevel.';

-- What was decided, and what waits.
CREATE TABLE notifications.told (
    account bigint NOT NULL,
    about text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (account, about)
);
CREATE INDEX told_at ON notifications.told (at);
COMMENT ON INDEX notifications.told_at IS 'What is old enough to be forgotten.';
COMMENT ON TABLE notifications.told IS
    'Of what each person was told, or will be, so that it happens once. Kept for two days.';
COMMENT ON COLUMN notifications.told.account IS 'The person.';
COMMENT ON COLUMN notifications.told.about IS 'What it is about: "m/CONVERSATION/SEQ", "r/REMINDER/FIRED" …';
COMMENT ON COLUMN notifications.told.at IS 'When it was decided.';

CREATE TABLE notifications.queue (
    account bigint NOT NULL,
    device text COLLATE "C" NOT NULL,
    notice uuid NOT NULL,
    kind smallint NOT NULL,
    about text COLLATE "C" NOT NULL,
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    entity uuid NOT NULL,
    made_at bigint NOT NULL,
    due_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    tries smallint NOT NULL DEFAULT 0,
    taken_by text COLLATE "C" NOT NULL DEFAULT '',
    PRIMARY KEY (account, device, notice)
) WITH (fillfactor = 70);
CREATE INDEX queue_due_at ON notifications.queue (due_at, account, device);
COMMENT ON INDEX notifications.queue_due_at IS 'What is sent next.';
CREATE INDEX queue_expires_at ON notifications.queue (expires_at);
COMMENT ON INDEX notifications.queue_expires_at IS 'What is of no use any more.';
COMMENT ON TABLE notifications.queue IS 'Pushes that wait to be sent, one row for each device.';
COMMENT ON COLUMN notifications.queue.account IS 'Who is told.';
COMMENT ON COLUMN notifications.queue.device IS 'On which device.';
COMMENT ON COLUMN notifications.queue.notice IS
    'Follows from about and device: the id under which it is sent, each time.';
COMMENT ON COLUMN notifications.queue.kind IS 'As NoticeKind.';
COMMENT ON COLUMN notifications.queue.about IS 'What it is about, as in told.';
COMMENT ON COLUMN notifications.queue.conversation IS 'The conversation; 0: none.';
COMMENT ON COLUMN notifications.queue.seq IS 'The message; 0: none.';
COMMENT ON COLUMN notifications.queue.entity IS 'The reminder or event; all zero: none.';
COMMENT ON COLUMN notifications.queue.made_at IS 'When what it tells of happened.';
COMMENT ON COLUMN notifications.queue.due_at IS 'When it is sent, or tried again.';
COMMENT ON COLUMN notifications.queue.expires_at IS 'When it is of no use any more.';
COMMENT ON COLUMN notifications.queue.tries IS 'How often it was handed to a sender.';
COMMENT ON COLUMN notifications.queue.taken_by IS 'The replica that sends it now; empty: it waits.';

\include Journal/0001_journal.sql
\include Following/0001_followed.sql
\include Following/0002_tried_and_named.sql
\include Erasure/0001_erased.sql
