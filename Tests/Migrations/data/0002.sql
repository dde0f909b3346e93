-- New with 2: members who come and go, notes of the system, gateways that report. Ben leaves the group.

UPDATE conversations.conversations
SET members_version = 2
WHERE conversation = 2;

UPDATE conversations.members
SET write_refusal = 3, may_read = false, left_at = 1741004000000000, left_version = 2, position = 3
WHERE conversation = 2 AND account = 2;

UPDATE conversations.heads
SET position = 3
WHERE account = 2;

UPDATE conversations.lanes
SET number = 7
WHERE lane = 1;

INSERT INTO conversations.journal (lane, number, at, kinds, subjects, objects, positions, audience_counts, audience)
VALUES (1, 6, 1741104000000000, '{1,4}', '{2,2}', '{2,2}', '{3,0}', '{1,1}', '{2,2}');

UPDATE messaging.followed
SET number = 7
WHERE source = 'conversations' AND lane = 1;

UPDATE messaging.heads
SET seq = 4, position = 4, members_version = 2
WHERE conversation = 2;

-- SystemNote { kind: MEMBER_LEFT, actor: "Ben2", users: ["Ben2"] }
INSERT INTO messaging.messages (conversation, seq, id, sender, kind, text, sent_at, position, extra)
VALUES
    (2, 4, '01955be8-0000-8000-8000-000000000204', NULL, 6, '', 1741004000100000, 4, '\x0802120442656e321a0442656e32');

UPDATE messaging.inbox
SET visible_to = 3, visible_position = 3
WHERE account = 2 AND conversation = 2;

UPDATE messaging.lanes
SET number = 9
WHERE lane = 1;

INSERT INTO messaging.journal (lane, number, at, kinds, subjects, objects, positions, audience_counts, audience)
VALUES (1, 9, 1741104000100000, '{1}', '{2}', '{4}', '{4}', '{2}', '{1,3}');

INSERT INTO presence.gateways (gateway, heard_at)
VALUES ('gateway-1', 1741004000000000);
