-- Which gateways there are: a replica that has just started waits for their reports before it says who is there.

CREATE TABLE presence.gateways (
    gateway text COLLATE "C" PRIMARY KEY CHECK (octet_length(gateway) <= 64),
    heard_at bigint NOT NULL
) WITH (fillfactor = 70);
COMMENT ON TABLE presence.gateways IS 'Gateways that report their sessions.';
COMMENT ON COLUMN presence.gateways.gateway IS 'Its instance name.';
COMMENT ON COLUMN presence.gateways.heard_at IS 'When one of our replicas last heard of it, µs since 1970 (UTC); a few seconds late.';
