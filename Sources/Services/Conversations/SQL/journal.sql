\include Journal/epoch.sql
\include Journal/keep_journal.sql
-- Not in a migration, so that schemas of earlier versions have it too.
GRANT SELECT ON conversations.journal, conversations.lanes TO parley_notifications;
