-- Takes off the list what is in the journal by now, and answers, once each, what a person has to be told of.
CREATE OR REPLACE FUNCTION alarm_unposted_reports()
RETURNS TABLE (intent_id TEXT, provider TEXT, receipt TEXT, minor BIGINT) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    DELETE FROM payment_reports r WHERE EXISTS (
        SELECT FROM transfers t WHERE t.event_key = 'receipt:' || r.provider || ':' || r.receipt
    ) OR (r.receipt = '' AND EXISTS (SELECT FROM intents i WHERE i.id = r.intent_id AND i.settled_at IS NOT NULL));
    RETURN QUERY
    UPDATE payment_reports r SET alarmed_at = clock_timestamp()
    FROM unposted_reports() u
    WHERE r.intent_id = u.intent_id AND r.receipt = u.receipt AND r.alarmed_at IS NULL
    RETURNING r.intent_id, r.provider, r.receipt, r.minor;
END $$;
