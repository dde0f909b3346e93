CREATE OR REPLACE FUNCTION conversations.keep_names() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog
AS $$
BEGIN
    -- The trigger runs after the row is written. Its snapshot therefore includes an erasure that held the username and
    -- that the unique index waited for.
    IF NEW.username IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.username IS DISTINCT FROM OLD.username) THEN
        PERFORM
        FROM conversations.retired_usernames AS r
        WHERE r.keyed_hash = conversations.username_hash(NEW.username);
        IF FOUND THEN
            RAISE unique_violation USING MESSAGE = 'the username is retired', CONSTRAINT = 'retired_usernames';
        END IF;
    END IF;
    IF TG_OP = 'UPDATE' THEN
        IF (NEW.display_name, NEW.username, NEW.erased_at)
            IS NOT DISTINCT FROM (OLD.display_name, OLD.username, OLD.erased_at)
        THEN
            RETURN NULL;
        END IF;
        DELETE FROM conversations.name_suffixes AS n
        USING conversations.name_suffixes(OLD.display_name, OLD.username) AS e
        WHERE n.part = e.part
            AND n.letters = e.letters
            AND n.account = OLD.account;
    END IF;
    IF NEW.erased_at IS NULL THEN
        INSERT INTO conversations.name_suffixes (part, letters, account, longer_than)
        SELECT e.part, e.letters, NEW.account, e.longer_than
        FROM conversations.name_suffixes(NEW.display_name, NEW.username) AS e;
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION conversations.keep_names() FROM PUBLIC;
COMMENT ON FUNCTION conversations.keep_names() IS
    'Updates conversations.name_suffixes when an account changes, and refuses retired usernames.';

CREATE OR REPLACE TRIGGER keep_names
AFTER INSERT OR UPDATE OF display_name, username, erased_at ON conversations.accounts
FOR EACH ROW EXECUTE FUNCTION conversations.keep_names();
