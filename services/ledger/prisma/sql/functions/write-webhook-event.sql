-- Writes an event of a checkout and a delivery to each endpoint of its account that is on; nothing if none is on.
CREATE OR REPLACE FUNCTION write_webhook_event(p_account_id TEXT, p_type TEXT, p_subject_id TEXT)
RETURNS VOID LANGUAGE sql AS $$
    WITH listening AS MATERIALIZED (
        SELECT e.id FROM webhook_endpoints e WHERE e.account_id = p_account_id AND e.off_at IS NULL
    ), event AS (
        INSERT INTO webhook_events (id, account_id, type, subject_id)
        SELECT webhook_id('evt_'), p_account_id, p_type, p_subject_id WHERE EXISTS (SELECT FROM listening)
        RETURNING id
    )
    INSERT INTO webhook_deliveries (id, event_id, endpoint_id, next_action_at)
    SELECT webhook_id('wd_'), event.id, listening.id, clock_timestamp() FROM event, listening
$$;
