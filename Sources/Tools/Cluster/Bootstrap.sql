-- Roles and schemas of the five processes. Run by a superuser in Parley's database; running it again changes nothing.
-- Passwords are set by the caller (ALTER ROLE … PASSWORD). The tables are made by each service's own migrations.
BEGIN;

SELECT pg_advisory_xact_lock(7301, 0);

DO $$
DECLARE
    service text;
BEGIN
    FOREACH service IN ARRAY ARRAY['conversations', 'messaging', 'presence', 'entities'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'parley_' || service) THEN
            EXECUTE format('CREATE ROLE %I LOGIN', 'parley_' || service);
        END IF;
        EXECUTE format('ALTER ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION', 'parley_' || service);
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
        'GRANT CONNECT ON DATABASE %I TO parley_conversations, parley_messaging, parley_presence, parley_entities',
        current_database());
END
$$;

REVOKE ALL ON SCHEMA public FROM PUBLIC;

-- To reach the views that these schemas publish; their own SQL says which.
GRANT USAGE ON SCHEMA conversations TO parley_messaging, parley_presence, parley_entities;
GRANT USAGE ON SCHEMA messaging TO parley_conversations, parley_entities;
GRANT USAGE ON SCHEMA entities TO parley_messaging;

COMMENT ON SCHEMA conversations IS 'Who may talk to whom: accounts, devices, conversations, members, blocks.';
COMMENT ON SCHEMA messaging IS 'What was said, and each person''s place in it.';
COMMENT ON SCHEMA presence IS 'Who was there last; the rest of presence is in memory.';
COMMENT ON SCHEMA entities IS 'What a conversation means: reminders and decisions, later events.';

COMMIT;
