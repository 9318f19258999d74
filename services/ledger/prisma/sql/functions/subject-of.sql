-- `mpesa:QK…` of any of its events.
CREATE OR REPLACE FUNCTION subject_of(p_event_key TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT substr(p_event_key, strpos(p_event_key, ':') + 1)
$$;
