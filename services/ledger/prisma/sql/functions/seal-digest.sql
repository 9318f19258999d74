CREATE OR REPLACE FUNCTION seal_digest(p_previous BYTEA, p_after_at TIMESTAMPTZ, p_until_at TIMESTAMPTZ)
RETURNS BYTEA LANGUAGE sql STABLE AS $$
    SELECT sha256(p_previous || convert_to(coalesce(string_agg(
        format(
            '%s %s %s %s %s %s %s %s', event_key, leg, debit, credit, currency, minor,
            extract(epoch FROM event_at), extract(epoch FROM created_at)
        ), E'\n' ORDER BY event_key COLLATE "C", leg
    ), ''), 'UTF8'))
    FROM transfers WHERE created_at > p_after_at AND created_at <= p_until_at
$$;
