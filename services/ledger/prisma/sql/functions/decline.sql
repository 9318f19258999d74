-- Ends an attempt without money, unless it has ended already. Answers what came of the evidence.
CREATE OR REPLACE FUNCTION decline(p_intent_id TEXT, p_status TEXT, p_cause TEXT, p_provider_code TEXT)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_next TEXT := decide('intent', p_status, 'declined');
    v_now TIMESTAMPTZ := clock_timestamp();
BEGIN
    IF v_next = 'conflict' THEN
        RETURN 'contradiction';
    END IF;
    IF v_next = p_status THEN
        -- It ended before, and now we know that there is no money to watch for.
        UPDATE intents SET next_action_at = NULL, query_at = NULL WHERE id = p_intent_id;
        RETURN 'kept';
    END IF;
    UPDATE intents SET
        status = v_next, event = 'declined', cause = p_cause, provider_code = p_provider_code,
        ended_at = v_now, deadline_at = NULL, next_action_at = NULL, query_at = NULL
    WHERE id = p_intent_id;
    RETURN 'failed';
END $$;
