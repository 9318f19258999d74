-- Leases the messages whose payee is wanted, ever more seldom, and for as long as it takes.
CREATE OR REPLACE FUNCTION claim_wanted_payees(p_limit INTEGER, p_lease_seconds DOUBLE PRECISION)
RETURNS TABLE (id TEXT) LANGUAGE sql AS $$
    WITH due AS (
        SELECT w.message_id FROM wanted_payees w WHERE w.next_action_at <= clock_timestamp()
        ORDER BY w.next_action_at LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE wanted_payees w SET
        claims = w.claims + 1,
        next_action_at = clock_timestamp() + make_interval(secs => p_lease_seconds * 2 ^ least(w.claims, 8))
    FROM due WHERE w.message_id = due.message_id
    RETURNING w.message_id
$$;
