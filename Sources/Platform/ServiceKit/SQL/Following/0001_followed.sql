-- How far a service has followed the journals of other services.

CREATE TABLE {schema}.followed (
    source text COLLATE "C" NOT NULL,
    lane integer NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (source, lane)
) WITH (fillfactor = 50);
COMMENT ON TABLE {schema}.followed IS
    'How far this service has followed the journals of others. Updated in the transaction that applies their entries.';
COMMENT ON COLUMN {schema}.followed.source IS 'The service that writes the journal.';
COMMENT ON COLUMN {schema}.followed.lane IS 'The lane of that journal.';
COMMENT ON COLUMN {schema}.followed.number IS 'The last number processed.';
