-- The streams of a schema that publishes Updates: its epoch, its lanes and its journal. Every such schema has the same.

CREATE TABLE {schema}.epoch (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    id text NOT NULL
);
COMMENT ON TABLE {schema}.epoch IS 'One row. Positions of different epochs cannot be compared.';
COMMENT ON COLUMN {schema}.epoch.only_row IS 'Always true, so that there is only one row.';
COMMENT ON COLUMN {schema}.epoch.id IS 'Random. The operator changes it after restoring a backup.';

INSERT INTO {schema}.epoch (id)
VALUES (replace(gen_random_uuid()::text, '-', ''));

CREATE TABLE {schema}.lanes (
    lane integer PRIMARY KEY,
    number bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);
COMMENT ON TABLE {schema}.lanes IS
    'One row per lane. A lane is the identity of one writing connection, which holds a session advisory lock on it.';
COMMENT ON COLUMN {schema}.lanes.lane IS 'The lane, numbered from 1.';
COMMENT ON COLUMN {schema}.lanes.number IS
    'The last journal number used by this lane. Numbers are dense and in order of commit.';

CREATE TABLE {schema}.journal (
    lane integer NOT NULL,
    number bigint NOT NULL,
    at bigint NOT NULL,
    kinds smallint[] NOT NULL,
    subjects bigint[] NOT NULL,
    objects bigint[] NOT NULL,
    positions bigint[] NOT NULL,
    audience_counts smallint[] NOT NULL,
    audience bigint[] NOT NULL,
    PRIMARY KEY (lane, number, at)
) PARTITION BY RANGE (at);
-- Compressing these arrays costs more time than it saves space.
ALTER TABLE {schema}.journal
    ALTER COLUMN kinds SET STORAGE EXTERNAL,
    ALTER COLUMN subjects SET STORAGE EXTERNAL,
    ALTER COLUMN objects SET STORAGE EXTERNAL,
    ALTER COLUMN positions SET STORAGE EXTERNAL,
    ALTER COLUMN audience_counts SET STORAGE EXTERNAL,
    ALTER COLUMN audience SET STORAGE EXTERNAL;
COMMENT ON TABLE {schema}.journal IS
    'Names all published Updates, with one row per transaction or batch, written in it. keep_journal keeps 7 days.';
COMMENT ON COLUMN {schema}.journal.lane IS 'The writing lane.';
COMMENT ON COLUMN {schema}.journal.number IS
    'Number of the first Update in this row. The row covers number … number + cardinality(positions) - 1.';
COMMENT ON COLUMN {schema}.journal.at IS 'When the row was written, µs since 1970, by the database''s clock.';
COMMENT ON COLUMN {schema}.journal.kinds IS 'The kind of each change. link.proto lists the kinds of each service.';
COMMENT ON COLUMN {schema}.journal.subjects IS 'The account or conversation that changed.';
COMMENT ON COLUMN {schema}.journal.objects IS 'Further detail of the change, by kind; 0: none.';
COMMENT ON COLUMN {schema}.journal.positions IS
    'Position of each Update in the stream of its subject; 0: it has no position.';
COMMENT ON COLUMN {schema}.journal.audience_counts IS
    'How many accounts of audience belong to each Update; -1: the audience of the nearest earlier Update of this row '
    'with the same subject.';
COMMENT ON COLUMN {schema}.journal.audience IS 'Accounts that may see the Updates, listed Update by Update.';

CREATE TABLE {schema}.journal_default PARTITION OF {schema}.journal DEFAULT;
COMMENT ON TABLE {schema}.journal_default IS
    'Rows of days without a partition, so that a write never fails. keep_journal moves them to their partition.';
