-- New with 5: what people do with messages; reports, and what goes on after a request was answered.

INSERT INTO conversations.reports (account, id, about, conversation, seq, reason, note, at)
VALUES (1, '01955be8-0000-7000-8000-000000000501', 3, 3, 1, 6, 'Asks for my boat', 1741006000000000);

UPDATE conversations.accounts
SET findable_by_email = true
WHERE account = 1;

INSERT INTO conversations.jobs (account, kind, due_at, begun_at)
VALUES (1, 1, 1741006000000000, 1741006000000000);

-- Between Ana and Ben: 3 is edited, mentions Ben and has a reaction, a star and a thread; 6 is its answer; 7 is a photo; 2 Ana
-- hides from herself.
UPDATE messaging.heads
SET seq = 7, position = 10
WHERE conversation = 1;

UPDATE messaging.messages
SET text = 'Two lines, and @ben', position = 9, changed_at = 1741006003000000, edited_at = 1741006001000000,
    has_replies = true, mentions = '{2}', reactions = '{👍}', reaction_counts = '{1}'
WHERE conversation = 1 AND seq = 3;

-- Media { attachment: 01955be8-…-0601, name: "boat.png", mime_type: "image/png", size_bytes: 2048, width: 8, height: 8 }
INSERT INTO messaging.messages
    (conversation, seq, id, sender, kind, text, sent_at, position, thread_seq, reply_to_seq, extra)
VALUES
    (1, 6, '01955be8-0000-7000-8000-000000000106', 2, 1, 'An answer', 1741006002000000, 7, 3, 3, NULL),
    (1, 7, '01955be8-0000-7000-8000-000000000107', 1, 2, 'The boat', 1741006004000000, 10, NULL, NULL,
        '\x0a1001955be80000700080000000000006011a08626f61742e706e672209696d6167652f706e6728801030083808');

INSERT INTO messaging.revisions (conversation, seq, revision, text, until_at)
VALUES (1, 3, 1, E'Two lines,\nand ''quotes''; $1 \\ %', 1741006001000000);

INSERT INTO messaging.threads (conversation, seq, replies, last_seq, position)
VALUES (1, 3, 1, 6, 8);

INSERT INTO messaging.reactions (conversation, seq, account, emoji, at)
VALUES (1, 3, 2, '👍', 1741006003000000);

INSERT INTO messaging.mentions (account, conversation, seq, sent_at)
VALUES (2, 1, 3, 1741003213000000);

INSERT INTO messaging.attachments
    (conversation, id, owner, object, name, mime_type, size_bytes, width, height, created_at, completed_at, seq)
VALUES
    (1, '01955be8-0000-7000-8000-000000000601', 1, '01955be8-0000-7000-8000-000000000601', 'boat.png', 'image/png', 2048, 8,
        8, 1741006003500000, 1741006003600000, 7);

INSERT INTO messaging.flags (account, conversation, seq, starred_at, hidden_at, position)
VALUES (1, 1, 3, 1741006005000000, NULL, 2), (1, 1, 2, NULL, 1741006006000000, 3);

UPDATE messaging.person_heads
SET position = 3
WHERE account = 1;

UPDATE messaging.inbox
SET touched_at = 1741006004000000, news_at = 1741006004000000
WHERE conversation = 1;

INSERT INTO messaging.receipts (conversation, account, read_seq, read_at, delivered_seq, delivered_at)
VALUES (1, 1, 5, 1741003215500000, 5, 1741003215400000), (1, 2, 3, 1741003213500000, 3, 1741003213400000);

INSERT INTO messaging.reads (conversation, account, seq, at)
VALUES (1, 1, 5, 1741003215500000), (1, 2, 3, 1741003213500000);

INSERT INTO messaging.journal (lane, number, at, kinds, subjects, objects, positions, audience_counts, audience)
VALUES (1, 11, 1741106004000000, '{1,1,1,1}', '{1,1,1,1}', '{6,3,3,7}', '{7,8,9,10}', '{2,-1,-1,-1}', '{1,2}');

UPDATE messaging.lanes
SET number = 14
WHERE lane = 1;

UPDATE conversations.followed
SET number = 14
WHERE source = 'messaging' AND lane = 1;
