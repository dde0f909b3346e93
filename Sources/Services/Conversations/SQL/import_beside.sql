CREATE OR REPLACE FUNCTION conversations.import_beside(of_accounts bigint[], new_paths text[], new_objects text[])
RETURNS void
LANGUAGE sql VOLATILE
SET search_path = pg_catalog
AS $$
    INSERT INTO conversations.kept_beside AS k (account, path, object)
    SELECT i.account, i.path, i.object
    FROM unnest(of_accounts, new_paths, new_objects) AS i (account, path, object)
    JOIN conversations.accounts AS a ON a.account = i.account AND a.erased_at IS NULL
    ON CONFLICT (account, path) DO UPDATE
    SET object = excluded.object
    WHERE k.object <> excluded.object
$$;
REVOKE ALL ON FUNCTION conversations.import_beside(bigint[], text[], text[]) FROM PUBLIC;
COMMENT ON FUNCTION conversations.import_beside(bigint[], text[], text[]) IS
    'Keeps what an import has of people and Parley has no place for. Each path of a person occurs once in a call; an '
    'object that is known under it is replaced.';
