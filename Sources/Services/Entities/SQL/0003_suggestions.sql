-- Suggestions: what messages seem to say, for each person alone until they accept it.
CREATE TABLE entities.suggestions (
    account bigint NOT NULL,
    id uuid NOT NULL,
    kind smallint NOT NULL,
    state smallint NOT NULL,
    conversation bigint,
    seq bigint,
    source_message uuid,
    ordinal smallint NOT NULL,
    title text NOT NULL,
    location text NOT NULL,
    first_day integer,
    at_second integer,
    minutes integer,
    due_civil bigint,
    due_at bigint,
    time_zone text NOT NULL,
    entity uuid,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    position bigint NOT NULL,
    PRIMARY KEY (account, id)
);
COMMENT ON TABLE entities.suggestions IS
    'What messages seem to say, for one person each. A row is deleted when it expires, whatever became of it.';
COMMENT ON COLUMN entities.suggestions.account IS 'The person.';
COMMENT ON COLUMN entities.suggestions.id IS 'Made by the service (UUIDv7); also the id of what accepting it makes.';
COMMENT ON COLUMN entities.suggestions.kind IS 'As SuggestionKind: 1 event, 2 reminder, 3 decision.';
COMMENT ON COLUMN entities.suggestions.state IS 'As SuggestionState: 1 open … 4 withdrawn.';
COMMENT ON COLUMN entities.suggestions.conversation IS
    'The conversation of the message; null once the message no longer matters.';
COMMENT ON COLUMN entities.suggestions.seq IS 'The seq of the message; null as the conversation.';
COMMENT ON COLUMN entities.suggestions.source_message IS 'Id of the message; null unless it is open.';
COMMENT ON COLUMN entities.suggestions.ordinal IS 'Counts the suggestions of one kind that one message makes.';
COMMENT ON COLUMN entities.suggestions.title IS 'What it is about; empty unless it is open.';
COMMENT ON COLUMN entities.suggestions.location IS 'Where an event takes place; empty: not said.';
COMMENT ON COLUMN entities.suggestions.first_day IS 'The day of an event, counted from 1970-01-01.';
COMMENT ON COLUMN entities.suggestions.at_second IS
    'The time of day at which an event begins, in seconds; null: whole days.';
COMMENT ON COLUMN entities.suggestions.minutes IS 'How long an event lasts.';
COMMENT ON COLUMN entities.suggestions.due_civil IS
    'When a reminder is due on the wall in the zone, µs since 1970-01-01T00:00:00 there.';
COMMENT ON COLUMN entities.suggestions.due_at IS 'When a reminder is due.';
COMMENT ON COLUMN entities.suggestions.time_zone IS 'IANA name of the zone of these times.';
COMMENT ON COLUMN entities.suggestions.entity IS
    'What accepting it made; of an open one, the event that another member made of the message.';
COMMENT ON COLUMN entities.suggestions.created_at IS 'When it was made.';
COMMENT ON COLUMN entities.suggestions.expires_at IS 'When it ends.';
COMMENT ON COLUMN entities.suggestions.position IS
    'Position of its last change, in the stream entities/u of the person.';
CREATE UNIQUE INDEX suggestions_position ON entities.suggestions (account, position);
CREATE INDEX suggestions_open ON entities.suggestions (account, created_at, id) WHERE state = 1;
COMMENT ON INDEX entities.suggestions_open IS 'A person''s open suggestions by time.';
CREATE INDEX suggestions_message ON entities.suggestions (conversation, seq, account) WHERE conversation IS NOT NULL;
COMMENT ON INDEX entities.suggestions_message IS 'The suggestions of a message.';
CREATE INDEX suggestions_expires_at ON entities.suggestions (expires_at, account, id);
COMMENT ON INDEX entities.suggestions_expires_at IS 'What expires next.';

CREATE TABLE entities.message_events (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    event uuid NOT NULL,
    PRIMARY KEY (conversation, seq)
);
COMMENT ON TABLE entities.message_events IS
    'The events that were made of messages by accepting suggestions: one of each message.';
COMMENT ON COLUMN entities.message_events.conversation IS 'The conversation of the message.';
COMMENT ON COLUMN entities.message_events.seq IS 'The seq of the message.';
COMMENT ON COLUMN entities.message_events.event IS 'The event.';

CREATE TABLE entities.suggestions_off (
    account bigint NOT NULL,
    conversation bigint NOT NULL,
    PRIMARY KEY (account, conversation)
);
COMMENT ON TABLE entities.suggestions_off IS 'Where people have turned suggestions off.';
COMMENT ON COLUMN entities.suggestions_off.account IS 'The person.';
COMMENT ON COLUMN entities.suggestions_off.conversation IS 'The conversation; 0: all.';
