CREATE OR REPLACE FUNCTION asked_of(p_amount_minor BIGINT, p_whole_majors_only BOOLEAN) RETURNS BIGINT
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN p_whole_majors_only THEN whole_major_up(p_amount_minor) ELSE p_amount_minor END
$$;
