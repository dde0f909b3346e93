-- Members of groups come and go. When they did is told in the conversation's own count of such changes, which the row
-- lock of conversations.conversations orders, so that messaging can say exactly which messages each may read.

ALTER TABLE conversations.members
    ADD COLUMN joined_version bigint NOT NULL DEFAULT 1,
    ADD COLUMN left_version bigint,
    ADD CHECK ((left_version IS NULL) = (left_at IS NULL)),
    ADD CHECK (left_version > joined_version);
COMMENT ON COLUMN conversations.members.joined_version IS
    'The conversation''s members_version with which the member joined, the last time; 1: was there from the beginning.';
COMMENT ON COLUMN conversations.members.left_version IS
    'The conversation''s members_version with which the member left or was removed; null: is a member.';
COMMENT ON COLUMN conversations.conversations.members_version IS
    'Grows with every change of members; names the audience of a large group. Who changes members locks this row.';

-- The new columns stand at the end: a view can only grow there.
CREATE OR REPLACE VIEW conversations.access AS
SELECT conversation, account, role, write_refusal, write_until_seq, may_read, joined_at, left_at, position,
    joined_version, left_version
FROM conversations.members;
COMMENT ON VIEW conversations.access IS
    'Who may do what where, former members too; the columns are those of conversations.members.';

COMMENT ON COLUMN conversations.journal.kinds IS
    'What changed: 1 conversation as its subject sees it, 2 the subject''s device or sign-ins were revoked; and for '
    'services that follow: 3 joined, 4 left, 5 was removed.';
COMMENT ON COLUMN conversations.journal.subjects IS
    'Kinds 1 and 2: account whose stream conversations/u it is. Kinds 3 to 5: number of the conversation.';
COMMENT ON COLUMN conversations.journal.objects IS
    'Kind 1: number of the conversation. Kind 2: 0. Kinds 3 to 5: account that joined, left or was removed.';
COMMENT ON COLUMN conversations.journal.audience IS
    'Account numbers who may see the Updates, one Update''s after the other''s. Kinds 3 to 5: who did it.';
