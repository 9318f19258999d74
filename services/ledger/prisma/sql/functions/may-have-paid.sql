-- Whether money of an intent is held for a person, or may still arrive unasked.
CREATE OR REPLACE FUNCTION may_have_paid(p_intent intents) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN (p_intent).status = 'completed' THEN coalesce((p_intent).disposition LIKE 'suspense\_%', false)
        WHEN (p_intent).cause = 'unconfirmed' OR (p_intent).reported_at IS NOT NULL AND (p_intent).settled_at IS NULL
            AND (p_intent).ended_at IS NOT NULL
        THEN NOT is_found_unpaid(p_intent)
        ELSE false
    END
$$;
