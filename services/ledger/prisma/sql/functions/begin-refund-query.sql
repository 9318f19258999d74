-- Hands out what to ask about a refund that was sent, and nothing when it is not time to ask.
CREATE OR REPLACE FUNCTION begin_refund_query(p_refund_id TEXT, p_query_every_seconds DOUBLE PRECISION)
RETURNS SETOF refunds LANGUAGE sql AS $$
    UPDATE refunds SET next_action_at = next_query_at(submitted_at, false, false, p_query_every_seconds)
    WHERE id = p_refund_id AND status IN ('submitted', 'failed') AND next_action_at <= clock_timestamp() + interval '10 seconds'
    RETURNING *
$$;
