-- Keeps what the statement shows, before it is applied, and answers the receipts that the statement has shown with another
-- amount before: the first amount stays. Money that was frozen for want of a row of its amount goes back to where it was.
-- Nothing is frozen while it runs: freezing either has ended before, and is undone here, or begins after and sees the rows.
CREATE OR REPLACE FUNCTION keep_statement_rows(p_receipts TEXT[], p_minors BIGINT[], p_paid_ats TIMESTAMPTZ[])
RETURNS SETOF TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_provider TEXT := 'mpesa';
    v_kept INTEGER;
    v_subject TEXT;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('statement rows', 0));
    INSERT INTO statement_rows (provider, receipt, minor, paid_at, seen_at)
    SELECT v_provider, row.receipt, row.minor, coalesce(row.paid_at, v_now), v_now
    FROM unnest(p_receipts, p_minors, p_paid_ats) row (receipt, minor, paid_at)
    -- Two readers that show the same receipts wait for each other in one order.
    ORDER BY row.receipt
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS v_kept = ROW_COUNT;

    FOR v_subject IN
        SELECT DISTINCT v_provider || ':' || row.receipt FROM unnest(p_receipts) row (receipt)
        -- LIMIT here and below: a plan that was made while a table was small must not read it whole, once for each row.
        CROSS JOIN LATERAL (
            SELECT FROM transfers f WHERE f.event_key = 'frozen:' || v_provider || ':' || row.receipt LIMIT 1
        ) f
        ORDER BY 1
    LOOP
        PERFORM pg_advisory_xact_lock(hashtextextended('receipt:' || v_subject, 0));
        INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
        SELECT 'placed:' || v_subject, f.leg, f.credit, f.debit, f.currency, f.minor, v_now, v_now FROM transfers f
        WHERE f.event_key = 'frozen:' || v_subject
            AND EXISTS (
                SELECT FROM money_of(v_subject) money
                JOIN statement_rows s ON s.provider = v_provider AND s.receipt = substr(v_subject, length(v_provider) + 2)
                WHERE money.holder = 'suspense:unconfirmed' AND s.minor = money.minor
            )
        ON CONFLICT DO NOTHING;
    END LOOP;

    -- A receipt that is shown for the first time, and once, has no amount to differ from.
    IF v_kept < cardinality(p_receipts) THEN
        RETURN QUERY
        SELECT DISTINCT row.receipt FROM unnest(p_receipts, p_minors) row (receipt, minor)
        CROSS JOIN LATERAL (
            SELECT s.minor FROM statement_rows s WHERE s.provider = v_provider AND s.receipt = row.receipt LIMIT 1
        ) s
        WHERE s.minor <> row.minor;
    END IF;
END $$;
