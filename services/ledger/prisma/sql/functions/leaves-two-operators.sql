-- Whether two operators are left without this one: else nothing could be agreed to any more, an enrollment neither.
CREATE OR REPLACE FUNCTION leaves_two_operators(p_id TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT count(*) >= 2 FROM operators WHERE id <> p_id AND enrolled_at IS NOT NULL AND retired_at IS NULL
$$;
