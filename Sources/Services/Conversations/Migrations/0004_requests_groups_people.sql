-- Message requests, blocks that take effect, groups of up to 1,000 with names, photos and roles, and profiles.

-- ---------------------------------------------------------------------------------------------------------------------
-- Requests. What the two of a direct conversation are to each other stands in its row and in conversations.blocks
-- (RequestRules.swift says how it changes); what follows from it for each of them stands flat in conversations.members.

ALTER TABLE conversations.conversations
    ADD COLUMN asks smallint NOT NULL DEFAULT 0,
    ADD COLUMN asked_at bigint,
    ADD COLUMN is_revealed boolean NOT NULL DEFAULT true,
    ADD COLUMN declined_at bigint,
    ADD COLUMN withdrawn_at bigint,
    ADD COLUMN member_count integer NOT NULL DEFAULT 0,
    ADD COLUMN members_key bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN conversations.conversations.status IS
    'As ConversationStatus: 1 pending, 2 accepted. That somebody blocked the other stands in conversations.blocks.';
COMMENT ON COLUMN conversations.conversations.requester IS
    'Account that asked, also once it is accepted; null: no request was needed.';
COMMENT ON COLUMN conversations.conversations.asks IS 'How often was asked; each allows so many messages more.';
COMMENT ON COLUMN conversations.conversations.asked_at IS 'When was last asked; null: never.';
COMMENT ON COLUMN conversations.conversations.is_revealed IS
    'False while a request holds no message since it was asked: who is asked sees nothing of it.';
COMMENT ON COLUMN conversations.conversations.declined_at IS
    'When who is asked declined, or blocked who asked; null: did not.';
COMMENT ON COLUMN conversations.conversations.withdrawn_at IS 'When who asked took it back; null: did not.';
COMMENT ON COLUMN conversations.conversations.member_count IS 'How many members there are now.';
COMMENT ON COLUMN conversations.conversations.members_key IS
    'Of the set of members: the hashes of their numbers (hashint8extended with 0), XORed. Finds the group of just these.';

ALTER TABLE conversations.members
    ADD COLUMN place smallint NOT NULL DEFAULT 1 CHECK (place BETWEEN 0 AND 5),
    ADD COLUMN request_at bigint,
    ADD COLUMN request_read_at bigint,
    ADD COLUMN left_name text,
    ADD COLUMN left_photo_url text;
COMMENT ON COLUMN conversations.members.place IS
    'As ConversationPlace: 1 inbox, 2 requests, 3 blocked people, 4 left, 5 gone; 0: not shown to the member (yet).';
COMMENT ON COLUMN conversations.members.request_at IS 'Of who is asked: when was last asked; null: was not.';
COMMENT ON COLUMN conversations.members.request_read_at IS 'Of who is asked: when they saw the request; null: not yet.';
COMMENT ON COLUMN conversations.members.left_name IS 'The group''s name when the member left; null: is a member.';
COMMENT ON COLUMN conversations.members.left_photo_url IS 'The group''s photo when the member left; null: is a member.';

UPDATE conversations.members AS m
SET place = 4, left_name = c.name, left_photo_url = c.photo_url
FROM conversations.conversations AS c
WHERE m.left_at IS NOT NULL
    AND c.conversation = m.conversation;

UPDATE conversations.conversations AS c
SET member_count = m.count, members_key = m.key
FROM (
    SELECT conversation, count(*) AS count, bit_xor(hashint8extended(account, 0)) AS key
    FROM conversations.members
    WHERE left_at IS NULL
    GROUP BY conversation
) AS m
WHERE m.conversation = c.conversation;

CREATE INDEX members_requests ON conversations.members (account, request_at, conversation) WHERE place = 2;
CREATE INDEX conversations_members_key ON conversations.conversations (members_key, created_at, conversation)
    WHERE kind = 2;
-- In the order in which they are shown and paged through: the first of a large group are one short range.
CREATE INDEX members_order ON conversations.members (conversation, (-role), joined_version, account)
    WHERE left_at IS NULL;

-- ---------------------------------------------------------------------------------------------------------------------
-- Requests are shown once they hold a message: for that messaging's journal is followed (Reveal.swift).

CREATE TABLE conversations.followed (
    source text COLLATE "C" NOT NULL,
    lane integer NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (source, lane)
) WITH (fillfactor = 50);
COMMENT ON TABLE conversations.followed IS
    'How far the journals of other services are followed. Moves in the transaction of what follows from them.';
COMMENT ON COLUMN conversations.followed.source IS 'The service whose journal it is.';
COMMENT ON COLUMN conversations.followed.lane IS 'Its lane.';
COMMENT ON COLUMN conversations.followed.number IS 'The last number that was dealt with.';

-- ---------------------------------------------------------------------------------------------------------------------
-- What else stands in a person's own stream than their conversations.

ALTER TABLE conversations.accounts
    ADD COLUMN findable_by_email boolean NOT NULL DEFAULT false;
-- NFC may be longer than what was asked for.
ALTER TABLE conversations.accounts
    ADD CONSTRAINT display_name_is_short CHECK (octet_length(display_name) <= 128),
    ADD CONSTRAINT email_is_short CHECK (octet_length(email) <= 254);
ALTER TABLE conversations.conversations
    ADD CONSTRAINT name_is_short CHECK (octet_length(name) <= 128);
COMMENT ON COLUMN conversations.accounts.findable_by_email IS 'Whoever knows the whole address may find the owner by it.';

ALTER TABLE conversations.heads
    ADD COLUMN requests_position bigint NOT NULL DEFAULT 0,
    ADD COLUMN profile_position bigint NOT NULL DEFAULT 0,
    ADD COLUMN blocks_position bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN conversations.heads.requests_position IS 'Position with which the count of requests last changed.';
COMMENT ON COLUMN conversations.heads.profile_position IS 'Position with which the person''s profile last changed.';
COMMENT ON COLUMN conversations.heads.blocks_position IS 'Position with which the person last blocked or unblocked.';

COMMENT ON COLUMN conversations.journal.kinds IS
    'What changed: 1 conversation as its subject sees it, 2 the subject''s device or sign-ins were revoked, 6 how many '
    'requests the subject has, 7 the subject''s profile, 8 whether the subject blocks the object; and for services that '
    'follow: 3 joined, 4 left, 5 was removed, 9 group renamed, 10 its photo changed, 11 handed over, 12 made an admin, '
    '13 made a member again.';
COMMENT ON COLUMN conversations.journal.subjects IS
    'Kinds 1, 2, 6 to 8: account whose stream conversations/u it is. Kinds 3 to 5, 9 to 13: number of the conversation.';
COMMENT ON COLUMN conversations.journal.objects IS
    'Kind 1: number of the conversation. Kinds 2, 6, 7: 0. Kind 8: account. Kinds 3 to 5, 11 to 13: account that it '
    'happened to. Kinds 9, 10: 0.';
COMMENT ON COLUMN conversations.journal.audience IS
    'Account numbers who may see the Updates, one Update''s after the other''s. Kinds 3 to 5, 9 to 13: who did it.';

-- ---------------------------------------------------------------------------------------------------------------------
-- What is published. New columns stand at the end: a view can only grow there.

CREATE OR REPLACE VIEW conversations.access AS
SELECT conversation, account, role, write_refusal, write_until_seq, may_read, joined_at, left_at, position,
    joined_version, left_version, place
FROM conversations.members;

CREATE OR REPLACE VIEW conversations.conversation_ids AS
SELECT conversation, conversation_id, kind, name
FROM conversations.conversations;
COMMENT ON VIEW conversations.conversation_ids IS 'Numbers and ids of conversations, and groups'' names.';

CREATE VIEW conversations.blocked AS
SELECT account, blocked, at
FROM conversations.blocks;
COMMENT ON VIEW conversations.blocked IS 'Who blocks whom, since when.';

CREATE VIEW conversations.erased AS
SELECT account, erased_at
FROM conversations.accounts
WHERE erased_at IS NOT NULL;
COMMENT ON VIEW conversations.erased IS 'Accounts whose owners had them erased: nothing of theirs may be kept.';
CREATE INDEX accounts_erased_at ON conversations.accounts (erased_at) WHERE erased_at IS NOT NULL;

GRANT SELECT ON conversations.blocked TO parley_presence;
GRANT SELECT ON conversations.erased TO parley_messaging, parley_presence, parley_entities;

-- ---------------------------------------------------------------------------------------------------------------------
-- What is not in the inbox, by person and place: messaging's pages of requests, blocked people and left groups.

CREATE INDEX members_aside ON conversations.members (account, place, conversation) WHERE place > 1;
