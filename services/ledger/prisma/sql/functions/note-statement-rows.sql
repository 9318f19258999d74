-- Keeps rows of the statement, before they are applied, and answers the receipts that the statement has shown with another
-- amount before: the first amount stays. Money that was frozen for want of a row goes back to where it was.
-- Nothing is frozen while it runs: freezing either has ended before, and is undone here, or begins after and sees the rows.
CREATE OR REPLACE FUNCTION note_statement_rows(
    p_message_ids TEXT[], p_receipts TEXT[], p_minors BIGINT[], p_paid_ats TIMESTAMPTZ[]
)
RETURNS SETOF TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_provider TEXT := decide('provider', 'paybill');
    v_receipts TEXT[];
    v_minors BIGINT[];
    v_paid_ats TIMESTAMPTZ[];
    v_subject TEXT;
BEGIN
    -- LIMIT here and below: a plan that was made while a table was small must not read it whole, once for each row.
    SELECT array_agg(row.receipt), array_agg(row.minor), array_agg(row.paid_at) INTO v_receipts, v_minors, v_paid_ats
    FROM unnest(p_message_ids, p_receipts, p_minors, p_paid_ats) row (message_id, receipt, minor, paid_at)
    CROSS JOIN LATERAL (
        SELECT FROM provider_messages m
        WHERE m.id = row.message_id AND m.rail = 'paybill' AND m.kind = 'statement_row' LIMIT 1
    ) m;
    IF v_receipts IS NULL THEN
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('statement rows', 0));
    INSERT INTO statement_rows (provider, receipt, minor, paid_at, seen_at)
    SELECT v_provider, row.receipt, row.minor, coalesce(row.paid_at, v_now), v_now
    FROM unnest(v_receipts, v_minors, v_paid_ats) row (receipt, minor, paid_at)
    -- Two readers that show the same receipts wait for each other in one order.
    ORDER BY row.receipt
    ON CONFLICT DO NOTHING;

    FOR v_subject IN
        SELECT DISTINCT v_provider || ':' || row.receipt FROM unnest(v_receipts) row (receipt)
        CROSS JOIN LATERAL (
            SELECT FROM transfers f WHERE f.event_key = 'frozen:' || v_provider || ':' || row.receipt LIMIT 1
        ) f
        ORDER BY 1
    LOOP
        PERFORM pg_advisory_xact_lock(hashtextextended('receipt:' || v_subject, 0));
        INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
        SELECT 'placed:' || v_subject, f.leg, f.credit, f.debit, f.currency, f.minor, v_now, v_now FROM transfers f
        WHERE f.event_key = 'frozen:' || v_subject
            AND (SELECT holder FROM money_of(v_subject)) = 'suspense:unconfirmed'
        ON CONFLICT DO NOTHING;
    END LOOP;

    RETURN QUERY
    SELECT DISTINCT row.receipt FROM unnest(v_receipts, v_minors) row (receipt, minor)
    CROSS JOIN LATERAL (
        SELECT s.minor FROM statement_rows s WHERE s.provider = v_provider AND s.receipt = row.receipt LIMIT 1
    ) s
    WHERE s.minor <> row.minor;
END $$;
