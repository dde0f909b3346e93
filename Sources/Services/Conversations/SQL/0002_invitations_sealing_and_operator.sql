-- Invitations into groups. An invited person is no member: left_at is set in their row, as for a former member.
ALTER TABLE conversations.members
    ADD COLUMN invited_by bigint,
    ADD COLUMN invited_count integer,
    ADD COLUMN returned_position bigint NOT NULL DEFAULT 0,
    ADD CHECK (invited_by IS NULL OR left_at IS NOT NULL);
COMMENT ON COLUMN conversations.members.joined_version IS
    'The conversation''s members_version when the member last joined; 1: a member from the beginning; 0: a person who '
    'has only ever been invited, of whom no other service knows.';
COMMENT ON COLUMN conversations.members.invited_by IS
    'Account of the member whose invitation into the group is open, as the admins see it: also after it was declined, '
    'and if it was never shown. It is shown to the invited person while section is 2. Null: none.';
COMMENT ON COLUMN conversations.members.invited_count IS
    'The number of members when the invitation was made, which the invited person sees.';
COMMENT ON COLUMN conversations.members.returned_position IS
    'The value of position when the conversation last became the member''s again, after leaving or after section 5; 0: '
    'never.';
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

-- What the operator does: suspended accounts, codes for registering, and the record of all of it.
ALTER TABLE conversations.accounts
    ADD COLUMN suspended_at bigint,
    ADD COLUMN suspended_until bigint,
    ADD COLUMN suspended_for text NOT NULL DEFAULT '',
    ADD CHECK (suspended_until IS NULL OR suspended_at IS NOT NULL);
COMMENT ON COLUMN conversations.accounts.suspended_at IS
    'When the operator suspended it, so that nobody can sign in to it; null: not suspended.';
COMMENT ON COLUMN conversations.accounts.suspended_until IS
    'When the suspension ends by itself; null: when the operator ends it.';
COMMENT ON COLUMN conversations.accounts.suspended_for IS
    'The reason, which its owner sees when they sign in; empty: not suspended.';

CREATE TABLE conversations.registration_codes (
    hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
    uses_left integer NOT NULL CHECK (uses_left >= 0),
    expires_at bigint NOT NULL,
    created_at bigint NOT NULL
);
COMMENT ON TABLE conversations.registration_codes IS
    'Codes with which people register where the setting "registration" is "invited".';
COMMENT ON COLUMN conversations.registration_codes.hash IS
    'SHA-256 of the code''s letters and digits, in lower case. The code itself is not stored.';
COMMENT ON COLUMN conversations.registration_codes.uses_left IS 'How many accounts can still be created with it.';
COMMENT ON COLUMN conversations.registration_codes.expires_at IS 'From when on it is refused.';
COMMENT ON COLUMN conversations.registration_codes.created_at IS 'When the operator made it.';

CREATE TABLE conversations.audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at bigint NOT NULL,
    action smallint NOT NULL CHECK (action BETWEEN 1 AND 7),
    account bigint,
    reason text NOT NULL,
    operator text NOT NULL
);
COMMENT ON TABLE conversations.audit IS
    'What operators did, in order. Parley only adds rows. Of a person who is erased it has the account''s number.';
COMMENT ON COLUMN conversations.audit.id IS 'Its number.';
COMMENT ON COLUMN conversations.audit.at IS 'When, by the database''s clock.';
COMMENT ON COLUMN conversations.audit.action IS 'As OperatorAction of names.sql.';
COMMENT ON COLUMN conversations.audit.account IS 'The account that it concerned; null: none.';
COMMENT ON COLUMN conversations.audit.reason IS 'The reason that the operator gave; of a code, what it allows.';
COMMENT ON COLUMN conversations.audit.operator IS
    'Who did it, as "USER@HOST as ROLE": the account of the machine, and the role of the database.';
CREATE INDEX audit_account ON conversations.audit (account, id) WHERE account IS NOT NULL;

COMMENT ON COLUMN conversations.sign_in_attempts.key IS
    'The limited subject: "person:HASH" of a username, "person:HASH@PLACE" with an address or the /64 of one, '
    '"place:PLACE", "device:HASH" of what a device keeps, "owner:ACCOUNT:DEVICE", "token:PLACE", "code:PLACE", '
    '"mail:PLACE", "mail:HASH" of an address, "mail:ACCOUNT", "link:PLACE" or "register:PLACE". One of a person with '
    '":turns" at its end counts what came after the limit of "person:HASH".';
COMMENT ON COLUMN conversations.sign_in_attempts.attempts IS
    'Attempts in the current window. A right password takes its own back.';

\include Following/0002_tried_and_named.sql

-- Names have as many letters in every script.
ALTER TABLE conversations.accounts
    DROP CONSTRAINT display_name_is_short,
    ADD CONSTRAINT display_name_is_short CHECK (char_length(display_name) <= 128);
ALTER TABLE conversations.conversations
    DROP CONSTRAINT name_is_short,
    ADD CONSTRAINT name_is_short CHECK (char_length(name) <= 128);

-- Names fold by new rules; name_suffixes.sql fills the table again.
TRUNCATE conversations.name_suffixes;

-- Groups whose owner is suspended without end get another one.
ALTER TABLE conversations.jobs
    DROP CONSTRAINT jobs_kind_check,
    ADD CONSTRAINT jobs_kind_check CHECK (kind IN (1, 2, 3, 4));
COMMENT ON COLUMN conversations.jobs.kind IS
    '1 publish the profile to everyone who shares a conversation with the person, 2 remove the erased person from all '
    'conversations, 3 give the groups of the suspended person to others, 4 make the person the owner of groups.';

-- How people sign in besides by a password. That is in accounts.password_hash, where older programs look for it. A
-- passkey or a second factor would be another kind here.
CREATE TABLE conversations.ways_in (
    account bigint NOT NULL REFERENCES conversations.accounts (account),
    id text COLLATE "C" NOT NULL CHECK (id ~ '^[A-Za-z0-9]{1,64}$'),
    kind smallint NOT NULL CHECK (kind = 1),
    issuer text COLLATE "C" NOT NULL CHECK (octet_length(issuer) <= 512),
    subject text COLLATE "C" NOT NULL CHECK (octet_length(subject) BETWEEN 1 AND 255),
    label text NOT NULL DEFAULT '' CHECK (octet_length(label) <= 254),
    linked_at bigint NOT NULL,
    used_at bigint NOT NULL,
    PRIMARY KEY (account, id),
    UNIQUE (issuer, subject)
);
COMMENT ON TABLE conversations.ways_in IS
    'What signs people in besides their passwords: identities that issuers of tokens know them by.';
COMMENT ON COLUMN conversations.ways_in.account IS 'Whom it signs in.';
COMMENT ON COLUMN conversations.ways_in.id IS 'Its id outside, generated by the server.';
COMMENT ON COLUMN conversations.ways_in.kind IS '1 an identity of an issuer.';
COMMENT ON COLUMN conversations.ways_in.issuer IS 'URL of the issuer, as its tokens name it.';
COMMENT ON COLUMN conversations.ways_in.subject IS
    'The person''s id at the issuer. Only both together name anybody; an address never does.';
COMMENT ON COLUMN conversations.ways_in.label IS
    'The address or name in the last token, by which its owner knows it again. Nobody else sees it.';
COMMENT ON COLUMN conversations.ways_in.linked_at IS 'When it first signed in, or was added to the account.';
COMMENT ON COLUMN conversations.ways_in.used_at IS 'When a token of it was last accepted.';

CREATE TABLE conversations.used_tokens (
    account bigint NOT NULL,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    ends_at bigint NOT NULL,
    used_at bigint NOT NULL,
    request_id uuid,
    device_id text COLLATE "C",
    made_account boolean NOT NULL DEFAULT false,
    PRIMARY KEY (account, hash)
);
COMMENT ON TABLE conversations.used_tokens IS
    'Tokens of issuers that were accepted, so that each is accepted once. Deleted when they would be refused anyway.';
COMMENT ON COLUMN conversations.used_tokens.account IS 'Whom it named.';
COMMENT ON COLUMN conversations.used_tokens.hash IS 'BLAKE2b-256 of the token''s id, or of the part that is signed.';
COMMENT ON COLUMN conversations.used_tokens.ends_at IS 'From when on the token is refused as expired.';
COMMENT ON COLUMN conversations.used_tokens.used_at IS 'When it was first accepted, by the database''s clock.';
COMMENT ON COLUMN conversations.used_tokens.request_id IS
    'Id of the request that may be repeated with it for a minute; null: none may.';
COMMENT ON COLUMN conversations.used_tokens.device_id IS 'The device that it signed in; null: none.';
COMMENT ON COLUMN conversations.used_tokens.made_account IS 'Whether it made the account.';
CREATE INDEX used_tokens_ends_at ON conversations.used_tokens (ends_at);

-- Guests, who have no way in but their devices, and addresses that people showed to be theirs.
ALTER TABLE conversations.accounts
    ADD COLUMN guest_since bigint,
    ADD COLUMN email_confirmed_at bigint,
    ADD CHECK (email_confirmed_at IS NULL OR email IS NOT NULL);
COMMENT ON COLUMN conversations.accounts.guest_since IS
    'Since when its owner is a guest, without username, password and identity; null: is none.';
COMMENT ON COLUMN conversations.accounts.email_confirmed_at IS
    'When its owner showed by a mailed code that the address is theirs; null: not. Of accounts with the same address '
    'the last one.';
COMMENT ON COLUMN conversations.accounts.username IS
    'For signing in and for being found; null: erased, a guest, or never chosen.';
CREATE INDEX accounts_guest_since ON conversations.accounts (guest_since, account) WHERE guest_since IS NOT NULL;
CREATE UNIQUE INDEX accounts_confirmed_email ON conversations.accounts ((conversations.lowered(email) COLLATE "C"))
WHERE email_confirmed_at IS NOT NULL;

CREATE TABLE conversations.mails (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind smallint NOT NULL CHECK (kind IN (1, 2, 3)),
    account bigint,
    address text COLLATE "C" NOT NULL CHECK (octet_length(address) BETWEEN 1 AND 254),
    made_at bigint NOT NULL,
    due_at bigint,
    tries integer NOT NULL DEFAULT 0,
    problem text NOT NULL DEFAULT '' CHECK (char_length(problem) <= 200)
);
COMMENT ON TABLE conversations.mails IS
    'Mails that are to be sent, and those that could not be. Deleted when the mail server has them.';
COMMENT ON COLUMN conversations.mails.id IS 'Its number.';
COMMENT ON COLUMN conversations.mails.kind IS 'As MailKind of names.sql.';
COMMENT ON COLUMN conversations.mails.account IS
    'Whom it concerns; null: whoever has confirmed the address when it is sent, or nobody.';
COMMENT ON COLUMN conversations.mails.address IS 'Where it goes. Of kind 1, as somebody entered it.';
COMMENT ON COLUMN conversations.mails.made_at IS 'When it was asked for.';
COMMENT ON COLUMN conversations.mails.due_at IS
    'When it is to be sent next; while one is being sent, when another try may begin; null: it was given up.';
COMMENT ON COLUMN conversations.mails.tries IS 'How often it was tried.';
COMMENT ON COLUMN conversations.mails.problem IS 'Why the last try failed; empty: none did.';
-- One of each waits at a time.
CREATE UNIQUE INDEX mails_waiting ON conversations.mails (kind, (COALESCE(account, 0)), address)
WHERE due_at IS NOT NULL;
CREATE INDEX mails_due_at ON conversations.mails (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX mails_address ON conversations.mails ((conversations.lowered(address) COLLATE "C"));
CREATE INDEX mails_account ON conversations.mails (account) WHERE account IS NOT NULL;

CREATE TABLE conversations.mailed_codes (
    kind smallint NOT NULL CHECK (kind IN (1, 2)),
    key bytea NOT NULL CHECK (octet_length(key) = 32),
    account bigint,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    tries_left smallint NOT NULL CHECK (tries_left >= 0),
    ends_at bigint NOT NULL,
    PRIMARY KEY (kind, key)
);
COMMENT ON TABLE conversations.mailed_codes IS 'Codes that were mailed and not used yet.';
COMMENT ON COLUMN conversations.mailed_codes.kind IS 'As MailKind of names.sql.';
COMMENT ON COLUMN conversations.mailed_codes.key IS
    'BLAKE2b-256 of what the code is for: of kind 1 the address, of kind 2 account and address.';
COMMENT ON COLUMN conversations.mailed_codes.account IS
    'Whom it concerns; null: nobody, since the address is nobody''s.';
COMMENT ON COLUMN conversations.mailed_codes.hash IS 'BLAKE2b-256 of key and code. The code itself is not stored.';
COMMENT ON COLUMN conversations.mailed_codes.tries_left IS 'How often one may still be tried.';
COMMENT ON COLUMN conversations.mailed_codes.ends_at IS 'From when on it is refused.';
CREATE INDEX mailed_codes_account ON conversations.mailed_codes (account) WHERE account IS NOT NULL;

CREATE TABLE conversations.device_links (
    code_hash bytea PRIMARY KEY CHECK (octet_length(code_hash) = 32),
    secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
    device_name text NOT NULL CHECK (char_length(device_name) <= 64),
    place text NOT NULL,
    begun_at bigint NOT NULL,
    ends_at bigint NOT NULL,
    account bigint,
    approved_by text COLLATE "C",
    finished_at bigint,
    device_id text COLLATE "C"
);
COMMENT ON TABLE conversations.device_links IS
    'Devices that ask to be signed in by another one of the same person. Deleted some minutes later.';
COMMENT ON COLUMN conversations.device_links.code_hash IS 'BLAKE2b-256 of the code that the other device reads.';
COMMENT ON COLUMN conversations.device_links.secret_hash IS 'BLAKE2b-256 of what the new device alone has.';
COMMENT ON COLUMN conversations.device_links.device_name IS 'What the new device calls itself.';
COMMENT ON COLUMN conversations.device_links.place IS 'The address from which it asked, of IPv6 the /64.';
COMMENT ON COLUMN conversations.device_links.begun_at IS 'When it began.';
COMMENT ON COLUMN conversations.device_links.ends_at IS 'From when on nobody can approve it.';
COMMENT ON COLUMN conversations.device_links.account IS 'Who approved it; null: nobody yet.';
COMMENT ON COLUMN conversations.device_links.approved_by IS
    'The device of theirs that did. Once it is signed out, the link signs nobody in.';
COMMENT ON COLUMN conversations.device_links.finished_at IS 'When it first signed in; null: not yet.';
COMMENT ON COLUMN conversations.device_links.device_id IS 'The device that it signed in; null: none yet.';
CREATE INDEX device_links_ends_at ON conversations.device_links (ends_at);
CREATE INDEX device_links_account ON conversations.device_links (account) WHERE account IS NOT NULL;

CREATE TABLE conversations.page_sign_ins (
    state_hash bytea PRIMARY KEY CHECK (octet_length(state_hash) = 32),
    ends_at bigint NOT NULL,
    code_hash bytea CHECK (octet_length(code_hash) = 32),
    challenge bytea CHECK (octet_length(challenge) = 32),
    sealed_token bytea,
    code_ends_at bigint,
    request_id uuid
);
COMMENT ON TABLE conversations.page_sign_ins IS
    'Sign-ins on pages of issuers from which somebody came back. Deleted some minutes later.';
COMMENT ON COLUMN conversations.page_sign_ins.state_hash IS
    'BLAKE2b-256 of what began it: each comes back once.';
COMMENT ON COLUMN conversations.page_sign_ins.ends_at IS
    'From when on it may be deleted: nothing of it counts any more.';
COMMENT ON COLUMN conversations.page_sign_ins.code_hash IS
    'BLAKE2b-256 of the code that signs a device in; null: the issuer signed nobody in, or has not answered yet.';
COMMENT ON COLUMN conversations.page_sign_ins.challenge IS
    'SHA-256 of the secret that only the device has which began it.';
COMMENT ON COLUMN conversations.page_sign_ins.sealed_token IS
    'The issuer''s token, with its nonce, by a key that is made from the code: nobody else reads it.';
COMMENT ON COLUMN conversations.page_sign_ins.code_ends_at IS 'From when on the code is refused.';
COMMENT ON COLUMN conversations.page_sign_ins.request_id IS 'The request that used the code; null: none yet.';
CREATE UNIQUE INDEX page_sign_ins_code ON conversations.page_sign_ins (code_hash) WHERE code_hash IS NOT NULL;
CREATE INDEX page_sign_ins_ends_at ON conversations.page_sign_ins (ends_at);

-- What people had in the system they were imported from, and what has no home here.
CREATE TABLE conversations.kept_beside (
    account bigint NOT NULL REFERENCES conversations.accounts (account),
    path text COLLATE "C" NOT NULL CHECK (octet_length(path) BETWEEN 1 AND 2048),
    object text NOT NULL CHECK (octet_length(object) <= 16384),
    PRIMARY KEY (account, path)
);
COMMENT ON TABLE conversations.kept_beside IS
    'What an import found of people and Parley has no place for, so that nothing is lost. Deleted with the account.';
COMMENT ON COLUMN conversations.kept_beside.account IS 'Whose it is.';
COMMENT ON COLUMN conversations.kept_beside.path IS 'Where it stood in the export.';
COMMENT ON COLUMN conversations.kept_beside.object IS 'What stood there, as JSON.';
