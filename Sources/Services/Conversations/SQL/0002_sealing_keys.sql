\include Sealing/0001_sealing_keys.sql

ALTER TABLE conversations.signing_keys
    ADD COLUMN seal bytea NOT NULL DEFAULT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
        CHECK (octet_length(seal) = 32);
ALTER TABLE conversations.signing_keys ALTER COLUMN seal DROP DEFAULT;
COMMENT ON COLUMN conversations.signing_keys.seal IS
    'Secret key, 32 bytes. Seals the account number in tokens; gateways open it.';
