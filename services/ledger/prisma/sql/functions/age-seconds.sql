-- How many seconds ago; 0 for what is yet to come and for nothing at all.
CREATE OR REPLACE FUNCTION age_seconds(p_at TIMESTAMPTZ) RETURNS DOUBLE PRECISION LANGUAGE sql VOLATILE AS $$
    SELECT coalesce(greatest(extract(epoch FROM clock_timestamp() - p_at), 0), 0)::float8
$$;
