-- Says whether an account has an endpoint that is on.
CREATE OR REPLACE FUNCTION has_webhooks(p_account_id TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM webhook_endpoints WHERE account_id = p_account_id AND off_at IS NULL)
$$;
