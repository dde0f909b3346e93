-- The stored part of presence, written in batches. Everything else is in memory.

-- Last seen.
CREATE TABLE presence.last_seen (
    account bigint PRIMARY KEY,
    at bigint NOT NULL
) WITH (fillfactor = 70);
COMMENT ON TABLE presence.last_seen IS 'When each person was last online; no row: never online.';
COMMENT ON COLUMN presence.last_seen.account IS 'The person.';
COMMENT ON COLUMN presence.last_seen.at IS 'When they were last online, µs since 1970 (UTC).';

-- Known gateways. A replica that has just started waits for their reports before it answers who is online.
CREATE TABLE presence.gateways (
    gateway text COLLATE "C" PRIMARY KEY CHECK (octet_length(gateway) <= 64),
    heard_at bigint NOT NULL
) WITH (fillfactor = 70);
COMMENT ON TABLE presence.gateways IS 'Gateways that report their sessions.';
COMMENT ON COLUMN presence.gateways.gateway IS 'The gateway''s instance name.';
COMMENT ON COLUMN presence.gateways.heard_at IS
    'When a replica last received a report from it, µs since 1970 (UTC). A few seconds out of date.';

\include Erasure/0001_erased.sql
