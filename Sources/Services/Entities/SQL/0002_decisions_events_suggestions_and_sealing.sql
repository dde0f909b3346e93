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

-- Decisions, and the cards by which entities appear in conversations.
CREATE TABLE entities.decisions (
    account bigint NOT NULL,
    id uuid NOT NULL,
    text text NOT NULL,
    folded text NOT NULL,
    conversation bigint,
    source_message uuid,
    created_at bigint NOT NULL,
    card bigint,
    supersedes uuid,
    superseded_by uuid,
    deleted_at bigint,
    position bigint NOT NULL,
    PRIMARY KEY (account, id)
);
COMMENT ON TABLE entities.decisions IS 'What was decided. One without a card is visible only to its author.';
COMMENT ON COLUMN entities.decisions.id IS 'Chosen by the client (UUIDv7).';
COMMENT ON COLUMN entities.decisions.account IS 'The author.';
COMMENT ON COLUMN entities.decisions.text IS 'What was decided; empty once deleted.';
COMMENT ON COLUMN entities.decisions.folded IS 'The text without capitals and accents, for search.';
COMMENT ON COLUMN entities.decisions.conversation IS 'Where it was decided; null: in no conversation.';
COMMENT ON COLUMN entities.decisions.source_message IS 'Id of the message it was made from; null: none.';
COMMENT ON COLUMN entities.decisions.created_at IS 'When it was created.';
COMMENT ON COLUMN entities.decisions.card IS 'Its card in the conversation; null: private.';
COMMENT ON COLUMN entities.decisions.supersedes IS 'The earlier decision that it replaces; null: none.';
COMMENT ON COLUMN entities.decisions.superseded_by IS 'The later decision that replaces it; null: it holds.';
COMMENT ON COLUMN entities.decisions.deleted_at IS
    'When it was deleted; null: not deleted. The row stays for devices that were offline.';
COMMENT ON COLUMN entities.decisions.position IS 'Position of its last change, in the stream entities/u of its author.';
CREATE UNIQUE INDEX decisions_id ON entities.decisions (id);
COMMENT ON INDEX entities.decisions_id IS 'Those with whom a decision is shared know its id, not its author.';
CREATE UNIQUE INDEX decisions_position ON entities.decisions (account, position);
CREATE INDEX decisions_own ON entities.decisions (account, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX decisions_own_conversation ON entities.decisions (account, conversation, created_at, id)
    WHERE deleted_at IS NULL AND conversation IS NOT NULL;
CREATE INDEX decisions_shared ON entities.decisions (conversation, created_at, id)
    WHERE deleted_at IS NULL AND card IS NOT NULL;
COMMENT ON INDEX entities.decisions_shared IS 'The decisions shared with a conversation, by time.';

CREATE TABLE entities.cards (
    conversation bigint NOT NULL,
    card bigint GENERATED ALWAYS AS IDENTITY,
    kind smallint NOT NULL,
    entity uuid NOT NULL,
    account bigint NOT NULL,
    message uuid NOT NULL,
    supersedes uuid,
    withdrawn_at bigint,
    PRIMARY KEY (conversation, card)
);
COMMENT ON TABLE entities.cards IS
    'Entities that appear in conversations. Messaging writes a system message for each. Who may read that message may '
    'read the entity.';
COMMENT ON COLUMN entities.cards.card IS 'Its number, by which the journal names it.';
COMMENT ON COLUMN entities.cards.kind IS 'The kind of the entity: a number of SystemNoteKind.';
COMMENT ON COLUMN entities.cards.entity IS 'The id of the entity.';
COMMENT ON COLUMN entities.cards.conversation IS 'Where it appears.';
COMMENT ON COLUMN entities.cards.account IS 'The person who shared it.';
COMMENT ON COLUMN entities.cards.message IS 'The id of the message.';
COMMENT ON COLUMN entities.cards.supersedes IS 'The id of the entity that it replaces; null: none.';
COMMENT ON COLUMN entities.cards.withdrawn_at IS
    'When the entity was deleted, and its message with it; null: it appears.';
CREATE UNIQUE INDEX cards_card ON entities.cards (card);
COMMENT ON INDEX entities.cards_card IS 'The journal names a card by its number alone.';

-- Schemas that were made before have not granted it.
GRANT USAGE ON SCHEMA entities TO parley_messaging;
GRANT SELECT ON entities.journal, entities.lanes TO parley_messaging;

\include Sealing/0001_sealing_keys.sql

-- Events, the conversations invited to them, and the people who answer.

CREATE TABLE entities.events (
    account bigint NOT NULL,
    id uuid NOT NULL,
    title text NOT NULL,
    first_day integer NOT NULL,
    at_second integer,
    time_zone text NOT NULL,
    minutes integer NOT NULL,
    location text NOT NULL,
    link text NOT NULL,
    notes text NOT NULL,
    recurrence text NOT NULL,
    starts_at bigint NOT NULL,
    ends_at bigint NOT NULL,
    zone_rules text COLLATE "C" NOT NULL,
    conversation bigint,
    source_message uuid,
    created_at bigint NOT NULL,
    changed_at bigint NOT NULL,
    version bigint NOT NULL DEFAULT 1,
    part_versions bigint[] NOT NULL DEFAULT '{}',
    attendees integer NOT NULL DEFAULT 0,
    accepted integer NOT NULL DEFAULT 0,
    tentative integer NOT NULL DEFAULT 0,
    declined integer NOT NULL DEFAULT 0,
    coming integer NOT NULL DEFAULT 0,
    counted_at bigint NOT NULL DEFAULT 0,
    counts_due_at bigint,
    counts_by bigint,
    cancelled_at bigint,
    deleted_at bigint,
    PRIMARY KEY (account, id)
);
COMMENT ON TABLE entities.events IS 'Events. Who sees one is decided by EventsStore.isVisible.';
COMMENT ON COLUMN entities.events.id IS 'Chosen by the client (UUIDv7).';
COMMENT ON COLUMN entities.events.account IS 'The creator.';
COMMENT ON COLUMN entities.events.title IS 'What takes place; empty once deleted.';
COMMENT ON COLUMN entities.events.first_day IS 'The first day, counted from 1970-01-01.';
COMMENT ON COLUMN entities.events.at_second IS 'The time of day at which it begins, in seconds; null: whole days.';
COMMENT ON COLUMN entities.events.time_zone IS 'IANA name of the zone of that time; empty: whole days.';
COMMENT ON COLUMN entities.events.minutes IS 'How long each date lasts.';
COMMENT ON COLUMN entities.events.location IS 'Where, in free form.';
COMMENT ON COLUMN entities.events.link IS 'An https URL.';
COMMENT ON COLUMN entities.events.notes IS 'What else the hosts say about it.';
COMMENT ON COLUMN entities.events.recurrence IS
    'Rule by RFC 5545, with LAST, the last day, if it has COUNT; empty: it takes place once.';
COMMENT ON COLUMN entities.events.starts_at IS 'When the first date begins; for whole days in UTC.';
COMMENT ON COLUMN entities.events.ends_at IS 'When the last date has ended, or later; the largest bigint: it goes on.';
COMMENT ON COLUMN entities.events.zone_rules IS 'The version of the rules by which these two follow.';
COMMENT ON COLUMN entities.events.conversation IS 'The conversation it was made from; null: none.';
COMMENT ON COLUMN entities.events.source_message IS 'Id of the message it was made from; null: none.';
COMMENT ON COLUMN entities.events.created_at IS 'When it was created.';
COMMENT ON COLUMN entities.events.changed_at IS 'When a host changed it last.';
COMMENT ON COLUMN entities.events.version IS 'Counts the changes by hosts.';
COMMENT ON COLUMN entities.events.part_versions IS
    'The version in which each part was last changed, in the order of EventPart.';
COMMENT ON COLUMN entities.events.attendees IS 'The number of people with an attendance that was not removed.';
COMMENT ON COLUMN entities.events.accepted IS 'Of these, those who accepted.';
COMMENT ON COLUMN entities.events.tentative IS 'Of these, those who may come.';
COMMENT ON COLUMN entities.events.declined IS 'Of these, those who declined.';
COMMENT ON COLUMN entities.events.coming IS 'Those who accepted, with those whom they bring.';
COMMENT ON COLUMN entities.events.counted_at IS 'When everyone was last told these numbers.';
COMMENT ON COLUMN entities.events.counts_due_at IS
    'When everyone is to be told them after answers since then; null: everyone knows them.';
COMMENT ON COLUMN entities.events.counts_by IS 'Who answered last, and so knows them; null: nobody since then.';
COMMENT ON COLUMN entities.events.cancelled_at IS 'When it was called off; null: it takes place.';
COMMENT ON COLUMN entities.events.deleted_at IS
    'When it was deleted; null: not deleted. The row stays for devices that were offline.';
CREATE UNIQUE INDEX events_id ON entities.events (id);
COMMENT ON INDEX entities.events_id IS 'Most people who see an event know its id, not its creator.';
CREATE INDEX events_account ON entities.events (account) WHERE deleted_at IS NULL;
COMMENT ON INDEX entities.events_account IS 'How many events a person has.';
CREATE INDEX events_zone_rules ON entities.events (zone_rules) WHERE deleted_at IS NULL AND time_zone <> '';
COMMENT ON INDEX entities.events_zone_rules IS 'Events whose instants follow from earlier rules.';
CREATE INDEX events_counts_due_at ON entities.events (counts_due_at) WHERE counts_due_at IS NOT NULL;
COMMENT ON INDEX entities.events_counts_due_at IS 'Events whose numbers are to be told next.';

CREATE TABLE entities.event_dates (
    account bigint NOT NULL,
    event uuid NOT NULL,
    day integer NOT NULL,
    new_day integer,
    new_second integer,
    PRIMARY KEY (account, event, day)
);
COMMENT ON TABLE entities.event_dates IS 'Dates of recurring events that are called off or moved.';
COMMENT ON COLUMN entities.event_dates.account IS 'The creator of the event.';
COMMENT ON COLUMN entities.event_dates.event IS 'The event.';
COMMENT ON COLUMN entities.event_dates.day IS 'The day by the recurrence, counted from 1970-01-01.';
COMMENT ON COLUMN entities.event_dates.new_day IS 'The day to which it is moved; null: it is called off.';
COMMENT ON COLUMN entities.event_dates.new_second IS 'The time of day to which it is moved; null: whole days.';

CREATE TABLE entities.event_invitations (
    conversation bigint NOT NULL,
    event uuid NOT NULL,
    card bigint NOT NULL,
    ends_at bigint NOT NULL,
    PRIMARY KEY (conversation, event)
);
COMMENT ON TABLE entities.event_invitations IS
    'The conversations invited to events. Who may read the message of the card sees the event.';
COMMENT ON COLUMN entities.event_invitations.event IS 'The event.';
COMMENT ON COLUMN entities.event_invitations.conversation IS 'The conversation.';
COMMENT ON COLUMN entities.event_invitations.card IS 'Its card there.';
COMMENT ON COLUMN entities.event_invitations.ends_at IS 'As of the event.';
CREATE INDEX event_invitations_event ON entities.event_invitations (event, card);
COMMENT ON INDEX entities.event_invitations_event IS
    'The conversations of an event, in the order of their invitations.';
CREATE INDEX event_invitations_ends_at ON entities.event_invitations (conversation, ends_at, event);
COMMENT ON INDEX entities.event_invitations_ends_at IS 'The events of a conversation that are not over.';

CREATE TABLE entities.attendances (
    account bigint NOT NULL,
    event uuid NOT NULL,
    status smallint NOT NULL,
    guests integer NOT NULL DEFAULT 0,
    conversation bigint,
    answered_at bigint,
    is_host boolean NOT NULL DEFAULT false,
    is_asked_to_host boolean NOT NULL DEFAULT false,
    declined_to_host boolean NOT NULL DEFAULT false,
    is_erased boolean NOT NULL DEFAULT false,
    remind_minutes integer NOT NULL,
    remind_at bigint,
    reminded_at bigint,
    reminded_of bigint,
    ends_at bigint NOT NULL,
    removed_at bigint,
    position bigint NOT NULL,
    content_position bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (account, event)
);
COMMENT ON TABLE entities.attendances IS
    'The people who created, host or answered an event, or are asked to host it. They get its changes, unless they '
    'declined.';
COMMENT ON COLUMN entities.attendances.account IS 'The person.';
COMMENT ON COLUMN entities.attendances.event IS 'The event.';
COMMENT ON COLUMN entities.attendances.status IS 'As AttendanceStatus: 1 pending … 4 tentative.';
COMMENT ON COLUMN entities.attendances.guests IS 'How many come along.';
COMMENT ON COLUMN entities.attendances.conversation IS 'From where they answered; null: from none.';
COMMENT ON COLUMN entities.attendances.answered_at IS 'When they answered last; null: not yet.';
COMMENT ON COLUMN entities.attendances.is_host IS 'The creator, or a co-host who accepted.';
COMMENT ON COLUMN entities.attendances.is_asked_to_host IS 'Asked to host, and not answered.';
COMMENT ON COLUMN entities.attendances.declined_to_host IS
    'Declined to host, and has not said since that they come: nobody asks them again.';
COMMENT ON COLUMN entities.attendances.is_erased IS 'The person was erased; the scheduler takes them out of the event.';
COMMENT ON COLUMN entities.attendances.remind_minutes IS
    'How long before each date they are reminded; negative: not at all.';
COMMENT ON COLUMN entities.attendances.remind_at IS 'When they are reminded next; null: never.';
COMMENT ON COLUMN entities.attendances.reminded_at IS 'When they were last reminded; null: not yet.';
COMMENT ON COLUMN entities.attendances.reminded_of IS 'When the date begins of which they were last reminded.';
COMMENT ON COLUMN entities.attendances.ends_at IS 'As of the event.';
COMMENT ON COLUMN entities.attendances.removed_at IS
    'When the event was no longer theirs to see; null: it is. The row stays for devices that were offline.';
COMMENT ON COLUMN entities.attendances.position IS
    'Position of its last change, in the stream entities/u of the person.';
COMMENT ON COLUMN entities.attendances.content_position IS
    'Position of its last change of more than the numbers of people.';
CREATE UNIQUE INDEX attendances_position ON entities.attendances (account, position);
CREATE INDEX attendances_content ON entities.attendances (account, content_position)
    WHERE content_position <> position;
COMMENT ON INDEX entities.attendances_content IS
    'Events that an Update of an earlier position told of, for who missed it.';
CREATE INDEX attendances_ends_at ON entities.attendances (account, ends_at, event) WHERE removed_at IS NULL;
COMMENT ON INDEX entities.attendances_ends_at IS 'A person''s events that are not over.';
CREATE INDEX attendances_event ON entities.attendances (event, answered_at, account) WHERE removed_at IS NULL;
COMMENT ON INDEX entities.attendances_event IS 'The people of an event, in order of their answers.';
CREATE INDEX attendances_hosts ON entities.attendances (event, account)
    WHERE (is_host OR is_asked_to_host) AND removed_at IS NULL;
COMMENT ON INDEX entities.attendances_hosts IS 'The hosts of an event, and who is asked to be one.';
CREATE INDEX attendances_remind_at ON entities.attendances (remind_at, account, event) WHERE remind_at IS NOT NULL;
COMMENT ON INDEX entities.attendances_remind_at IS 'Who is reminded next.';
CREATE INDEX attendances_erased ON entities.attendances (account, event) WHERE is_erased;
COMMENT ON INDEX entities.attendances_erased IS 'Erased people who are still in events.';

CREATE TABLE entities.calendar_links (
    account bigint PRIMARY KEY,
    secret_hash bytea,
    created_at bigint NOT NULL,
    window_at bigint NOT NULL,
    fetches integer NOT NULL
);
COMMENT ON TABLE entities.calendar_links IS 'Secret links by which calendars get a person''s events.';
COMMENT ON COLUMN entities.calendar_links.account IS 'The person.';
COMMENT ON COLUMN entities.calendar_links.secret_hash IS
    'BLAKE2b-256 of the 16 random bytes of the link; null: it was ended.';
COMMENT ON COLUMN entities.calendar_links.created_at IS 'When it was made.';
COMMENT ON COLUMN entities.calendar_links.window_at IS 'When the hour began in which its fetches are counted.';
COMMENT ON COLUMN entities.calendar_links.fetches IS 'The fetches in that hour.';
CREATE UNIQUE INDEX calendar_links_secret_hash ON entities.calendar_links (secret_hash);
COMMENT ON INDEX entities.calendar_links_secret_hash IS 'Finds the person of a link.';

-- Cards say how often their entity has changed.
ALTER TABLE entities.cards ADD COLUMN changes bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN entities.cards.changes IS 'How often the entity has changed.';

\include Following/0001_followed.sql
\include Following/0002_tried_and_named.sql

-- Suggestions: what messages seem to say, for each person alone until they accept it.
CREATE TABLE entities.suggestions (
    account bigint NOT NULL,
    id uuid NOT NULL,
    kind smallint NOT NULL,
    state smallint NOT NULL,
    conversation bigint,
    seq bigint,
    source_message uuid,
    sender bigint,
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
COMMENT ON COLUMN entities.suggestions.sender IS 'Who sent the message; null as the conversation.';
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

-- Reading by a model outside Parley, where people allow it.
CREATE TABLE entities.model_consents (
    conversation bigint NOT NULL,
    account bigint NOT NULL,
    allowed_at bigint NOT NULL,
    PRIMARY KEY (conversation, account)
);
COMMENT ON TABLE entities.model_consents IS
    'Who allows a model to read a conversation: of a group its owner counts, of a direct conversation both people.';
COMMENT ON COLUMN entities.model_consents.conversation IS 'The conversation.';
COMMENT ON COLUMN entities.model_consents.account IS 'The person.';
COMMENT ON COLUMN entities.model_consents.allowed_at IS 'Since when. What was sent before stays unread.';
CREATE INDEX model_consents_account ON entities.model_consents (account, conversation);
COMMENT ON INDEX entities.model_consents_account IS 'What a person allows.';

CREATE TABLE entities.model_kept_out (
    account bigint NOT NULL,
    conversation bigint NOT NULL,
    PRIMARY KEY (account, conversation)
);
COMMENT ON TABLE entities.model_kept_out IS 'Whose own messages no model reads.';
COMMENT ON COLUMN entities.model_kept_out.account IS 'The person.';
COMMENT ON COLUMN entities.model_kept_out.conversation IS 'The conversation; 0: all.';

CREATE TABLE entities.model_readings (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    edited_at bigint NOT NULL,
    queued_at bigint NOT NULL,
    due_at bigint,
    PRIMARY KEY (conversation, seq)
);
COMMENT ON TABLE entities.model_readings IS
    'The messages that a model is to read or has read, so that each text is read once. No text is in it.';
COMMENT ON COLUMN entities.model_readings.conversation IS 'The conversation.';
COMMENT ON COLUMN entities.model_readings.seq IS 'The message.';
COMMENT ON COLUMN entities.model_readings.edited_at IS 'When the text was edited last; 0: never.';
COMMENT ON COLUMN entities.model_readings.queued_at IS 'When it began to wait.';
COMMENT ON COLUMN entities.model_readings.due_at IS
    'When the model is asked next, unless that is under way; null: it was read, or the rules did it.';
CREATE INDEX model_readings_due_at ON entities.model_readings (due_at, conversation, seq) WHERE due_at IS NOT NULL;
COMMENT ON INDEX entities.model_readings_due_at IS 'What waits for the model.';
CREATE INDEX model_readings_queued_at ON entities.model_readings (queued_at) WHERE due_at IS NULL;
COMMENT ON INDEX entities.model_readings_queued_at IS 'What is forgotten next.';

CREATE TABLE entities.model_days (
    day integer NOT NULL,
    account bigint NOT NULL,
    requests bigint NOT NULL,
    PRIMARY KEY (day, account)
);
COMMENT ON TABLE entities.model_days IS 'The requests to the model of each day (UTC).';
COMMENT ON COLUMN entities.model_days.day IS 'Days since 1970-01-01.';
COMMENT ON COLUMN entities.model_days.account IS 'Whose messages they were about; 0: all.';
COMMENT ON COLUMN entities.model_days.requests IS 'How many were sent.';
