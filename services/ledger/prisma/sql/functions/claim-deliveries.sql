-- Leases deliveries that are due, endpoint by endpoint: p_each of one that works at a time, and one of one that fails, so
-- that a slow endpoint delays no other and a failing one is tried and not flooded.
CREATE OR REPLACE FUNCTION claim_deliveries(p_limit INTEGER, p_each INTEGER, p_lease_seconds DOUBLE PRECISION)
RETURNS SETOF TEXT LANGUAGE sql AS $$
    WITH RECURSIVE waiting AS (
        (SELECT d.endpoint_id FROM webhook_deliveries d WHERE d.next_action_at IS NOT NULL ORDER BY d.endpoint_id LIMIT 1)
        UNION ALL
        SELECT (
            SELECT d.endpoint_id FROM webhook_deliveries d
            WHERE d.next_action_at IS NOT NULL AND d.endpoint_id > w.endpoint_id ORDER BY d.endpoint_id LIMIT 1
        ) FROM waiting w WHERE w.endpoint_id IS NOT NULL
    ), endpoints AS MATERIALIZED (
        -- Locked, so that two claims at one moment do not both count what is free.
        SELECT e.id, CASE WHEN e.failing_since IS NULL THEN p_each ELSE 1 END AS most FROM webhook_endpoints e
        WHERE e.id IN (SELECT w.endpoint_id FROM waiting w) AND e.off_at IS NULL
        FOR NO KEY UPDATE SKIP LOCKED
    ), due AS (
        SELECT d.id FROM (SELECT e.id, e.most FROM endpoints e ORDER BY random()) e
        CROSS JOIN LATERAL (
            SELECT count(*) AS deliveries FROM webhook_deliveries l
            WHERE l.endpoint_id = e.id AND l.leased_until > clock_timestamp()
        ) in_hand
        CROSS JOIN LATERAL (
            SELECT d.id FROM webhook_deliveries d
            WHERE d.endpoint_id = e.id AND d.next_action_at <= clock_timestamp()
            ORDER BY d.next_action_at LIMIT greatest(e.most - in_hand.deliveries, 0)
            FOR NO KEY UPDATE SKIP LOCKED
        ) d
        LIMIT p_limit
    )
    UPDATE webhook_deliveries d SET
        next_action_at = clock_timestamp() + make_interval(secs => p_lease_seconds),
        leased_until = clock_timestamp() + make_interval(secs => p_lease_seconds)
    FROM due WHERE d.id = due.id
    RETURNING d.id
$$;
