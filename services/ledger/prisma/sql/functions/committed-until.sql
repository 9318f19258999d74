-- The instant up to which everything written is committed. Later rows may still be missing: a commit waits for the
-- standby for as long as that is away, and its rows are seen only after that.
CREATE OR REPLACE FUNCTION committed_until() RETURNS TIMESTAMPTZ LANGUAGE sql AS $$
    SELECT least(clock_timestamp(), min(xact_start)) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_xid IS NOT NULL AND pid <> pg_backend_pid()
$$;
