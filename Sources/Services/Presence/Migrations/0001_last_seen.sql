-- Presence is held in memory; only this is stored, in batches.

CREATE TABLE presence.last_seen (
    account bigint PRIMARY KEY,
    at bigint NOT NULL
) WITH (fillfactor = 70);
COMMENT ON TABLE presence.last_seen IS 'When each person was last online; no row: never seen.';
COMMENT ON COLUMN presence.last_seen.account IS 'Who.';
COMMENT ON COLUMN presence.last_seen.at IS 'When, µs since 1970 (UTC).';
