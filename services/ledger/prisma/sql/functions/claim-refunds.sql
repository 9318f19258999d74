-- Leases refunds that are due to be sent or asked about, the longest due first.
CREATE OR REPLACE FUNCTION claim_refunds(p_limit INTEGER, p_lease_seconds DOUBLE PRECISION)
RETURNS TABLE (kind TEXT, id TEXT) LANGUAGE sql AS $$
    WITH due AS (
        SELECT r.id FROM refunds r WHERE r.next_action_at <= clock_timestamp()
        ORDER BY r.next_action_at LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE refunds r SET next_action_at = clock_timestamp() + make_interval(secs => p_lease_seconds)
    FROM due WHERE r.id = due.id
    RETURNING CASE r.status WHEN 'approved' THEN 'refund' ELSE 'refund_query' END, r.id
$$;
