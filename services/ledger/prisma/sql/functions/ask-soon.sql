-- Has the sweep ask the provider as soon as it may: not more often than we ask anyway, whoever tries to make us.
CREATE OR REPLACE FUNCTION ask_soon(p_intent_id TEXT, p_query_every_seconds DOUBLE PRECISION)
RETURNS VOID LANGUAGE sql AS $$
    UPDATE intents i SET query_at = soon.at, next_action_at = soon.at
    FROM (
        SELECT greatest(clock_timestamp(), asked_at + make_interval(secs => p_query_every_seconds))
        FROM intents WHERE id = p_intent_id
    ) soon (at)
    WHERE i.id = p_intent_id AND i.submitted_at IS NOT NULL AND i.settled_at IS NULL
        AND soon.at < coalesce(i.query_at, 'infinity')
$$;
