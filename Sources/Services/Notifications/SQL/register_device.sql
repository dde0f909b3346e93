-- Registers a device for pushes. Returns no row if it is not signed in.
CREATE OR REPLACE FUNCTION notifications.register_device(
    of_account bigint, of_device text, new_transport smallint, new_token text, new_hash bytea, new_app text,
    new_language text, new_key bytea, new_secret bytea, devices_max bigint
) RETURNS TABLE (registered_at bigint, last_sent_at bigint, last_result text)
LANGUAGE plpgsql
SET search_path = pg_catalog
AS $$
#variable_conflict use_column
DECLARE
    now_us CONSTANT bigint := extract(epoch FROM clock_timestamp()) * 1000000;
BEGIN
    -- One registration of a person at a time.
    INSERT INTO notifications.people AS p (account, changed_at)
    VALUES (of_account, now_us)
    ON CONFLICT (account) DO UPDATE
    SET changed_at = excluded.changed_at;
    IF NOT EXISTS (
        SELECT
        FROM conversations.signed_in AS s
        WHERE s.account = of_account AND s.device_id = of_device
    ) THEN
        RETURN;
    END IF;
    LOOP
        DELETE FROM notifications.devices AS d
        WHERE d.token_hash = new_hash AND (d.account, d.device) <> (of_account, of_device);
        BEGIN
            RETURN QUERY
            INSERT INTO notifications.devices AS d
                (account, device, transport, token, token_hash, app, language, content_key, auth_secret, registered_at)
            VALUES (
                of_account, of_device, new_transport, new_token, new_hash, new_app, new_language, new_key, new_secret,
                now_us)
            ON CONFLICT (account, device) DO UPDATE
            SET transport = excluded.transport, token = excluded.token, token_hash = excluded.token_hash,
                app = excluded.app, language = excluded.language, content_key = excluded.content_key,
                auth_secret = excluded.auth_secret, registered_at = excluded.registered_at
            RETURNING d.registered_at, d.last_sent_at, d.last_result;
            EXIT;
        EXCEPTION WHEN unique_violation THEN
            -- Another device took the token just now: this one is later.
            CONTINUE;
        END;
    END LOOP;
    DELETE FROM notifications.devices AS d
    WHERE d.account = of_account AND d.device IN (
        SELECT o.device
        FROM notifications.devices AS o
        WHERE o.account = of_account
        ORDER BY o.registered_at DESC, o.device
        OFFSET devices_max
    );
END
$$;
REVOKE ALL ON FUNCTION notifications.register_device(
    bigint, text, smallint, text, bytea, text, text, bytea, bytea, bigint) FROM PUBLIC;
COMMENT ON FUNCTION notifications.register_device(
    bigint, text, smallint, text, bytea, text, text, bytea, bytea, bigint) IS
    'Registers a device for pushes, in place of what it registered before and of other devices with its token. Forgets '
    'the devices registered longest ago beyond the maximum. Returns the row; none if the device is not signed in.';
