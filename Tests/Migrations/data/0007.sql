-- New with 7: messages that disappear, here of the group after a hundred years; the older ones are still to be told.

UPDATE messaging.heads
SET retention_us = 3153600000000000
WHERE conversation = 2;

INSERT INTO messaging.retention_jobs (conversation, retention_us, next_seq, up_to_seq)
VALUES (2, 3153600000000000, 1, 4);
