-- A new id: 24 hex digits of a random UUID behind a prefix.
CREATE OR REPLACE FUNCTION webhook_id(p_prefix TEXT) RETURNS TEXT LANGUAGE sql VOLATILE AS $$
    SELECT p_prefix || left(encode(uuid_send(gen_random_uuid()), 'hex'), 24)
$$;
