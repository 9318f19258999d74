-- Ends attempts whose deadline has passed, the longest overdue first, and answers how many. Those that a provider may
-- have are watched from then on: their money may still come.
CREATE OR REPLACE FUNCTION expire_overdue(p_limit INTEGER, p_query_every_seconds DOUBLE PRECISION)
RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
    v_expired INTEGER;
BEGIN
    WITH overdue AS (
        SELECT id, CASE WHEN submitted_at IS NOT NULL
            THEN next_query_at(submitted_at, false, receipt_wanted, p_query_every_seconds) END AS watch_at
        FROM intents WHERE deadline_at <= (SELECT clock_timestamp())
        ORDER BY deadline_at LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE intents i SET
        status = decide('intent', status, 'lapsed'), event = 'lapsed', ended_at = clock_timestamp(),
        cause = CASE WHEN submitted_at IS NULL THEN 'not_started' ELSE 'unconfirmed' END,
        deadline_at = NULL, next_action_at = watch_at, query_at = watch_at
    FROM overdue WHERE i.id = overdue.id;
    GET DIAGNOSTICS v_expired = ROW_COUNT;
    RETURN v_expired;
END $$;
