-- New with 4: requests. Cleo asks Ana, and has said why.

INSERT INTO conversations.conversations
    (conversation_id, kind, status, requester, created_by, created_at, asks, asked_at, is_revealed, member_count, members_key)
SELECT 'Ana1_Cleo3', 1, 1, 3, 3, 1741005000000000, 1, 1741005000000000, true, 2,
    hashint8extended(1, 0) # hashint8extended(3, 0);

INSERT INTO conversations.members
    (conversation, account, role, write_refusal, write_until_seq, joined_at, position, place, request_at)
VALUES
    (3, 1, 1, 1, 3, 1741005000000000, 3, 2, 1741005000000000),
    (3, 3, 1, 0, 3, 1741005000000000, 2, 1, NULL);

UPDATE conversations.heads
SET position = 4, requests_position = 4
WHERE account = 1;

UPDATE conversations.heads
SET position = 2
WHERE account = 3;

UPDATE conversations.lanes
SET number = 10
WHERE lane = 1;

INSERT INTO conversations.journal (lane, number, at, kinds, subjects, objects, positions, audience_counts, audience)
VALUES (1, 8, 1741105000000000, '{1,1,6}', '{3,1,1}', '{3,3,0}', '{2,3,4}', '{1,1,1}', '{3,1,1}');

UPDATE messaging.followed
SET number = 10
WHERE source = 'conversations' AND lane = 1;

INSERT INTO messaging.heads (conversation, seq, position)
VALUES (3, 1, 1);

INSERT INTO messaging.messages (conversation, seq, id, sender, kind, text, sent_at, position)
VALUES (3, 1, '01955be8-0000-7000-8000-000000000401', 3, 1, 'Ana, may I borrow your boat?', 1741005001000000, 1);

INSERT INTO messaging.inbox (account, conversation, touched_at)
VALUES (1, 3, 1741005001000000), (3, 3, 1741005001000000);

UPDATE messaging.lanes
SET number = 10
WHERE lane = 1;

INSERT INTO messaging.journal (lane, number, at, kinds, subjects, objects, positions, audience_counts, audience)
VALUES (1, 10, 1741105001000000, '{2}', '{3}', '{1}', '{1}', '{2}', '{1,3}');

INSERT INTO conversations.followed (source, lane, number)
VALUES ('messaging', 1, 10), ('messaging', 2, 1);

INSERT INTO messaging.erased (account, at)
VALUES (4, 1741004100000000);

INSERT INTO entities.erased (account, at)
VALUES (4, 1741004100000000);
