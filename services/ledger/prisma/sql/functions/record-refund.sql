-- Records how the call to the provider ended. What may have reached it is asked about, and not sent again.
CREATE OR REPLACE FUNCTION record_refund(p_refund_id TEXT, p_outcome TEXT, p_provider_request_id TEXT, p_provider_code TEXT)
RETURNS TEXT LANGUAGE sql AS $$
    UPDATE refunds SET
        provider_request_id = coalesce(provider_request_id, p_provider_request_id),
        provider_code = coalesce(p_provider_code, provider_code),
        status = CASE
            WHEN status = 'submitted' AND p_outcome IN ('refused', 'not_sent') THEN refund_after(status, 'declined')
            ELSE status
        END,
        ended_at = CASE
            WHEN status = 'submitted' AND p_outcome IN ('refused', 'not_sent') THEN clock_timestamp() ELSE ended_at
        END,
        next_action_at = CASE WHEN p_outcome IN ('refused', 'not_sent') THEN NULL ELSE next_action_at END
    WHERE id = p_refund_id
    RETURNING status
$$;
