-- Which entry is tried alone, so that one of which processes die does not end them for ever.

ALTER TABLE {schema}.followed
    ADD COLUMN tried_after bigint NOT NULL DEFAULT 0,
    ADD COLUMN tries smallint NOT NULL DEFAULT 0;
COMMENT ON COLUMN {schema}.followed.tried_after IS 'The number before the entry that was tried alone last.';
COMMENT ON COLUMN {schema}.followed.tries IS
    'How often that entry was tried alone, without those tries that ended while the process lived.';
