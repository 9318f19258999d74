-- Keeps what messages show that are rows of the statement, as `keep_statement_rows` does; other messages show nothing.
CREATE OR REPLACE FUNCTION note_statement_rows(
    p_message_ids TEXT[], p_receipts TEXT[], p_minors BIGINT[], p_paid_ats TIMESTAMPTZ[]
)
RETURNS SETOF TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_receipts TEXT[];
    v_minors BIGINT[];
    v_paid_ats TIMESTAMPTZ[];
BEGIN
    SELECT array_agg(row.receipt), array_agg(row.minor), array_agg(row.paid_at) INTO v_receipts, v_minors, v_paid_ats
    FROM unnest(p_message_ids, p_receipts, p_minors, p_paid_ats) row (message_id, receipt, minor, paid_at)
    -- LIMIT: a plan that was made while the table was small must not read it whole, once for each row.
    CROSS JOIN LATERAL (
        SELECT FROM provider_messages m
        WHERE m.id = row.message_id AND m.rail = 'paybill' AND m.kind = 'statement_row' LIMIT 1
    ) m;
    IF v_receipts IS NOT NULL THEN
        RETURN QUERY SELECT keep_statement_rows(v_receipts, v_minors, v_paid_ats);
    END IF;
END $$;
