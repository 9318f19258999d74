-- Leases what is due to be done in the outside world, the longest due first. A lease only keeps others away for a
-- while: each piece of work is claimed again by the operation that begins it. A message that its readers did not get
-- through ever so often is parked for a person, and is not handed out.
CREATE OR REPLACE FUNCTION claim_due(p_limit INTEGER, p_lease_seconds DOUBLE PRECISION, p_claims_max INTEGER)
RETURNS TABLE (kind TEXT, id TEXT) LANGUAGE sql AS $$
    WITH messages AS (
        SELECT m.id, m.next_action_at, m.claims FROM provider_messages m
        WHERE m.next_action_at <= (SELECT clock_timestamp())
        ORDER BY m.next_action_at LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED
    ), attempts AS (
        SELECT i.id, i.next_action_at, i.status FROM intents i
        WHERE i.next_action_at <= (SELECT clock_timestamp())
        ORDER BY i.next_action_at LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED
    ), due AS (
        SELECT CASE WHEN claims < p_claims_max THEN 'read' ELSE 'parked' END AS kind, id, next_action_at FROM messages
        UNION ALL
        SELECT CASE status WHEN 'reserved' THEN 'submit' ELSE 'query' END, id, next_action_at FROM attempts
        ORDER BY next_action_at LIMIT p_limit
    ), leased_attempts AS (
        UPDATE intents SET next_action_at = clock_timestamp() + make_interval(secs => p_lease_seconds)
        WHERE id = ANY (ARRAY (SELECT due.id FROM due))
    ), leased_messages AS (
        UPDATE provider_messages m SET
            claims = m.claims + 1,
            next_action_at = clock_timestamp() + make_interval(secs => p_lease_seconds * 2 ^ m.claims)
        WHERE m.id = ANY (ARRAY (SELECT due.id FROM due WHERE due.kind = 'read'))
    ), parked_messages AS (
        UPDATE provider_messages m SET
            result = 'parked', detail = 'read ' || m.claims || ' times without an end',
            applied_at = clock_timestamp(), next_action_at = NULL
        WHERE m.id = ANY (ARRAY (SELECT due.id FROM due WHERE due.kind = 'parked'))
    )
    SELECT kind, id FROM due
$$;
