-- What the payer is asked for beside the amount; nothing but of a card.
CREATE OR REPLACE FUNCTION card_fee(p_intent_id TEXT) RETURNS BIGINT LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT fee_minor FROM card_sessions WHERE intent_id = p_intent_id), 0)
$$;
