-- The receipt in an event key, with its provider: `mpesa:QK…` of `receipt:mpesa:QK…`.
CREATE OR REPLACE FUNCTION subject_of(p_event_key TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT substr(p_event_key, strpos(p_event_key, ':') + 1)
$$;
