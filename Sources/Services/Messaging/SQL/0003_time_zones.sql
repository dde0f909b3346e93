-- Messages have the time zone of their sender, in which entities understands what they say.
ALTER TABLE messaging.messages ADD COLUMN time_zone text COLLATE "C";
COMMENT ON COLUMN messaging.messages.time_zone IS
    'IANA name of the zone that the sender''s session named; null: none, or the message is deleted.';
