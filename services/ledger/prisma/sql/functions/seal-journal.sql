-- Seals the transfers of the next stretch of time, at most `p_stretch_seconds` long, and returns whether there are
-- more. Transfers younger than `p_rest_seconds`, or than the oldest transaction that is not committed, are left for
-- later, because more of the same time may still appear.
CREATE OR REPLACE FUNCTION seal_journal(p_rest_seconds DOUBLE PRECISION, p_stretch_seconds DOUBLE PRECISION)
RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
    v_rest_at TIMESTAMPTZ := least(clock_timestamp() - make_interval(secs => p_rest_seconds), committed_until());
    v_last journal_seals;
    v_first_at TIMESTAMPTZ;
    v_until_at TIMESTAMPTZ;
BEGIN
    -- Another replica is sealing now.
    IF NOT pg_try_advisory_xact_lock(hashtextextended('journal_seals', 0)) THEN
        RETURN false;
    END IF;
    SELECT * INTO v_last FROM journal_seals ORDER BY seal DESC LIMIT 1;
    SELECT min(created_at) INTO v_first_at FROM transfers
    WHERE created_at > coalesce(v_last.until_at, '-infinity') AND created_at <= v_rest_at;
    IF v_first_at IS NULL THEN
        RETURN false;
    END IF;
    v_until_at := least(v_rest_at, v_first_at + make_interval(secs => p_stretch_seconds));
    INSERT INTO journal_seals (seal, after_at, until_at, digest, sealed_at)
    SELECT coalesce(v_last.seal, 0) + 1, after_at, v_until_at,
        seal_digest(coalesce(v_last.digest, ''), after_at, v_until_at), clock_timestamp()
    FROM (SELECT coalesce(v_last.until_at, v_first_at - interval '1 second')) stretch (after_at);
    RETURN v_until_at < v_rest_at;
END $$;
