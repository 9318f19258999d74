-- How many seconds ago an instant was; 0 for one in the future, and for NULL.
CREATE OR REPLACE FUNCTION age_seconds(p_at TIMESTAMPTZ) RETURNS DOUBLE PRECISION LANGUAGE sql VOLATILE AS $$
    SELECT coalesce(greatest(extract(epoch FROM clock_timestamp() - p_at), 0), 0)::float8
$$;
