-- Records how the call to the provider ended. The answer may come after the callback, or after we gave up: it still
-- says what the provider calls the prompt. Answers no row for an intent that there is not.
CREATE OR REPLACE FUNCTION record_submit(
    p_intent_id TEXT, p_outcome TEXT, p_provider_request_id TEXT, p_cause TEXT, p_provider_code TEXT, p_detail TEXT
)
RETURNS TABLE (status TEXT, is_conflict BOOLEAN) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_event TEXT := CASE p_outcome WHEN 'accepted' THEN 'acknowledged' WHEN 'unknown' THEN NULL ELSE 'refused' END;
    v_intent RECORD;
    v_next TEXT;
BEGIN
    SELECT i.status, i.submitted_at INTO v_intent FROM intents i WHERE i.id = p_intent_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    UPDATE wire_attempts SET ended_at = v_now, outcome = p_outcome, detail = p_detail
    WHERE intent_id = p_intent_id AND ended_at IS NULL;

    v_next := CASE WHEN v_event IS NULL THEN v_intent.status ELSE decide('intent', v_intent.status, v_event) END;
    IF v_next = 'failed' AND v_intent.status <> 'failed' THEN
        UPDATE intents SET
            status = v_next, event = v_event, cause = p_cause, provider_code = p_provider_code,
            ended_at = v_now, deadline_at = NULL, next_action_at = NULL, query_at = NULL
        WHERE id = p_intent_id;
    ELSIF v_next <> 'conflict' AND v_event = 'acknowledged' THEN
        UPDATE intents SET
            status = v_next, event = CASE WHEN status = v_next THEN event ELSE v_event END,
            provider_request_id = coalesce(provider_request_id, p_provider_request_id)
        WHERE id = p_intent_id;
    END IF;
    RETURN QUERY SELECT i.status, v_next = 'conflict' FROM intents i WHERE i.id = p_intent_id;
END $$;
