-- What a query's "no" counts for: nothing alone (rule `denial`), and enough where a provider that can only hint has said
-- so before. Answers whether it ends the attempt.
-- While the page of a card may still be open, a declined card is no more than that: its payer may try another. A browser
-- that opens the return address proves nothing, so it counts only when the gateway itself says that the payer has left.
-- What an attempt was called about is found by its index. Each "no" to a query read all messages that there are,
-- behind the locks of the checkout and the attempt: a second of it for two million, and no end in time for ten.
CREATE OR REPLACE FUNCTION is_denied(
    p_intent_id TEXT, p_provider_code TEXT, p_received_at TIMESTAMPTZ,
    p_query_every_seconds DOUBLE PRECISION, p_deny_after_seconds DOUBLE PRECISION
)
RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
    v_effect TEXT;
BEGIN
    SELECT decide(
        'denial',
        CASE WHEN p_received_at < coalesce(
            c.expires_at, i.submitted_at + make_interval(secs => p_deny_after_seconds)
        ) THEN 'young' ELSE 'old' END,
        CASE
            WHEN EXISTS (
                SELECT FROM provider_messages m
                -- Whatever was called in has a digest, and is found by it: nothing else of an attempt is.
                WHERE m.intent_id = p_intent_id AND m.digest IS NOT NULL AND m.fact = 'declined' AND m.kind = 'hint'
                    AND (c.intent_id IS NULL OR m.source_known)
            ) THEN 'told'
            WHEN i.denied_code IS NULL THEN 'none'
            WHEN i.denied_code <> p_provider_code THEN 'other'
            WHEN p_received_at < i.denied_at + make_interval(secs => p_query_every_seconds) THEN 'same_too_soon'
            ELSE 'same'
        END
    )
    INTO v_effect FROM intents i LEFT JOIN card_sessions c ON c.intent_id = i.id WHERE i.id = p_intent_id;
    IF v_effect = 'remember' THEN
        UPDATE intents SET denied_code = p_provider_code, denied_at = p_received_at WHERE id = p_intent_id;
    END IF;
    RETURN v_effect = 'decline';
END $$;
