-- Whether only answers to our own queries say that a prompt was not paid. Such answers have been wrong about payments that
-- went through; a callback that the provider signs for by its address or bears out when it is asked has not.
CREATE OR REPLACE FUNCTION is_denied_by_answers(p_intent intents) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN (p_intent).status <> 'failed' OR (p_intent).event <> 'declined' OR (p_intent).rail = 'card'
        THEN false
        ELSE NOT EXISTS (
            SELECT FROM provider_messages m
            WHERE m.intent_id = (p_intent).id AND m.digest IS NOT NULL AND m.fact = 'declined'
                AND (m.kind = 'hint' OR m.strength = 'E3')
        )
    END
$$;
