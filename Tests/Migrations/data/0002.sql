-- Rows of the tables that this version adds.

INSERT INTO conversations.declined_invitations (account, conversation, inviter, at)
VALUES
    (3, 2, 1, 1741003240000000);

INSERT INTO entities.cards (conversation, kind, entity, account, message, supersedes, withdrawn_at)
VALUES
    (2, 10, '01955be8-0000-7000-8000-000000000401', 1, '01955be8-0000-8000-8000-000000000401', NULL, NULL),
    (2, 10, '01955be8-0000-7000-8000-000000000402', 1, '01955be8-0000-8000-8000-000000000402',
    '01955be8-0000-7000-8000-000000000401', 1741003290000000);

INSERT INTO entities.decisions
    (account, id, text, folded, conversation, source_message, created_at, card, supersedes, superseded_by, deleted_at,
    position)
VALUES
    (1, '01955be8-0000-7000-8000-000000000401', 'We paint it red', 'we paint it red', 2, '01955be8-0000-7000-8000-000000000203', 1741003250000000, 1, NULL, NULL, NULL, 5),
    (1, '01955be8-0000-7000-8000-000000000402', '', '', NULL, NULL, 1741003260000000, NULL, NULL, NULL, 1741003290000000, 7),
    (2, '01955be8-0000-7000-8000-000000000403', 'No tar', 'no tar', NULL, NULL, 1741003270000000, NULL, NULL, NULL, NULL, 1);

UPDATE entities.heads SET position = 7 WHERE account = 1;

INSERT INTO entities.heads (account, position)
VALUES
    (2, 1);
