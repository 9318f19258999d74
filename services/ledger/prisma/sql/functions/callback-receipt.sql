-- What the receipt of a callback in order does: it settles, or has the provider asked first.
CREATE OR REPLACE FUNCTION callback_receipt(p_minor BIGINT, p_unconfirmed_max_minor BIGINT, p_is_answered_paid BOOLEAN)
RETURNS TEXT LANGUAGE sql STABLE AS $$
    SELECT decide(
        'callback_receipt', CASE WHEN p_minor > p_unconfirmed_max_minor THEN 'large' ELSE 'small' END,
        CASE WHEN p_is_answered_paid THEN 'paid' ELSE 'none' END
    )
$$;
