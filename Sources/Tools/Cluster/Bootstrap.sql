-- Roles and schemas of the six processes. Run by a superuser in Parley's database; running it again changes nothing.
-- Passwords are set by the caller (ALTER ROLE … PASSWORD). The tables are made by each service's own migrations.
BEGIN;

SELECT pg_advisory_xact_lock(7301, 0);

DO $$
DECLARE
    service text;
BEGIN
    FOREACH service IN ARRAY ARRAY['conversations', 'messaging', 'presence', 'entities', 'notifications'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'parley_' || service) THEN
            EXECUTE format('CREATE ROLE %I LOGIN', 'parley_' || service);
        END IF;
        EXECUTE format('ALTER ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION', 'parley_' || service);
        -- No role takes all connections of the server.
        EXECUTE format(
            'ALTER ROLE %I CONNECTION LIMIT %s', 'parley_' || service,
            greatest(20, current_setting('max_connections')::integer / 2));
        -- Every statement names its schema; one that forgets must fail in every environment alike.
        EXECUTE format('ALTER ROLE %I SET search_path = pg_catalog', 'parley_' || service);
        IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = service) THEN
            EXECUTE format('CREATE SCHEMA %I AUTHORIZATION %I', service, 'parley_' || service);
        END IF;
        EXECUTE format('ALTER SCHEMA %I OWNER TO %I', service, 'parley_' || service);
        EXECUTE format('REVOKE ALL ON SCHEMA %I FROM PUBLIC', service);
    END LOOP;
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
    EXECUTE format(
        'GRANT CONNECT ON DATABASE %I TO parley_conversations, parley_messaging, parley_presence, parley_entities,
        parley_notifications',
        current_database());
END
$$;

REVOKE ALL ON SCHEMA public FROM PUBLIC;

-- Large objects belong to no schema: whoever makes them fills the disk beside all quotas.
DO $$
BEGIN
    REVOKE ALL ON FUNCTION pg_catalog.lo_creat(integer), pg_catalog.lo_create(oid),
        pg_catalog.lo_from_bytea(oid, bytea) FROM PUBLIC;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE NOTICE 'only a superuser can keep the services from making large objects';
END
$$;

-- PostgreSQL lets every role connect to every database. Where all that sign in are superusers and Parley's own, that
-- ends for the two that each server has; on a server that others use, their roles may need them: pg_hba.conf decides
-- there (deploy/README.md).
DO $$
DECLARE
    other name;
BEGIN
    IF EXISTS (
        SELECT
        FROM pg_roles
        WHERE rolcanlogin AND NOT rolsuper AND NOT rolreplication AND rolname NOT LIKE 'parley\_%'
    ) THEN
        RETURN;
    END IF;
    FOR other IN
        SELECT d.datname
        FROM pg_database AS d
        WHERE d.datname IN ('postgres', 'template1')
            AND d.datname <> current_database()
            AND pg_has_role(d.datdba, 'MEMBER')
            AND EXISTS (
                SELECT
                FROM aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) AS a
                WHERE a.grantee = 0
            )
        ORDER BY d.datname
    LOOP
        BEGIN
            EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', other);
        EXCEPTION WHEN internal_error THEN NULL;  -- Another session just did.
        END;
    END LOOP;
END
$$;

-- To reach the views that these schemas publish; their own SQL says which.
GRANT USAGE ON SCHEMA conversations TO parley_messaging, parley_presence, parley_entities, parley_notifications;
GRANT USAGE ON SCHEMA messaging TO parley_conversations, parley_entities, parley_notifications;
GRANT USAGE ON SCHEMA presence TO parley_notifications;
GRANT USAGE ON SCHEMA entities TO parley_messaging, parley_notifications;

COMMENT ON SCHEMA conversations IS 'Who may talk to whom: accounts, devices, conversations, members, blocks.';
COMMENT ON SCHEMA messaging IS 'What was said, and each person''s place in it.';
COMMENT ON SCHEMA presence IS 'Who was there last; the rest of presence is in memory.';
COMMENT ON SCHEMA entities IS 'What a conversation means: reminders and decisions, later events.';
COMMENT ON SCHEMA notifications IS 'Whom to tell of what on which device.';

COMMIT;
