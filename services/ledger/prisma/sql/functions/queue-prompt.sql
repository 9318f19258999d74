-- Whether another prompt is open on the phone of an intent, in which case the intent waits: it becomes due again a second
-- later, and is given up when it has waited for `p_queue_seconds`. The lock of the phone lasts until the transaction ends,
-- so a caller that takes the prompt in the same transaction is the only one. `p_prompt_seconds`: by rail, how long a
-- prompt stays open at most.
-- A prompt that was reported as paid has been answered, so the phone is free for the next one.
-- The lock of the checkout comes first and lasts as long, that of a card too: a payment of the checkout that is being
-- committed is waited for, and seen by what is decided behind it.
CREATE OR REPLACE FUNCTION queue_prompt(p_intent_id TEXT, p_prompt_seconds JSONB, p_queue_seconds DOUBLE PRECISION)
RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
    v_intent RECORD;
    v_now TIMESTAMPTZ;
BEGIN
    PERFORM FROM checkouts
    WHERE id = (SELECT checkout_id FROM intents WHERE id = p_intent_id AND status = 'reserved') FOR NO KEY UPDATE;

    SELECT phone, created_at + make_interval(secs => p_queue_seconds) AS give_up_at INTO v_intent
    FROM intents WHERE id = p_intent_id AND status = 'reserved' AND callback_secret IS NOT NULL;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended(v_intent.phone, 0));
    -- Read behind the lock: the prompt that was begun meanwhile counts.
    v_now := clock_timestamp();

    IF NOT EXISTS (
        SELECT FROM intents i
        WHERE i.phone = v_intent.phone AND i.id <> p_intent_id AND i.callback_secret IS NOT NULL
            AND i.created_at > v_now - interval '1 hour' AND i.ended_at IS NULL AND i.reported_at IS NULL
            AND i.submitted_at > v_now - make_interval(secs => (p_prompt_seconds ->> i.rail)::float8)
    ) THEN
        RETURN false;
    END IF;

    IF v_now < v_intent.give_up_at THEN
        UPDATE intents SET
            queued_at = coalesce(queued_at, v_now), next_action_at = v_now + interval '1 second',
            -- Past the moment of giving up, which the worker decides; should no worker run, the intent expires.
            deadline_at = greatest(deadline_at, v_intent.give_up_at + interval '15 seconds')
        WHERE id = p_intent_id AND status = 'reserved' AND deadline_at > v_now;
    ELSE
        UPDATE intents SET
            status = decide('intent', status, 'withheld'), event = 'withheld', cause = 'session_open',
            ended_at = v_now, deadline_at = NULL, next_action_at = NULL
        WHERE id = p_intent_id AND status = 'reserved';
    END IF;
    RETURN true;
END $$;
