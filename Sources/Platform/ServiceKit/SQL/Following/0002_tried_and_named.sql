-- Which entry is tried alone, so that one of which processes die does not end them for ever. Several followers of one
-- source in a service, each with its own cursors.

ALTER TABLE {schema}.followed
    ADD COLUMN tried_after bigint NOT NULL DEFAULT 0,
    ADD COLUMN tries smallint NOT NULL DEFAULT 0,
    ADD COLUMN follower text COLLATE "C" NOT NULL DEFAULT '',
    DROP CONSTRAINT followed_pkey,
    ADD PRIMARY KEY (source, follower, lane);
COMMENT ON COLUMN {schema}.followed.tried_after IS 'The number before the entry that was tried alone last.';
COMMENT ON COLUMN {schema}.followed.tries IS
    'How often that entry was tried alone, without those tries that ended while the process lived.';
COMMENT ON COLUMN {schema}.followed.follower IS 'The name of the follower; empty: the first one of its source.';
