-- Rows of the tables that this version adds. Ana and Cleo decide about the boat and sail on 2 June 2026, to which Ben is
-- not invited; the second of the three dates is called off.

INSERT INTO conversations.declined_invitations (account, conversation, inviter, at)
VALUES
    (3, 2, 1, 1741003240000000);

INSERT INTO conversations.ways_in (account, id, kind, issuer, subject, label, linked_at, used_at)
VALUES
    (3, 'Cleo000000000001', 1, 'https://accounts.google.com', '1234', 'cleo@example.org', 1741003241000000,
    1741003242000000);

INSERT INTO conversations.used_tokens (account, hash, ends_at, used_at, request_id, device_id, made_account)
VALUES
    (3, '\x0404040404040404040404040404040404040404040404040404040404040404', 1741006842000000, 1741003242000000,
    '01955be8-0000-7000-8000-000000000601', NULL, false);

INSERT INTO conversations.mails (kind, account, address, made_at, due_at, tries, problem)
VALUES
    (2, 3, 'cleo@example.org', 1741003243000000, NULL, 3, 'nobody of this name');

INSERT INTO conversations.mailed_codes (kind, key, account, hash, tries_left, ends_at)
VALUES
    (2, '\x0505050505050505050505050505050505050505050505050505050505050505', 3,
    '\x0606060606060606060606060606060606060606060606060606060606060606', 4, 1741004143000000);

INSERT INTO conversations.device_links
    (code_hash, secret_hash, device_name, place, begun_at, ends_at, account, approved_by, finished_at, device_id)
VALUES
    ('\x0707070707070707070707070707070707070707070707070707070707070707',
    '\x0808080808080808080808080808080808080808080808080808080808080808', 'Kitchen', '203.0.113.7',
    1741003244000000, 1741003364000000, 3, 'Phone00000000003', NULL, NULL);

INSERT INTO conversations.page_sign_ins
    (state_hash, ends_at, code_hash, challenge, sealed_token, code_ends_at, request_id)
VALUES
    ('\x0909090909090909090909090909090909090909090909090909090909090909', 1741003844000000,
    '\x0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a',
    '\x0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b', '\x0c', 1741003304000000, NULL);

INSERT INTO entities.cards (conversation, kind, entity, account, message, supersedes, withdrawn_at)
VALUES
    (2, 10, '01955be8-0000-7000-8000-000000000401', 1, '01955be8-0000-8000-8000-000000000401', NULL, NULL),
    (2, 10, '01955be8-0000-7000-8000-000000000402', 1, '01955be8-0000-8000-8000-000000000402',
    '01955be8-0000-7000-8000-000000000401', 1741003290000000),
    (2, 11, '01955be8-0000-7000-8000-000000000501', 1, '01955be8-0000-8000-8000-000000000501', NULL, NULL);

INSERT INTO entities.decisions
    (account, id, text, folded, conversation, source_message, created_at, card, supersedes, superseded_by, deleted_at,
    position)
VALUES
    (1, '01955be8-0000-7000-8000-000000000401', 'We paint it red', 'we paint it red', 2, '01955be8-0000-7000-8000-000000000203', 1741003250000000, 1, NULL, NULL, NULL, 5),
    (1, '01955be8-0000-7000-8000-000000000402', '', '', NULL, NULL, 1741003260000000, NULL, NULL, NULL, 1741003290000000, 7),
    (2, '01955be8-0000-7000-8000-000000000403', 'No tar', 'no tar', NULL, NULL, 1741003270000000, NULL, NULL, NULL, NULL, 1);

INSERT INTO entities.events
    (account, id, title, first_day, at_second, time_zone, minutes, location, link, notes, recurrence, starts_at, ends_at,
    zone_rules, conversation, source_message, created_at, changed_at, part_versions, attendees, accepted, tentative,
    coming)
VALUES
    (1, '01955be8-0000-7000-8000-000000000501', 'Sailing', 20606, 36000, 'Europe/Zurich', 120, 'Harbour', '', 'Bring a jacket', 'FREQ=WEEKLY;COUNT=3', 1780387200000000, 1781604000000000, '2025b', 2, '01955be8-0000-7000-8000-000000000203', 1741003300000000, 1741003300000000, '{1,1,1,1,1,1,1,1}', 2, 1, 1, 1);

INSERT INTO entities.event_dates (account, event, day, new_day, new_second)
VALUES
    (1, '01955be8-0000-7000-8000-000000000501', 20613, NULL, NULL);

INSERT INTO entities.event_invitations (conversation, event, card, ends_at)
VALUES
    (2, '01955be8-0000-7000-8000-000000000501', 3, 1781604000000000);

INSERT INTO entities.attendances
    (account, event, status, guests, conversation, answered_at, is_host, remind_minutes, remind_at, ends_at, position)
VALUES
    (1, '01955be8-0000-7000-8000-000000000501', 2, 0, NULL, 1741003300000000, true, 30, 1780385400000000, 1781604000000000, 8),
    (3, '01955be8-0000-7000-8000-000000000501', 4, 0, 2, 1741003310000000, false, -1, NULL, 1781604000000000, 1);

INSERT INTO entities.calendar_links (account, secret_hash, created_at, window_at, fetches)
VALUES
    (1, '\x58e083af152255a9f9e653189400622bf47e27f92f42a0618897029032575cea', 1741003320000000, 1741003320000000, 1);

INSERT INTO entities.followed (source, lane, number)
VALUES
    ('conversations', 1, 10);

UPDATE entities.heads SET position = 8 WHERE account = 1;

INSERT INTO entities.heads (account, position)
VALUES
    (2, 1),
    (3, 1)
ON CONFLICT (account) DO UPDATE
SET position = excluded.position;
