CREATE OR REPLACE FUNCTION conversations.letters_shared(one text, other text) RETURNS integer
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
COMMENT ON FUNCTION conversations.letters_shared(text, text) IS
    'Returns the length of the common beginning of two texts.';
