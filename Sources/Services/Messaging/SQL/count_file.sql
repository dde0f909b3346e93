CREATE OR REPLACE FUNCTION messaging.count_file() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog
AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO messaging.usage AS u (account, file_bytes)
        VALUES (NEW.owner, NEW.size_bytes)
        ON CONFLICT (account) DO UPDATE
        SET file_bytes = u.file_bytes + excluded.file_bytes;
    ELSE
        UPDATE messaging.usage
        SET file_bytes = greatest(0, file_bytes - OLD.size_bytes)
        WHERE account = OLD.owner;
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION messaging.count_file() FROM PUBLIC;
COMMENT ON FUNCTION messaging.count_file() IS
    'Keeps messaging.usage.file_bytes when a file is created, is no longer used, or is deleted while in use.';

CREATE OR REPLACE TRIGGER count_new_file
AFTER INSERT ON messaging.attachments
FOR EACH ROW EXECUTE FUNCTION messaging.count_file();

CREATE OR REPLACE TRIGGER count_unused_file
AFTER UPDATE OF unused_at ON messaging.attachments
FOR EACH ROW WHEN (OLD.unused_at IS NULL AND NEW.unused_at IS NOT NULL)
EXECUTE FUNCTION messaging.count_file();

CREATE OR REPLACE TRIGGER count_deleted_file
AFTER DELETE ON messaging.attachments
FOR EACH ROW WHEN (OLD.unused_at IS NULL)
EXECUTE FUNCTION messaging.count_file();
