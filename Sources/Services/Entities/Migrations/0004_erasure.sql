-- Who had themselves erased keeps nothing here. See ErasureSweep.

CREATE TABLE entities.erased (
    account bigint PRIMARY KEY,
    at bigint NOT NULL
);
COMMENT ON TABLE entities.erased IS 'People who were erased (conversations.erased) and of whom nothing is left here.';
COMMENT ON COLUMN entities.erased.account IS 'Who.';
COMMENT ON COLUMN entities.erased.at IS 'When the last of it was deleted, µs since 1970 (UTC).';
