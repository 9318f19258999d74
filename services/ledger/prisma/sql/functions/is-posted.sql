CREATE OR REPLACE FUNCTION is_posted(p_report pay_bill_reports) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM transfers t WHERE t.event_key = 'receipt:mpesa:' || (p_report).receipt)
$$;
