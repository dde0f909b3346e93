-- The outcome of an item that conversations.access refuses.
CREATE OR REPLACE FUNCTION messaging.refused(refusal text) RETURNS smallint
LANGUAGE sql IMMUTABLE
AS $$
    SELECT (CASE refusal
        WHEN 'accept_first' THEN {Outcome.acceptFirst}
        WHEN 'user_blocked' THEN {Outcome.userBlocked}
        ELSE {Outcome.notMember}
    END)::smallint
$$;
REVOKE ALL ON FUNCTION messaging.refused(text) FROM PUBLIC;
COMMENT ON FUNCTION messaging.refused(text) IS 'Returns the outcome that a refusal of conversations.access means.';
