-- Whether the money of a report is in the journal.
CREATE OR REPLACE FUNCTION is_report_posted(p_subject TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM transfers WHERE event_key = 'receipt:' || p_subject)
        OR EXISTS (SELECT FROM intents WHERE id = p_subject AND settled_at IS NOT NULL)
$$;
