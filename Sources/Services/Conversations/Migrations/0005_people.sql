-- People: how they are found, what goes on behind a changed or erased profile, reports to the operator.

-- ---------------------------------------------------------------------------------------------------------------------
-- Finding people. A name is found from any of its letters on, so each of its ends stands in an index: however common or
-- rare a text is, and of one letter or many, finding a page of it reads one short range. That costs about 3 KB an
-- account. (Trigrams would take less room, but find no one or two letters, and read all that match before the first.)

-- The database's own locale may know only ASCII.
DO $do$
DECLARE
    lowering text;
BEGIN
    SELECT candidate
    INTO lowering
    FROM unnest(ARRAY['und-x-icu', 'pg_c_utf8', 'C.UTF-8', 'C.utf8', 'en_US.utf8'])
        WITH ORDINALITY AS c (candidate, rank)
    WHERE EXISTS (
            SELECT
            FROM pg_collation
            WHERE collname = candidate
                AND collnamespace = 'pg_catalog'::regnamespace
                AND collencoding IN (-1, pg_char_to_encoding(getdatabaseencoding()))
        )
    ORDER BY rank
    LIMIT 1;
    EXECUTE format(
        $sql$
            CREATE FUNCTION conversations.lowered(value text) RETURNS text
            LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
            SET search_path = pg_catalog
            AS $$
                SELECT lower(value COLLATE %s)
            $$
        $sql$,
        coalesce('pg_catalog.' || quote_ident(lowering), 'pg_catalog."default"'));
END
$do$;
REVOKE ALL ON FUNCTION conversations.lowered(text) FROM PUBLIC;
COMMENT ON FUNCTION conversations.lowered(text) IS 'In small letters, of all scripts, whatever the database''s locale.';

CREATE FUNCTION conversations.folded(value text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog
AS $$
DECLARE
    letters text := conversations.lowered(normalize(value, NFKD));
BEGIN
    -- Accents of European scripts, points of Hebrew and Arabic. What stands for a sound of its own stays.
    letters := regexp_replace(
        letters,
        '[\u0300-\u036F\u0483-\u0487\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u064B-\u065F\u0670\u1AB0-\u1AFF'
            '\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F\u200B-\u200D\u2060\uFE00-\uFE0F]',
        '', 'g');
    letters := translate(letters, 'ıøłđðħŧς', 'iolddhtσ');
    letters := replace(replace(replace(replace(letters, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
    RETURN left(btrim(regexp_replace(letters, '\s+', ' ', 'g')), 128);
END
$$;
REVOKE ALL ON FUNCTION conversations.folded(text) FROM PUBLIC;
COMMENT ON FUNCTION conversations.folded(text) IS
    'A name without case, accents and needless spaces: texts that are to be found by each other are the same.';

CREATE FUNCTION conversations.letters_shared(one text, other text) RETURNS integer
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog
AS $$
DECLARE
    low integer := 0;
    high integer := least(length(one), length(other));
    middle integer;
BEGIN
    IF left(one, 1) <> left(other, 1) THEN
        RETURN 0;
    END IF;
    WHILE low < high LOOP
        middle := (low + high + 1) / 2;
        IF left(one, middle) = left(other, middle) THEN
            low := middle;
        ELSE
            high := middle - 1;
        END IF;
    END LOOP;
    RETURN low;
END
$$;
REVOKE ALL ON FUNCTION conversations.letters_shared(text, text) FROM PUBLIC;
COMMENT ON FUNCTION conversations.letters_shared(text, text) IS 'With how many letters both begin.';

CREATE FUNCTION conversations.ends_of_names(display_name text, username text)
RETURNS TABLE (part smallint, letters text, longer_than smallint)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog
AS $$
    WITH ends AS (
        SELECT min(
                CASE
                    WHEN start = 1 THEN 0
                    WHEN substr(name, start - 1, 1) IN (' ', '.', '-', '_') THEN 1
                    ELSE 2
                END)::smallint AS part, left(substr(name, start), 96) COLLATE "C" AS letters
        FROM unnest(ARRAY[conversations.folded(display_name), username]) AS name
        CROSS JOIN LATERAL generate_series(1, length(name)) AS start
        WHERE substr(name, start, 1) <> ' '
        GROUP BY 2
    ),
    -- Of all that come first, those that share the most with an end are its neighbours in the alphabet: of the parts up
    -- to its own the one before, of the parts before its own the one after.
    neighbours AS (
        SELECT e.part, e.letters,
            CASE e.part
                WHEN 0 THEN max(e.letters) FILTER (WHERE e.part = 0) OVER up
                WHEN 1 THEN max(e.letters) FILTER (WHERE e.part <= 1) OVER up
                ELSE max(e.letters) OVER up
            END AS before,
            CASE e.part
                WHEN 1 THEN min(e.letters) FILTER (WHERE e.part = 0) OVER down
                WHEN 2 THEN min(e.letters) FILTER (WHERE e.part <= 1) OVER down
            END AS after
        FROM ends AS e
        WINDOW up AS (ORDER BY e.letters ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
            down AS (ORDER BY e.letters DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    )
    SELECT n.part, n.letters, shared.most::smallint
    FROM neighbours AS n
    CROSS JOIN LATERAL (
        SELECT greatest(
                0, conversations.letters_shared(n.letters, n.before), conversations.letters_shared(n.letters, n.after)
            ) AS most
        OFFSET 0
    ) AS shared
    WHERE shared.most < length(n.letters)
$$;
REVOKE ALL ON FUNCTION conversations.ends_of_names(text, text) FROM PUBLIC;
COMMENT ON FUNCTION conversations.ends_of_names(text, text) IS
    'Both names folded, from each of their letters on; as in conversations.ends_of_names.';

CREATE TABLE conversations.ends_of_names (
    part smallint NOT NULL,
    letters text COLLATE "C" NOT NULL,
    account bigint NOT NULL,
    longer_than smallint NOT NULL
);
COMMENT ON TABLE conversations.ends_of_names IS
    'Names of all who can be found, folded, from each of their letters on; kept by a trigger on accounts. '
    'Ends at which nobody is found first are left out.';
COMMENT ON COLUMN conversations.ends_of_names.part IS
    'Where in the name: 0 its beginning, 1 the beginning of a later word, 2 within a word.';
COMMENT ON COLUMN conversations.ends_of_names.letters IS 'What stands there and after it; at most 96 characters.';
COMMENT ON COLUMN conversations.ends_of_names.account IS 'Whose name it is.';
COMMENT ON COLUMN conversations.ends_of_names.longer_than IS
    'So many of its first letters an end that comes before it has, too: here longer texts are found first.';

-- ---------------------------------------------------------------------------------------------------------------------
-- Usernames of erased people.

CREATE TABLE conversations.retiring_key (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    key bytea NOT NULL CHECK (octet_length(key) = 32)
);
COMMENT ON TABLE conversations.retiring_key IS 'One row: with what retired_usernames are hashed.';
COMMENT ON COLUMN conversations.retiring_key.only_row IS 'Always true: there is one row.';
COMMENT ON COLUMN conversations.retiring_key.key IS 'Random; without it a hash does not betray its name.';

INSERT INTO conversations.retiring_key (key)
VALUES (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

CREATE FUNCTION conversations.username_hash(username text) RETURNS bytea
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog
AS $$
    SELECT sha256(k.key || sha256(k.key || convert_to(username, 'UTF8')))
    FROM conversations.retiring_key AS k
$$;
REVOKE ALL ON FUNCTION conversations.username_hash(text) FROM PUBLIC;
COMMENT ON FUNCTION conversations.username_hash(text) IS 'As retired_usernames hold it.';

CREATE FUNCTION conversations.keep_names() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog
AS $$
BEGIN
    -- After the row, so in a snapshot that also sees the erasing that the unique username had to wait for.
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
        DELETE FROM conversations.ends_of_names AS n
        USING conversations.ends_of_names(OLD.display_name, OLD.username) AS e
        WHERE n.part = e.part
            AND n.letters = e.letters
            AND n.account = OLD.account;
    END IF;
    IF NEW.erased_at IS NULL THEN
        INSERT INTO conversations.ends_of_names (part, letters, account, longer_than)
        SELECT e.part, e.letters, NEW.account, e.longer_than
        FROM conversations.ends_of_names(NEW.display_name, NEW.username) AS e;
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION conversations.keep_names() FROM PUBLIC;
COMMENT ON FUNCTION conversations.keep_names() IS
    'Keeps conversations.ends_of_names with the accounts, and gives no retired username out again.';

INSERT INTO conversations.ends_of_names (part, letters, account, longer_than)
SELECT e.part, e.letters, a.account, e.longer_than
FROM conversations.accounts AS a
CROSS JOIN LATERAL conversations.ends_of_names(a.display_name, a.username) AS e
WHERE a.erased_at IS NULL;

CREATE INDEX ends_of_names_letters ON conversations.ends_of_names (part, letters, account) INCLUDE (longer_than);

CREATE TRIGGER keep_names
AFTER INSERT OR UPDATE OF display_name, username, erased_at ON conversations.accounts
FOR EACH ROW EXECUTE FUNCTION conversations.keep_names();

CREATE INDEX accounts_email ON conversations.accounts ((conversations.lowered(email) COLLATE "C"), account)
WHERE findable_by_email;

-- ---------------------------------------------------------------------------------------------------------------------
-- What goes on after a request was answered.

CREATE TABLE conversations.jobs (
    account bigint NOT NULL,
    kind smallint NOT NULL CHECK (kind IN (1, 2)),
    due_at bigint NOT NULL,
    begun_at bigint NOT NULL,
    pass smallint NOT NULL DEFAULT 1 CHECK (pass IN (1, 2)),
    conversations bigint[],
    done integer NOT NULL DEFAULT 0,
    again boolean NOT NULL DEFAULT false,
    PRIMARY KEY (account, kind)
) WITH (fillfactor = 50);
COMMENT ON TABLE conversations.jobs IS
    'What is to be done piece by piece, each piece with its place in one transaction, by whichever replica is free.';
COMMENT ON COLUMN conversations.jobs.account IS 'Whom it is about.';
COMMENT ON COLUMN conversations.jobs.kind IS
    '1 tell all who see the person in a conversation of the profile, 2 take the erased person out of everything.';
COMMENT ON COLUMN conversations.jobs.due_at IS 'Not before; by the clock of the database.';
COMMENT ON COLUMN conversations.jobs.begun_at IS 'When it was asked for, the last time; by the clock of the database.';
COMMENT ON COLUMN conversations.jobs.pass IS
    '2: once more, for what was under way during the first and had not seen what it is about.';
COMMENT ON COLUMN conversations.jobs.conversations IS 'Of this pass, in the order of work; null: not looked up yet.';
COMMENT ON COLUMN conversations.jobs.done IS 'How many of them are done.';
COMMENT ON COLUMN conversations.jobs.again IS 'It was asked for again meanwhile.';
CREATE INDEX jobs_due_at ON conversations.jobs (due_at, account, kind);

COMMENT ON COLUMN conversations.sign_in_attempts.key IS
    'What is limited: "person:HASH" of a username, "address:ADDRESS", "register:ADDRESS".';

-- ---------------------------------------------------------------------------------------------------------------------
-- Reports to the operator.

CREATE TABLE conversations.reports (
    account bigint NOT NULL,
    id uuid NOT NULL,
    about bigint NOT NULL,
    conversation bigint,
    seq bigint,
    reason smallint NOT NULL CHECK (reason BETWEEN 1 AND 6),
    note text NOT NULL DEFAULT '',
    at bigint NOT NULL,
    closed_at bigint,
    PRIMARY KEY (account, id),
    CHECK ((conversation IS NULL) = (seq IS NULL))
);
COMMENT ON TABLE conversations.reports IS 'The operator''s queue: "parley reports" shows it.';
COMMENT ON COLUMN conversations.reports.account IS 'Who reports.';
COMMENT ON COLUMN conversations.reports.id IS 'Made by the client: the same again is the same report.';
COMMENT ON COLUMN conversations.reports.about IS 'Account of whom it is about.';
COMMENT ON COLUMN conversations.reports.conversation IS 'Where the message stands that it is about; null: the person.';
COMMENT ON COLUMN conversations.reports.seq IS 'Which message there.';
COMMENT ON COLUMN conversations.reports.reason IS
    'As ReportReason: 1 spam, 2 harassment, 3 violence, 4 sexual, 5 impersonation, 6 other.';
COMMENT ON COLUMN conversations.reports.note IS 'In the words of who reports.';
COMMENT ON COLUMN conversations.reports.at IS 'When.';
COMMENT ON COLUMN conversations.reports.closed_at IS 'When the operator was done with it; null: is open.';
CREATE INDEX reports_open ON conversations.reports (at, account, id) WHERE closed_at IS NULL;
