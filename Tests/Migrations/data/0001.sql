-- The people of the first version: Ana, Ben, Cleo, and Dora, who was erased. Ana and Ben talk (conversation 1), Cleo has a
-- group with both, which Ben has left (2), and asks Ana for her boat (3, pending). Passwords are those of tests.
--
-- Between Ana and Ben message 3 was edited, mentions Ben, and has a reaction, a star and a thread, of which 6 is the
-- answer; 4 was deleted; 7 is a photo; Ana hid 2 from herself. In the group messages disappear.

INSERT INTO conversations.accounts
    (account, user_id, username, register_id, password_hash, display_name, email, photo_url, created_at,
    tokens_void_before, erased_at, legacy_id, findable_by_email)
VALUES
    (2, 'Ben2', 'ben', '01955be8-0000-7000-8000-0000000000a2', '$argon2id$v=19$m=19456,t=2,p=1$3tgtPykauQ5m8dcSXlhZ0A$o2DSGg6I4sMWzxwbZuZLnQd4kDJfuHs73V9tmhSNQIk', 'Ben', NULL, '', 1741003200000002, 0, NULL, 'old-2', false),
    (3, 'Cleo3', 'cleo', '01955be8-0000-7000-8000-0000000000a3', '$argon2id$v=19$m=19456,t=2,p=1$3tgtPykauQ5m8dcSXlhZ0A$o2DSGg6I4sMWzxwbZuZLnQd4kDJfuHs73V9tmhSNQIk', 'Cleo Ångström', NULL, '', 1741003200000003, 0, NULL, NULL, false),
    (4, 'Dora4', NULL, NULL, NULL, '', NULL, '', 1741003200000004, 0, 1741003800000000, NULL, false),
    (1, 'Ana1', 'ana', '01955be8-0000-7000-8000-0000000000a1', '$argon2id$v=19$m=19456,t=2,p=1$3tgtPykauQ5m8dcSXlhZ0A$o2DSGg6I4sMWzxwbZuZLnQd4kDJfuHs73V9tmhSNQIk', 'Ana Vásquez', 'ana@example.org', '', 1741003200000001, 0, NULL, NULL, true);

INSERT INTO conversations.retired_usernames (keyed_hash, retired_at)
VALUES
    ('\x69db31976ead37b85cc42a49c95fd06eec99cfd9b7ff219a25c0f59cb4049343', 1741003800000000);

INSERT INTO conversations.devices (account, device_id, name, signed_in_at, last_used_at, tokens_void_before, revoked_at)
VALUES
    (1, 'AnaPhone1', 'Ana''s phone', 1741003201000000, 1741003202000000, 0, NULL),
    (1, 'AnaOld1', 'Ana''s old phone', 1741003201000000, 1741003202000000, 1741003300000000, 1741003300000000),
    (2, 'BenPhone2', 'Ben''s phone', 1741003201000000, 1741003202000000, 0, NULL);

INSERT INTO conversations.refresh_tokens (account, hash, device_id, family, issued_at, expires_at, used_at)
VALUES
    (1, '\x58e083af152255a9f9e653189400622bf47e27f92f42a0618897029032575cea', 'AnaPhone1', '01955be8-0000-7000-8000-0000000000f1', 1741003201000000, 1743595201000000, 1741003202000000),
    (1, '\xa663f7a778732c5038a05fec6672c83b750c163bf09ff462962974a575c8b851', 'AnaPhone1', '01955be8-0000-7000-8000-0000000000f1', 1741003202000000, 1743595202000000, NULL);

INSERT INTO conversations.signing_keys (id, public, secret, created_at, retired_at)
VALUES
    ('keyOfRFC8032', '\xd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', '\x9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 1741003200000000, NULL);

INSERT INTO conversations.sign_in_attempts (key, window_started_at, attempts)
VALUES
    ('user:ana', 1741003200000000, 2),
    ('address:192.0.2.1', 1741003200000000, 3);

INSERT INTO conversations.conversations
    (conversation, conversation_id, kind, status, requester, name, photo_url, created_by, created_at,
    members_version, legacy_id, requests_sent, requested_at, is_revealed, declined_at, withdrawn_at, member_count,
    members_key)
VALUES
    (1, 'Ana1_Ben2', 1, 2, NULL, '', '', 1, 1741003210000000, 1, 'old-talk', 0, NULL, true, NULL, NULL, 2, -31449830145537104),
    (2, '01955be8000070008000000000000002', 2, 2, NULL, 'Harbour', '', 3, 1741003220000000, 2, NULL, 0, NULL, true, NULL, NULL, 2, 7625182976675961041),
    (3, 'Ana1_Cleo3', 1, 1, 3, '', '', 3, 1741005000000000, 1, NULL, 1, 1741005000000000, true, NULL, NULL, 2, 7625182976675961041);

INSERT INTO conversations.members
    (conversation, account, role, write_refusal, write_until_seq, may_read, joined_at, left_at, position,
    joined_version, left_version, section, request_at, request_read_at, left_name, left_photo_url)
VALUES
    (1, 1, 1, 0, NULL, true, 1741003210000000, NULL, 1, 1, NULL, 1, NULL, NULL, NULL, NULL),
    (1, 2, 1, 0, NULL, true, 1741003210000000, NULL, 1, 1, NULL, 1, NULL, NULL, NULL, NULL),
    (2, 1, 1, 0, NULL, true, 1741003220000000, NULL, 2, 1, NULL, 1, NULL, NULL, NULL, NULL),
    (2, 3, 3, 0, NULL, true, 1741003220000000, NULL, 1, 1, NULL, 1, NULL, NULL, NULL, NULL),
    (2, 2, 1, 3, NULL, false, 1741003220000000, 1741004000000000, 3, 1, 2, 4, NULL, NULL, 'Harbour', ''),
    (3, 1, 1, 1, 3, true, 1741005000000000, NULL, 3, 1, NULL, 2, 1741005000000000, NULL, NULL, NULL),
    (3, 3, 1, 0, 3, true, 1741005000000000, NULL, 2, 1, NULL, 1, NULL, NULL, NULL, NULL);

INSERT INTO conversations.blocks (account, blocked, at)
VALUES
    (3, 4, 1741003230000000);

INSERT INTO conversations.heads (account, position, requests_position, profile_position, blocks_position)
VALUES
    (2, 3, 0, 0, 0),
    (1, 4, 4, 0, 0),
    (3, 2, 0, 0, 0);

INSERT INTO conversations.jobs (account, kind, due_at, begun_at, pass, conversations, done, again)
VALUES
    (1, 1, 1741006000000000, 1741006000000000, 1, NULL, 0, false);

INSERT INTO conversations.reports (account, id, about, conversation, seq, reason, note, at, closed_at)
VALUES
    (1, '01955be8-0000-7000-8000-000000000501', 3, 3, 1, 6, 'Asks for my boat', 1741006000000000, NULL);

INSERT INTO conversations.lanes (lane, number)
VALUES
    (2, 0),
    (1, 10);

INSERT INTO conversations.journal_default
    (lane, number, at, kinds, subjects, objects, positions, audience_counts, audience)
VALUES
    (1, 3, 1741103220000000, '{1,1,1}', '{1,2,3}', '{2,2,2}', '{2,2,1}', '{1,1,1}', '{1,2,3}'),
    (1, 6, 1741104000000000, '{1,4}', '{2,2}', '{2,2}', '{3,0}', '{1,1}', '{2,2}'),
    (1, 8, 1741105000000000, '{1,1,6}', '{3,1,1}', '{3,3,0}', '{2,3,4}', '{1,1,1}', '{3,1,1}');

INSERT INTO conversations.followed (source, lane, number)
VALUES
    ('messaging', 2, 1),
    ('messaging', 1, 14);

INSERT INTO messaging.attachments
    (conversation, id, owner, object, name, mime_type, size_bytes, width, height, created_at, completed_at, seq,
    unused_at)
VALUES
    (1, '01955be8-0000-7000-8000-000000000601', 1, '01955be8-0000-7000-8000-000000000601', 'boat.png', 'image/png', 2048, 8, 8, 1741006003500000, 1741006003600000, 7, NULL);

INSERT INTO messaging.erased (account, at)
VALUES
    (4, 1741004100000000);

INSERT INTO messaging.message_states (account, conversation, seq, starred_at, hidden_at, position)
VALUES
    (1, 1, 3, 1741006005000000, NULL, 2),
    (1, 1, 2, NULL, 1741006006000000, 3);

INSERT INTO messaging.followed (source, lane, number)
VALUES
    ('conversations', 2, 0),
    ('conversations', 1, 10),
    ('messaging', 2, 1),
    ('messaging', 1, 14);

INSERT INTO messaging.heads (conversation, seq, position, first_seq, first_position, members_version, retention_us)
VALUES
    (3, 1, 1, 1, 0, 1, 0),
    (1, 7, 10, 1, 0, 1, 0),
    (2, 4, 4, 1, 0, 2, 3153600000000000);

INSERT INTO messaging.inbox
    (account, conversation, touched_at, position, visible_from, visible_to, cleared_before, read_seq, read_at,
    delivered_seq, delivered_at, pinned_at, muted_until, archived_at, archived_seq, marked_unread, visible_position,
    news_at)
VALUES
    (1, 2, 1741003223000000, 1, 1, NULL, 0, 2, 1741003222500000, 3, 1741003223400000, 1741003224000000, NULL, NULL, NULL, false, NULL, 1741003223000000),
    (3, 2, 1741003223000000, 0, 1, NULL, 0, 1, 1741003221500000, 1, 1741003221400000, NULL, NULL, NULL, NULL, false, NULL, 1741003223000000),
    (2, 2, 1741003223000000, 1, 1, 3, 0, 0, NULL, 0, NULL, NULL, 9223372036854775807, NULL, NULL, false, 3, 1741003223000000),
    (1, 3, 1741005001000000, 0, 1, NULL, 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, false, NULL, 1741005001000000),
    (3, 3, 1741005001000000, 0, 1, NULL, 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, false, NULL, 1741005001000000),
    (1, 1, 1741006004000000, 0, 1, NULL, 0, 5, 1741003215500000, 5, 1741003215400000, NULL, NULL, NULL, NULL, false, NULL, 1741006004000000),
    (2, 1, 1741006004000000, 0, 1, NULL, 0, 3, 1741003213500000, 3, 1741003213400000, NULL, NULL, NULL, NULL, false, NULL, 1741006004000000);

INSERT INTO messaging.journal_default (lane, number, at, kinds, subjects, objects, positions, audience_counts, audience)
VALUES
    (2, 1, 1741103216000000, '{1}', '{1}', '{4}', '{6}', '{2}', '{1,2}'),
    (1, 9, 1741104000100000, '{1}', '{2}', '{4}', '{4}', '{2}', '{1,3}'),
    (1, 10, 1741105001000000, '{2}', '{3}', '{1}', '{1}', '{2}', '{1,3}'),
    (1, 11, 1741106004000000, '{1,1,1,1}', '{1,1,1,1}', '{6,3,3,7}', '{7,8,9,10}', '{2,-1,-1,-1}', '{1,2}');

INSERT INTO messaging.lanes (lane, number)
VALUES
    (2, 1),
    (1, 14);

INSERT INTO messaging.mentions (account, conversation, seq, sent_at)
VALUES
    (2, 1, 3, 1741003213000000);

INSERT INTO messaging.messages
    (conversation, seq, id, sender, kind, text, sent_at, position, changed_at, edited_at, deleted_at, expires_at,
    reply_to_seq, thread_seq, forwarded_from, extra, legacy_id, has_replies, mentions, reactions, reaction_counts)
VALUES
    (1, 1, '01955be8-0000-7000-8000-000000000101', 1, 1, 'Hello Ben', 1741003211000000, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'old-m1', false, NULL, NULL, NULL),
    (1, 2, '01955be8-0000-7000-8000-000000000102', 2, 1, 'Hej Ana 👋🏽', 1741003212000000, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL),
    (1, 4, '01955be8-0000-7000-8000-000000000104', 1, 1, '', 1741003214000000, 6, 1741003216000000, NULL, 1741003216000000, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL),
    (1, 5, '01955be8-0000-7000-8000-000000000105', 2, 1, 'See you at the harbour', 1741003215000000, 5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL),
    (2, 1, '01955be8-0000-7000-8000-000000000201', 3, 1, 'Welcome aboard', 1741003221000000, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL),
    (2, 2, '01955be8-0000-7000-8000-000000000202', 1, 1, 'Thanks, Cleo', 1741003222000000, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL),
    (2, 3, '01955be8-0000-7000-8000-000000000203', 2, 1, 'When do we sail?', 1741003223000000, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL),
    (2, 4, '01955be8-0000-8000-8000-000000000204', NULL, 6, '', 1741004000100000, 4, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\x0802120442656e321a0442656e32', NULL, false, NULL, NULL, NULL),
    (3, 1, '01955be8-0000-7000-8000-000000000401', 3, 1, 'Ana, may I borrow your boat?', 1741005001000000, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL),
    (1, 3, '01955be8-0000-7000-8000-000000000103', 1, 1, 'Two lines, and @ben', 1741003213000000, 9, 1741006003000000, 1741006001000000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, '{2}', '{👍}', '{1}'),
    (1, 6, '01955be8-0000-7000-8000-000000000106', 2, 1, 'An answer', 1741006002000000, 7, NULL, NULL, NULL, NULL, 3, 3, NULL, NULL, NULL, false, NULL, NULL, NULL),
    (1, 7, '01955be8-0000-7000-8000-000000000107', 1, 2, 'The boat', 1741006004000000, 10, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\x0a1001955be80000700080000000000006011a08626f61742e706e672209696d6167652f706e6728801030083808', NULL, false, NULL, NULL, NULL);

INSERT INTO messaging.person_heads (account, position)
VALUES
    (2, 1),
    (1, 3);

INSERT INTO messaging.reactions (conversation, seq, account, emoji, at)
VALUES
    (1, 3, 2, '👍', 1741006003000000);

INSERT INTO messaging.reads (conversation, account, seq, at)
VALUES
    (1, 1, 5, 1741003215500000),
    (1, 2, 3, 1741003213500000);

INSERT INTO messaging.receipts (conversation, account, read_seq, read_at, delivered_seq, delivered_at)
VALUES
    (1, 1, 5, 1741003215500000, 5, 1741003215400000),
    (1, 2, 3, 1741003213500000, 3, 1741003213400000);

INSERT INTO messaging.retention_jobs (conversation, retention_us, next_seq, up_to_seq, changed)
VALUES
    (2, 3153600000000000, 1, 4, 0);

INSERT INTO messaging.revisions (conversation, seq, revision, text, until_at)
VALUES
    (1, 3, 1, 'Two lines,
and ''quotes''; $1 \ %', 1741006001000000);

INSERT INTO messaging.search (conversation, seq, document)
VALUES
    (3, 1, '''ana'' ''borrow'' ''boat''');

INSERT INTO messaging.search_backlog (conversation, seq)
VALUES
    (1, 7),
    (2, 4);

INSERT INTO messaging.threads (conversation, seq, replies, last_seq, position)
VALUES
    (1, 3, 1, 6, 8);

INSERT INTO presence.erased (account, at)
VALUES
    (4, 1741004100000000);

INSERT INTO presence.gateways (gateway, heard_at)
VALUES
    ('gateway-1', 1741004000000000);

INSERT INTO presence.last_seen (account, at)
VALUES
    (1, 1741003900000000),
    (2, 1741003901000000);

INSERT INTO entities.erased (account, at)
VALUES
    (4, 1741004100000000);

INSERT INTO entities.heads (account, position)
VALUES
    (1, 4);

INSERT INTO entities.journal_default (lane, number, at, kinds, subjects, objects, positions, audience_counts, audience)
VALUES
    (1, 2, 1741103240000000, '{1,1,1}', '{1,1,1}', '{0,0,0}', '{2,3,4}', '{1,-1,-1}', '{1}');

INSERT INTO entities.lanes (lane, number)
VALUES
    (1, 4);

INSERT INTO entities.reminders
    (account, id, title, due_at, time_zone, conversation, source_message, notification_id, created_at, completed_at,
    fired_at, deleted_at, position)
VALUES
    (1, '01955be8-0000-7000-8000-000000000301', 'Bring the rope', 1741089600000000, 'Europe/Stockholm', 2, '01955be8-0000-7000-8000-000000000203', 'local-1', 1741003230000000, NULL, NULL, NULL, 1),
    (1, '01955be8-0000-7000-8000-000000000302', 'Buy tar', 1741089600000000, 'America/New_York', NULL, NULL, '', 1741003231000000, 1741003240000000, NULL, NULL, 3),
    (1, '01955be8-0000-7000-8000-000000000303', '', 1741089600000000, 'UTC', NULL, NULL, '', 1741003232000000, NULL, NULL, 1741003241000000, 4);

SELECT pg_catalog.setval('conversations.accounts_account_seq', 4, true);

SELECT pg_catalog.setval('conversations.conversations_conversation_seq', 3, true);
