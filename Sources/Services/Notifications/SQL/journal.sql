\include Journal/epoch.sql
\include Journal/keep_journal.sql
