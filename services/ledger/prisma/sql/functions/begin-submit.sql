-- Commits the decision to put a prompt on the wire and hands out what to send, to one caller only. Nothing comes back
-- when it was taken, has ended or is too old to start. A checkout that was paid meanwhile needs no prompt any more.
-- The prompt is for what is asked. Which of MTN's platforms takes it is kept with it, before anything is sent.
CREATE OR REPLACE FUNCTION begin_submit(
    p_intent_id TEXT,
    p_deadline_seconds DOUBLE PRECISION,
    p_query_after_seconds DOUBLE PRECISION,
    p_card_query_after_seconds DOUBLE PRECISION,
    p_mtn_momo_platform TEXT DEFAULT NULL
)
RETURNS TABLE (
    rail TEXT, phone TEXT, amount_minor BIGINT, attempt_reference TEXT, callback_secret TEXT,
    checkout_id TEXT, fee_minor BIGINT, expires_at TIMESTAMPTZ, sealed_payer BYTEA
)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
BEGIN
    UPDATE intents i SET
        status = decide('intent', status, 'withheld'), event = 'withheld', cause = 'not_started',
        ended_at = v_now, deadline_at = NULL, next_action_at = NULL
    WHERE id = p_intent_id AND status = 'reserved'
        AND EXISTS (SELECT FROM intents paid WHERE paid.checkout_id = i.checkout_id AND paid.disposition = 'merchant');

    RETURN QUERY
    WITH asked AS (
        SELECT p_intent_id AS id, c.fee_minor, c.expires_at, c.sealed_payer,
            CASE WHEN c.intent_id IS NULL THEN v_now + make_interval(secs => p_deadline_seconds)
                ELSE c.expires_at + interval '30 seconds' END AS deadline_at,
            v_now + make_interval(secs => CASE WHEN c.intent_id IS NULL THEN p_query_after_seconds
                ELSE p_card_query_after_seconds END) AS query_at
        FROM (VALUES (p_intent_id)) given (id) LEFT JOIN card_sessions c ON c.intent_id = given.id
    ), taken AS (
        UPDATE intents i SET
            status = decide('intent', i.status, 'submitted'), event = 'submitted', submitted_at = v_now,
            deadline_at = asked.deadline_at, next_action_at = asked.query_at, query_at = asked.query_at
        FROM asked
        WHERE i.id = asked.id AND i.status = 'reserved' AND i.deadline_at > v_now
        RETURNING i.*
    ), logged AS (
        INSERT INTO wire_attempts (intent_id, rail, began_at, platform)
        SELECT id, rail, v_now, CASE rail WHEN 'mtn_momo' THEN p_mtn_momo_platform END FROM taken
    )
    SELECT taken.rail, taken.phone, taken.asked_minor, taken.attempt_reference, taken.callback_secret,
        taken.checkout_id, asked.fee_minor, asked.expires_at, asked.sealed_payer
    FROM taken JOIN asked USING (id);
END $$;
