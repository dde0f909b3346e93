CREATE OR REPLACE FUNCTION conversations.name_suffixes(display_name text, username text)
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
        FROM unnest(ARRAY[conversations.folded(display_name), conversations.folded(username)]) AS name
        CROSS JOIN LATERAL generate_series(1, length(name)) AS start
        WHERE substr(name, start, 1) <> ' '
        GROUP BY 2
    ),
    -- Of all suffixes found earlier, the neighbours in the alphabet share the most letters with a suffix. They are the
    -- one before it among the parts up to its own, and the one after it among the parts before its own.
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
REVOKE ALL ON FUNCTION conversations.name_suffixes(text, text) FROM PUBLIC;
COMMENT ON FUNCTION conversations.name_suffixes(text, text) IS
    'Returns the suffixes of both names, folded, as conversations.name_suffixes stores them.';

-- A migration that changes how names fold empties the table.
INSERT INTO conversations.name_suffixes (part, letters, account, longer_than)
SELECT e.part, e.letters, a.account, e.longer_than
FROM conversations.accounts AS a
CROSS JOIN LATERAL conversations.name_suffixes(a.display_name, a.username) AS e
WHERE a.erased_at IS NULL
    AND NOT EXISTS (
        SELECT
        FROM conversations.name_suffixes
    );
