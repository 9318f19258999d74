-- Takes back from wallets what a Pay Bill confirmation told of and the statement, read to well after it, does not show;
-- answers the receipts; what it shows with another amount was not paid either. A person decides what becomes of it. Nothing is taken while the statement cannot be read.
-- The statement is read in overlapping stretches, so no single one has to reach from
-- the payment to well after it was told of. And a confirmation that names the reference of a prompt settles that prompt:
-- it has to be borne out like any other, by the statement or by the prompt's own callback.
CREATE OR REPLACE FUNCTION freeze_unconfirmed(p_after_seconds DOUBLE PRECISION)
RETURNS SETOF TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_found RECORD;
    v_money RECORD;
    -- An index is searched for a moment only when the moment stands still.
    v_now TIMESTAMPTZ := clock_timestamp();
    -- A payment may enter the statement after the moment that it tells.
    v_late INTERVAL := make_interval(secs => p_after_seconds / 2);
BEGIN
    FOR v_found IN
        SELECT 'mpesa:' || m.receipt AS subject, m.receipt, i.id AS intent_id FROM provider_messages m
        JOIN transfers t ON t.event_key = 'receipt:mpesa:' || m.receipt AND t.credit LIKE 'wallet:%'
        JOIN intents i ON i.receipt = m.receipt AND i.rail IN ('paybill', 'mpesa')
        -- A payment is told of after it was made, and while the statement still reaches back to it: a time outside of that
        -- is no excuse for not being in the statement.
        CROSS JOIN LATERAL (
            SELECT greatest(least(t.event_at, m.applied_at), m.applied_at - interval '47 hours')
        ) paid (at)
        WHERE m.rail = 'paybill' AND m.kind = 'callback' AND m.result = 'settled'
            AND m.applied_at > v_now - interval '47 hours'
            AND m.applied_at < v_now - make_interval(secs => p_after_seconds)
            AND NOT EXISTS (
                SELECT FROM statement_rows s
                WHERE s.provider = 'mpesa' AND s.receipt = m.receipt AND s.minor = t.minor
            )
            AND NOT EXISTS (SELECT FROM transfers f WHERE f.event_key = 'frozen:mpesa:' || m.receipt)
            AND NOT EXISTS (
                SELECT FROM provider_messages told
                WHERE told.intent_id = i.id AND told.digest IS NOT NULL AND told.receipt = m.receipt
            )
            AND EXISTS (
                SELECT FROM statement_reads r
                WHERE r.provider = 'mpesa' AND r.from_at <= paid.at AND r.until_at >= paid.at + v_late
            )
            AND EXISTS (
                SELECT FROM statement_reads r WHERE r.provider = 'mpesa' AND r.until_at >= m.applied_at + v_late
            )
        LIMIT 100
    LOOP
        -- The statement may show it since: `note_statement_rows` holds the same lock.
        PERFORM pg_advisory_xact_lock(hashtextextended('statement rows', 0));
        PERFORM pg_advisory_xact_lock(hashtextextended('receipt:' || v_found.subject, 0));
        SELECT * INTO v_money FROM money_of(v_found.subject);
        CONTINUE WHEN EXISTS (
            SELECT FROM statement_rows s
            WHERE s.provider = 'mpesa' AND s.receipt = v_found.receipt AND s.minor = v_money.minor
        );
        IF v_money.holder LIKE 'wallet:%' THEN
            PERFORM move_money('frozen:' || v_found.subject, v_money.holder, 'suspense:unconfirmed', v_money.minor);
            INSERT INTO suspense_items (event_key, leg, reason, intent_id, minor, opened_at)
            VALUES ('frozen:' || v_found.subject, 0, 'unconfirmed', v_found.intent_id, v_money.minor, clock_timestamp());
            RETURN NEXT v_found.subject;
        END IF;
    END LOOP;
END $$;
