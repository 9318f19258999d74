-- Commits the decision to send a refund and hands out what to send, to one caller only.
CREATE OR REPLACE FUNCTION begin_refund(p_refund_id TEXT, p_query_after_seconds DOUBLE PRECISION)
RETURNS SETOF refunds LANGUAGE sql AS $$
    UPDATE refunds SET
        status = refund_after(status, 'sent'), submitted_at = clock_timestamp(),
        next_action_at = clock_timestamp() + make_interval(secs => p_query_after_seconds)
    WHERE id = p_refund_id AND status = 'approved'
    RETURNING *
$$;
