-- Hands out what to ask the provider, to one caller each time it is due.
-- The question is about what was asked, and goes to the platform that took the prompt.
-- A failed intent that was reported as paid is asked about like an expired one.
CREATE OR REPLACE FUNCTION begin_query(p_intent_id TEXT, p_query_every_seconds DOUBLE PRECISION)
RETURNS TABLE (
    rail TEXT, amount_minor BIGINT, attempt_reference TEXT, provider_request_id TEXT, submitted_at TIMESTAMPTZ,
    receipt_wanted BOOLEAN, platform TEXT
)
LANGUAGE sql AS $$
    UPDATE intents i SET asked_at = clock_timestamp(), query_at = next.at, next_action_at = next.at
    FROM (
        SELECT id, CASE
            -- A failed intent is asked about once, when something said that it was paid after all.
            WHEN status <> 'failed' OR receipt_wanted OR reported_at IS NOT NULL
            THEN next_query_at(submitted_at, ended_at IS NULL, receipt_wanted, p_query_every_seconds)
        END AS at
        FROM intents WHERE id = p_intent_id AND query_at <= clock_timestamp() FOR NO KEY UPDATE
    ) next
    WHERE i.id = next.id
    RETURNING i.rail, i.asked_minor, i.attempt_reference, i.provider_request_id, i.submitted_at, i.receipt_wanted,
        (SELECT w.platform FROM wire_attempts w WHERE w.intent_id = i.id)
$$;
