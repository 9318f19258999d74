-- A "yes" after a refund was believed to have failed: the same receipt may have been asked to go back again meanwhile.
-- What of that was not sent yet is withdrawn. Answers whether nothing else of it was sent: if it was, the money may have
-- gone twice, and people have to look.
CREATE OR REPLACE FUNCTION withdraw_other_refunds(p_refund refunds) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
BEGIN
    UPDATE refunds SET status = refund_after(status, 'withdrawn'), ended_at = v_now, next_action_at = NULL
    WHERE provider = p_refund.provider AND receipt = p_refund.receipt AND id <> p_refund.id
        AND status IN ('asked', 'approved');
    RETURN NOT EXISTS (
        SELECT FROM refunds WHERE provider = p_refund.provider AND receipt = p_refund.receipt AND id <> p_refund.id
            AND status NOT IN ('failed', 'withdrawn')
    );
END $$;
