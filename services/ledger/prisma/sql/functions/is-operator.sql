-- Who may act now.
CREATE OR REPLACE FUNCTION is_operator(p_operator TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM operators WHERE id = p_operator AND enrolled_at IS NOT NULL AND retired_at IS NULL)
$$;
