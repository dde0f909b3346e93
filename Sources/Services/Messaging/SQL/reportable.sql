-- Published to conversations. Has deleted messages, too: somebody may report what was taken back.
CREATE OR REPLACE VIEW messaging.reportable AS
SELECT w.account, m.conversation, m.seq
FROM messaging.windows AS w
JOIN messaging.messages AS m ON m.conversation = w.conversation
WHERE w.is_shown
    AND m.seq BETWEEN w.first_seq AND w.last_seq;
COMMENT ON VIEW messaging.reportable IS
    'The messages in the windows of accounts, also deleted and disappeared ones. Query with conversation = and with '
    'account BETWEEN itself and itself, so that the primary key is used.';
GRANT SELECT ON messaging.reportable TO parley_conversations;
