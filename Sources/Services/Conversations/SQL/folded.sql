CREATE OR REPLACE FUNCTION conversations.folded(value text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog
AS $$
DECLARE
    letters text := conversations.lowered(normalize(translate(value, '´', ''''), NFKD));
BEGIN
    -- The rules of Folding.swift. Remove accents of European scripts and points of Hebrew and Arabic. Marks that denote
    -- a separate sound stay. In names apostrophes and hyphens are written in many ways, or not at all.
    letters := regexp_replace(
        letters,
        '[\u0300-\u036F\u0483-\u0487\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0640'
            '\u064B-\u065F\u0670\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F\u200B-\u200D\u2060\uFE00-\uFE0F'
            '''`\u02B9-\u02BC\u02C8\u055A\u05F3\u2018-\u201B\u2032\u2035]',
        '', 'g');
    letters := translate(
        letters, 'ıøłđðħŧςґĸ' || 'ىیےکڪةەہھۀۃ' || '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९',
        'iolddhtσгk' || 'يييككهههههه' || '012345678901234567890123456789');
    letters := replace(replace(replace(replace(letters, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
    RETURN left(btrim(regexp_replace(letters, '[-\s\u2010-\u2015\u2212\u05BE]+', ' ', 'g')), 128);
END
$$;
REVOKE ALL ON FUNCTION conversations.folded(text) FROM PUBLIC;
COMMENT ON FUNCTION conversations.folded(text) IS
    'Returns a name without case, accents and needless spaces. Two names that should find each other fold to the same '
    'text.';
