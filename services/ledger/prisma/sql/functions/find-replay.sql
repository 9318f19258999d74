-- What an idempotency key made before, if it did: asked before any rule, because a replay answers what was answered.
CREATE OR REPLACE FUNCTION find_replay(p_scope TEXT, p_key TEXT, p_fingerprint BYTEA)
RETURNS TABLE (outcome TEXT, checkout_id TEXT, intent_id TEXT) LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN fingerprint = p_fingerprint THEN 'replayed' ELSE 'idempotency_mismatch' END,
        checkout_id, intent_id
    FROM idempotency_keys WHERE scope = p_scope AND key = p_key
$$;
