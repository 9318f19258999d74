CREATE OR REPLACE FUNCTION report_subject(p_provider TEXT, p_receipt TEXT, p_intent_id TEXT)
RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE p_receipt WHEN '' THEN p_intent_id ELSE p_provider || ':' || p_receipt END
$$;
