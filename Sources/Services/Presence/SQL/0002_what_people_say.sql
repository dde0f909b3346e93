-- What people say of themselves, and from whom they hide.
CREATE TABLE presence.people (
    account bigint PRIMARY KEY,
    availability smallint NOT NULL,
    status_text text NOT NULL,
    status_ends_at bigint NOT NULL,
    hidden_at bigint,
    hidden_from_accepted_at bigint,
    version bigint NOT NULL,
    change bigint NOT NULL,
    CONSTRAINT status_is_short CHECK (octet_length(status_text) <= 128)
) WITH (fillfactor = 70);
COMMENT ON TABLE presence.people IS
    'What people say of themselves on all devices, and from whom they hide; no row: nothing, and from nobody.';
COMMENT ON COLUMN presence.people.account IS 'The person.';
COMMENT ON COLUMN presence.people.availability IS 'As Availability: 1 automatic, 2 away, 3 do not disturb.';
COMMENT ON COLUMN presence.people.status_text IS 'A line that others see while the person is connected; empty: none.';
COMMENT ON COLUMN presence.people.status_ends_at IS 'When the line ends, µs since 1970 (UTC); zero: it does not.';
COMMENT ON COLUMN presence.people.hidden_at IS
    'Since when they hide from all without an accepted direct conversation with them; null: they do not.';
COMMENT ON COLUMN presence.people.hidden_from_accepted_at IS
    'Since when they also hide from those who have one; null: they do not.';
COMMENT ON COLUMN presence.people.version IS 'Counts the changes of this row.';
COMMENT ON COLUMN presence.people.change IS 'The number of its last change among all changes of this table.';
CREATE INDEX people_change ON presence.people (change);
COMMENT ON INDEX presence.people_change IS 'What changed since a replica last looked.';

CREATE TABLE presence.last_change (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    number bigint NOT NULL
);
INSERT INTO presence.last_change (number)
VALUES (0);
COMMENT ON TABLE presence.last_change IS
    'Numbers the changes of people in the order of commit: whoever changes a row of people locks this one.';
COMMENT ON COLUMN presence.last_change.only_row IS 'Always true, so that there is only one row.';
COMMENT ON COLUMN presence.last_change.number IS 'The number of the last change.';

-- A last seen that stays as it was at a block or the beginning of hiding.
ALTER TABLE presence.last_seen ADD COLUMN is_present boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN presence.last_seen.is_present IS
    'Whether they had come then, rather than gone; out of date by as much as the batches of writing.';

CREATE TABLE presence.frozen (
    account bigint NOT NULL,
    at bigint NOT NULL,
    seen_at bigint NOT NULL,
    PRIMARY KEY (account, at)
);
COMMENT ON TABLE presence.frozen IS
    'When people were last seen before a block or the beginning of hiding that fell into an absence of theirs. Written '
    'when they come back, since then last_seen no longer tells.';
COMMENT ON COLUMN presence.frozen.account IS 'The person who was away.';
COMMENT ON COLUMN presence.frozen.at IS
    'When they were blocked, blocked somebody or began to hide, µs since 1970 (UTC).';
COMMENT ON COLUMN presence.frozen.seen_at IS 'When they had been seen last, µs since 1970 (UTC).';
