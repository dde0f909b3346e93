-- Who had themselves erased keeps nothing here. See ErasureSweep.

CREATE TABLE presence.erased (
    account bigint PRIMARY KEY,
    at bigint NOT NULL
);
COMMENT ON TABLE presence.erased IS 'People who were erased (conversations.erased) and of whom nothing is left here.';
COMMENT ON COLUMN presence.erased.account IS 'Who.';
COMMENT ON COLUMN presence.erased.at IS 'When the last of it was deleted, µs since 1970 (UTC).';
