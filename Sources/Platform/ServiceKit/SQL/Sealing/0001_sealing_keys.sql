-- Keys that seal what clients carry for the service, such as cursors.

CREATE TABLE {schema}.sealing_keys (
    id smallint PRIMARY KEY,
    key bytea NOT NULL CHECK (octet_length(key) = 32),
    created_at bigint NOT NULL
);
COMMENT ON TABLE {schema}.sealing_keys IS
    'Keys that seal what clients carry for the service, such as cursors. No view exposes them to other schemas.';
COMMENT ON COLUMN {schema}.sealing_keys.id IS
    'Grows with each key. The newest key seals; each opens what it sealed.';
COMMENT ON COLUMN {schema}.sealing_keys.key IS 'Secret key, 32 bytes.';
COMMENT ON COLUMN {schema}.sealing_keys.created_at IS 'When it was created.';

-- 244 of its bits are random.
INSERT INTO {schema}.sealing_keys (id, key, created_at)
VALUES (
    1, sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
    (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
