-- Reports of payment whose receipt is not in the journal ten minutes after, by the clock of now.
-- Without those that two operators have closed.
CREATE OR REPLACE FUNCTION unposted_reports() RETURNS SETOF payment_reports LANGUAGE sql STABLE AS $$
    SELECT r.* FROM payment_reports r
    WHERE r.reported_at < clock_timestamp() - interval '10 minutes'
        AND NOT EXISTS (SELECT FROM transfers t WHERE t.event_key = 'receipt:' || r.provider || ':' || r.receipt)
        AND NOT (r.receipt = ''
            AND EXISTS (SELECT FROM intents i WHERE i.id = r.intent_id AND i.settled_at IS NOT NULL))
        AND NOT is_report_closed(report_subject(r.provider, r.receipt, r.intent_id))
$$;
