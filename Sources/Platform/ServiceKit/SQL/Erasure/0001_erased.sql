-- Records the erased people whose data a service has deleted. See ErasureSweep.

CREATE TABLE {schema}.erased (
    account bigint PRIMARY KEY,
    at bigint NOT NULL
);
COMMENT ON TABLE {schema}.erased IS 'Erased people (conversations.erased) of whom this schema holds no more data.';
COMMENT ON COLUMN {schema}.erased.account IS 'The erased person.';
COMMENT ON COLUMN {schema}.erased.at IS 'When the last of their data was deleted, µs since 1970 (UTC).';
