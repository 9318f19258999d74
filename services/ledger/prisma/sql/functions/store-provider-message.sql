-- Keeps a message word for word, or counts it when the same callback was kept before. Answers NULL when it is about no
-- attempt of ours: an unknown token, or a rail that is not the attempt's. A provider whose callbacks only hint (rule
-- `callback`) may call to one address for all attempts, without a token.
-- Says whether the message is bound to the intent.
CREATE OR REPLACE FUNCTION store_provider_message(
    p_message_id TEXT,
    p_intent_id TEXT,
    p_callback_secret TEXT,
    p_rail TEXT,
    p_kind TEXT,
    p_body BYTEA,
    p_source_address TEXT,
    p_source_known BOOLEAN
)
RETURNS TEXT LANGUAGE sql AS $$
    INSERT INTO provider_messages AS kept (
        id, intent_id, rail, kind, body, digest, source_address, source_known, received_at, next_action_at, is_bound
    )
    SELECT p_message_id, i.id, i.rail,
        CASE p_kind WHEN 'callback' THEN decide('callback', i.rail) ELSE p_kind END, p_body,
        CASE p_kind WHEN 'callback' THEN sha256(convert_to(p_source_known::text, 'UTF8') || p_body) END,
        p_source_address, p_source_known, clock_timestamp(),
        -- The bell rings first; where it does not, the sweep takes the row a second later.
        clock_timestamp() + interval '1 second',
        p_kind <> 'callback' OR p_callback_secret IS NOT NULL OR i.rail = 'card'
    FROM intents i
    WHERE i.id = p_intent_id AND i.rail = coalesce(p_rail, i.rail)
        -- Digests take as long to compare however much of a guess is right.
        AND (p_kind <> 'callback'
            OR (p_callback_secret IS NULL AND decide('callback', i.rail) = 'hint')
            OR sha256(convert_to(i.callback_secret, 'UTF8')) = sha256(convert_to(p_callback_secret, 'UTF8')))
    ON CONFLICT (intent_id, digest) WHERE digest IS NOT NULL DO UPDATE SET deliveries = kept.deliveries + 1
    RETURNING kept.id
$$;
