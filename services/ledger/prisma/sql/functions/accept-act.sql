-- Keeps an act whose signature was verified, once. `stale`: it was signed too long ago, or by a clock that is wrong.
CREATE OR REPLACE FUNCTION accept_act(
    p_operator TEXT, p_method TEXT, p_request BYTEA, p_signed_at TEXT, p_nonce TEXT, p_signature BYTEA,
    p_life_seconds DOUBLE PRECISION
)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
BEGIN
    IF abs(extract(epoch FROM v_now - p_signed_at::timestamptz)) > p_life_seconds THEN
        RETURN 'stale';
    END IF;
    INSERT INTO operator_acts (at, operator, method, request, signed_at, nonce, signature)
    VALUES (v_now, p_operator, p_method, p_request, p_signed_at, p_nonce, p_signature)
    ON CONFLICT (nonce) DO NOTHING;
    RETURN CASE WHEN FOUND THEN 'accepted' ELSE 'repeated' END;
END $$;
