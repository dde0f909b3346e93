-- What people had in the system they were imported from, and what has no home here.
CREATE TABLE conversations.kept_beside (
    account bigint NOT NULL REFERENCES conversations.accounts (account),
    path text COLLATE "C" NOT NULL CHECK (octet_length(path) BETWEEN 1 AND 2048),
    object text NOT NULL CHECK (octet_length(object) <= 16384),
    PRIMARY KEY (account, path)
);
COMMENT ON TABLE conversations.kept_beside IS
    'What an import found of people and Parley has no place for, so that nothing is lost. Deleted with the account.';
COMMENT ON COLUMN conversations.kept_beside.account IS 'Whose it is.';
COMMENT ON COLUMN conversations.kept_beside.path IS 'Where it stood in the export.';
COMMENT ON COLUMN conversations.kept_beside.object IS 'What stood there, as JSON.';
