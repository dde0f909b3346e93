-- What people had when all four schemas were at 1: Ana, Ben and Cleo, who talk, and Dora, who was erased. The password of all is
-- "correct horse battery"; the key that signs is RFC 8032's first test vector. Times begin at 2025-03-03 12:00 UTC.

INSERT INTO conversations.accounts
    (user_id, username, register_id, password_hash, display_name, email, photo_url, created_at, erased_at, legacy_id)
SELECT p.user_id, p.username, p.register_id::uuid,
    CASE WHEN p.username IS NOT NULL THEN
        '$argon2id$v=19$m=19456,t=2,p=1$3tgtPykauQ5m8dcSXlhZ0A$o2DSGg6I4sMWzxwbZuZLnQd4kDJfuHs73V9tmhSNQIk'
    END,
    p.display_name, p.email, '', 1741003200000000 + p.ordinal, p.erased_at, p.legacy_id
FROM (
    VALUES
        (1, 'Ana1', 'ana', '01955be8-0000-7000-8000-0000000000a1', 'Ana Vásquez', 'ana@example.org', NULL::bigint, NULL),
        (2, 'Ben2', 'ben', '01955be8-0000-7000-8000-0000000000a2', 'Ben', NULL, NULL, 'old-2'),
        (3, 'Cleo3', 'cleo', '01955be8-0000-7000-8000-0000000000a3', 'Cleo Ångström', NULL, NULL, NULL),
        (4, 'Dora4', NULL, NULL, '', NULL, 1741003800000000, NULL)
    ) AS p (ordinal, user_id, username, register_id, display_name, email, erased_at, legacy_id)
ORDER BY p.ordinal;

INSERT INTO conversations.retired_usernames (keyed_hash, retired_at)
VALUES (sha256('dora'), 1741003800000000);

INSERT INTO conversations.devices (account, device_id, name, signed_in_at, last_used_at, tokens_void_before, revoked_at)
VALUES
    (1, 'AnaPhone1', 'Ana''s phone', 1741003201000000, 1741003202000000, 0, NULL),
    (1, 'AnaOld1', 'Ana''s old phone', 1741003201000000, 1741003202000000, 1741003300000000, 1741003300000000),
    (2, 'BenPhone2', 'Ben''s phone', 1741003201000000, 1741003202000000, 0, NULL);

INSERT INTO conversations.refresh_tokens (account, hash, device_id, family, issued_at, expires_at, used_at)
VALUES
    (1, sha256('ana 1'), 'AnaPhone1', '01955be8-0000-7000-8000-0000000000f1', 1741003201000000, 1743595201000000,
        1741003202000000),
    (1, sha256('ana 2'), 'AnaPhone1', '01955be8-0000-7000-8000-0000000000f1', 1741003202000000, 1743595202000000, NULL);

INSERT INTO conversations.signing_keys (id, public, secret, created_at, retired_at)
VALUES
    ('keyOfRFC8032', '\xd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
        '\x9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'
            'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 1741003200000000, NULL);

INSERT INTO conversations.sign_in_attempts (key, window_started_at, attempts)
VALUES ('user:ana', 1741003200000000, 2), ('address:192.0.2.1', 1741003200000000, 3);

INSERT INTO conversations.conversations
    (conversation_id, kind, status, name, created_by, created_at, members_version, legacy_id)
VALUES
    ('Ana1_Ben2', 1, 2, '', 1, 1741003210000000, 1, 'old-talk'),
    ('01955be8000070008000000000000002', 2, 2, 'Harbour', 3, 1741003220000000, 1, NULL);

INSERT INTO conversations.members (conversation, account, role, joined_at, position)
VALUES
    (1, 1, 1, 1741003210000000, 1), (1, 2, 1, 1741003210000000, 1),
    (2, 1, 1, 1741003220000000, 2), (2, 2, 1, 1741003220000000, 2), (2, 3, 3, 1741003220000000, 1);

INSERT INTO conversations.blocks (account, blocked, at)
VALUES (3, 4, 1741003230000000);

INSERT INTO conversations.heads (account, position)
VALUES (1, 2), (2, 2), (3, 1);

-- A day with a partition of its own, as there is in every database that has been used, and one without.
SET ROLE parley_conversations;
SELECT conversations.keep_journal(1741003200000000);
DROP TABLE conversations.journal_20250304, conversations.journal_20250305, conversations.journal_20250306;
INSERT INTO conversations.lanes (lane, number)
VALUES (1, 5), (2, 0);
INSERT INTO conversations.journal
    (lane, number, at, kinds, subjects, objects, positions, audience_counts, audience)
VALUES
    (1, 1, 1741003210000000, '{1,1}', '{1,2}', '{1,1}', '{1,1}', '{1,1}', '{1,2}'),
    (1, 3, 1741103220000000, '{1,1,1}', '{1,2,3}', '{2,2,2}', '{2,2,1}', '{1,1,1}', '{1,2,3}');
RESET ROLE;

INSERT INTO messaging.heads (conversation, seq, position)
VALUES (1, 5, 6), (2, 3, 3);

INSERT INTO messaging.messages
    (conversation, seq, id, sender, kind, text, sent_at, position, changed_at, deleted_at, legacy_id)
VALUES
    (1, 1, '01955be8-0000-7000-8000-000000000101', 1, 1, 'Hello Ben', 1741003211000000, 1, NULL, NULL, 'old-m1'),
    (1, 2, '01955be8-0000-7000-8000-000000000102', 2, 1, 'Hej Ana 👋🏽', 1741003212000000, 2, NULL, NULL, NULL),
    (1, 3, '01955be8-0000-7000-8000-000000000103', 1, 1, E'Two lines,\nand ''quotes''; $1 \\ %', 1741003213000000, 3, NULL,
        NULL, NULL),
    (1, 4, '01955be8-0000-7000-8000-000000000104', 1, 1, '', 1741003214000000, 6, 1741003216000000, 1741003216000000, NULL),
    (1, 5, '01955be8-0000-7000-8000-000000000105', 2, 1, 'See you at the harbour', 1741003215000000, 5, NULL, NULL, NULL),
    (2, 1, '01955be8-0000-7000-8000-000000000201', 3, 1, 'Welcome aboard', 1741003221000000, 1, NULL, NULL, NULL),
    (2, 2, '01955be8-0000-7000-8000-000000000202', 1, 1, 'Thanks, Cleo', 1741003222000000, 2, NULL, NULL, NULL),
    (2, 3, '01955be8-0000-7000-8000-000000000203', 2, 1, 'When do we sail?', 1741003223000000, 3, NULL, NULL, NULL);

INSERT INTO messaging.inbox
    (account, conversation, touched_at, position, read_seq, read_at, delivered_seq, delivered_at, pinned_at, muted_until)
VALUES
    (1, 1, 1741003215000000, 0, 5, 1741003215500000, 5, 1741003215400000, NULL, NULL),
    (2, 1, 1741003215000000, 0, 3, 1741003213500000, 3, 1741003213400000, NULL, NULL),
    (1, 2, 1741003223000000, 1, 2, 1741003222500000, 3, 1741003223400000, 1741003224000000, NULL),
    (2, 2, 1741003223000000, 1, 0, NULL, 0, NULL, NULL, 9223372036854775807),
    (3, 2, 1741003223000000, 0, 1, 1741003221500000, 1, 1741003221400000, NULL, NULL);

INSERT INTO messaging.person_heads (account, position)
VALUES (1, 1), (2, 1);

SET ROLE parley_messaging;
SELECT messaging.keep_journal(1741003200000000);
DROP TABLE messaging.journal_20250304, messaging.journal_20250305, messaging.journal_20250306;
INSERT INTO messaging.lanes (lane, number)
VALUES (1, 8), (2, 1);
INSERT INTO messaging.journal (lane, number, at, kinds, subjects, objects, positions, audience_counts, audience)
VALUES
    (1, 1, 1741003211000000, '{1,1,1,1,1}', '{1,1,1,1,1}', '{1,2,3,4,5}', '{1,2,3,4,5}', '{2,-1,-1,-1,-1}', '{1,2}'),
    (1, 6, 1741003221000000, '{1,1,1}', '{2,2,2}', '{1,2,3}', '{1,2,3}', '{3,-1,-1}', '{1,2,3}'),
    (2, 1, 1741103216000000, '{1}', '{1}', '{4}', '{6}', '{2}', '{1,2}');
RESET ROLE;

INSERT INTO presence.last_seen (account, at)
VALUES (1, 1741003900000000), (2, 1741003901000000);

INSERT INTO entities.reminders
    (account, id, title, due_at, time_zone, conversation, source_message, notification_id, created_at, completed_at,
        deleted_at, position)
VALUES
    (1, '01955be8-0000-7000-8000-000000000301', 'Bring the rope', 1741089600000000, 'Europe/Stockholm', 2,
        '01955be8-0000-7000-8000-000000000203', 'local-1', 1741003230000000, NULL, NULL, 1),
    (1, '01955be8-0000-7000-8000-000000000302', 'Buy tar', 1741089600000000, 'America/New_York', NULL, NULL, '',
        1741003231000000, 1741003240000000, NULL, 3),
    (1, '01955be8-0000-7000-8000-000000000303', '', 1741089600000000, 'UTC', NULL, NULL, '', 1741003232000000, NULL,
        1741003241000000, 4);

INSERT INTO entities.heads (account, position)
VALUES (1, 4);

SET ROLE parley_entities;
SELECT entities.keep_journal(1741003200000000);
DROP TABLE entities.journal_20250304, entities.journal_20250305, entities.journal_20250306;
INSERT INTO entities.lanes (lane, number)
VALUES (1, 4);
INSERT INTO entities.journal (lane, number, at, kinds, subjects, objects, positions, audience_counts, audience)
VALUES
    (1, 1, 1741003230000000, '{1}', '{1}', '{0}', '{1}', '{1}', '{1}'),
    (1, 2, 1741103240000000, '{1,1,1}', '{1,1,1}', '{0,0,0}', '{2,3,4}', '{1,-1,-1}', '{1}');
RESET ROLE;
