-- Lists a report of payment, once a receipt, unless the journal has it; and holds an intent in flight open for it. Only the
-- first report of an intent extends its deadline, so that no number of them holds it for ever.
-- A report in order makes more of an earlier one of the same receipt.
CREATE OR REPLACE FUNCTION note_report(
    p_message_id TEXT, p_intent_id TEXT, p_provider TEXT, p_receipt TEXT, p_minor BIGINT, p_hold_seconds DOUBLE PRECISION,
    p_strength TEXT, p_paid_at TIMESTAMPTZ
)
RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_until TIMESTAMPTZ := v_now + make_interval(secs => p_hold_seconds);
BEGIN
    IF EXISTS (SELECT FROM transfers t WHERE t.event_key = 'receipt:' || p_provider || ':' || p_receipt)
        OR (p_receipt = '' AND EXISTS (SELECT FROM intents i WHERE i.id = p_intent_id AND i.settled_at IS NOT NULL)) THEN
        RETURN;
    END IF;
    INSERT INTO payment_reports AS r (intent_id, receipt, message_id, provider, minor, reported_at, strength, paid_at)
    VALUES (p_intent_id, p_receipt, p_message_id, p_provider, p_minor, v_now, p_strength, p_paid_at)
    ON CONFLICT (intent_id, receipt) DO UPDATE SET strength = excluded.strength, paid_at = excluded.paid_at
        WHERE r.strength < excluded.strength;
    UPDATE intents SET
        reported_at = v_now,
        held_until = CASE WHEN ended_at IS NULL THEN v_until END,
        deadline_at = CASE WHEN ended_at IS NULL THEN greatest(deadline_at, v_until) END
    WHERE id = p_intent_id AND reported_at IS NULL AND settled_at IS NULL AND submitted_at IS NOT NULL;
END $$;
