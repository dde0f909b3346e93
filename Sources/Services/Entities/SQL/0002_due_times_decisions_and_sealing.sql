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
