-- Invitations into groups. An invited person is no member: left_at is set in their row, as for a former member.
ALTER TABLE conversations.members
    ADD COLUMN invited_by bigint,
    ADD COLUMN invited_count integer,
    ADD CHECK (invited_by IS NULL OR left_at IS NOT NULL);
COMMENT ON COLUMN conversations.members.joined_version IS
    'The conversation''s members_version when the member last joined; 1: a member from the beginning; 0: a person who '
    'has only ever been invited, of whom no other service knows.';
COMMENT ON COLUMN conversations.members.invited_by IS
    'Account of the member whose invitation into the group is open, as the admins see it: also after it was declined, '
    'and if it was never shown. It is shown to the invited person while section is 2. Null: none.';
COMMENT ON COLUMN conversations.members.invited_count IS
    'The number of members when the invitation was made, which the invited person sees.';
COMMENT ON COLUMN conversations.members.left_at IS
    'When the member left or was removed, or was first invited; null: is a member.';
COMMENT ON COLUMN conversations.members.left_version IS
    'The conversation''s members_version when the member left or was removed; 1 for a person who was never a member; '
    'null: is a member.';
COMMENT ON COLUMN conversations.members.request_at IS
    'In the recipient''s row, when the last request was sent or they were last invited; null: none.';
COMMENT ON COLUMN conversations.members.request_read_at IS
    'In the recipient''s row, when they saw the request or invitation; null: not yet.';
COMMENT ON COLUMN conversations.members.left_name IS
    'The group''s name when the member left or was last shown an invitation; null: is a member.';
COMMENT ON COLUMN conversations.members.left_photo_url IS
    'The group''s photo when the member left or was last shown an invitation; null: is a member.';
CREATE INDEX members_invited ON conversations.members (account, conversation) WHERE invited_by IS NOT NULL;

COMMENT ON COLUMN conversations.journal.subjects IS
    'Kinds 1, 2, 6 to 8: account whose stream conversations/u changed. Kinds 3 to 5, 9 to 14: the conversation.';
COMMENT ON COLUMN conversations.journal.objects IS
    'Kind 1: the conversation. Kinds 2, 6, 7: 0. Kind 8: the blocked account. Kinds 3 to 5, 11 to 13: the account '
    'concerned. Kinds 9, 10, 14: 0.';
COMMENT ON COLUMN conversations.journal.audience IS
    'Accounts that may see the Updates, listed Update by Update. Kinds 3 to 5, 9 to 14: the account that made the '
    'change.';

CREATE TABLE conversations.declined_invitations (
    account bigint NOT NULL,
    conversation bigint NOT NULL,
    inviter bigint NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (account, conversation, inviter)
);
COMMENT ON TABLE conversations.declined_invitations IS
    'Who declined whose invitation into which group. Deleted when the person joins the group, and with either of them.';
COMMENT ON COLUMN conversations.declined_invitations.account IS 'The person who declined.';
COMMENT ON COLUMN conversations.declined_invitations.conversation IS 'The group.';
COMMENT ON COLUMN conversations.declined_invitations.inviter IS 'Account of the inviter.';
COMMENT ON COLUMN conversations.declined_invitations.at IS 'When they last did.';
CREATE INDEX declined_invitations_inviter ON conversations.declined_invitations (inviter);

\include Sealing/0001_sealing_keys.sql

ALTER TABLE conversations.signing_keys
    ADD COLUMN seal bytea NOT NULL DEFAULT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
        CHECK (octet_length(seal) = 32);
ALTER TABLE conversations.signing_keys ALTER COLUMN seal DROP DEFAULT;
COMMENT ON COLUMN conversations.signing_keys.seal IS
    'Secret key, 32 bytes. Seals the account number in tokens; gateways open it.';
