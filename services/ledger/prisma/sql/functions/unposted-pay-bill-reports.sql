-- Pay Bill payments that were reported in this time, are older than ten minutes and in no journal, once a receipt; without
-- those that two operators have closed. They are unsigned: anyone who knows the secret path can invent them.
CREATE OR REPLACE FUNCTION unposted_pay_bill_reports(p_within INTERVAL)
RETURNS TABLE (receipt TEXT, checkout_id TEXT, minor BIGINT, reported_at TIMESTAMPTZ) LANGUAGE sql STABLE AS $$
    SELECT DISTINCT ON (r.receipt) r.receipt, r.checkout_id, r.minor, r.reported_at FROM pay_bill_reports r
    WHERE r.reported_at BETWEEN clock_timestamp() - p_within AND clock_timestamp() - interval '10 minutes'
        AND NOT is_posted(r) AND NOT is_report_closed('mpesa:' || r.receipt)
    ORDER BY r.receipt, r.checkout_id IS NULL, r.reported_at
$$;
