-- When to ask the provider again: at an even pace while the payer waits, and while a receipt is missing that we know
-- of; then ever more seldom, for as long as a provider's statement may still show the payment.
CREATE OR REPLACE FUNCTION next_query_at(
    p_submitted_at TIMESTAMPTZ, p_payer_waits BOOLEAN, p_receipt_wanted BOOLEAN, p_query_every_seconds DOUBLE PRECISION
)
RETURNS TIMESTAMPTZ LANGUAGE sql VOLATILE AS $$
    SELECT CASE
        WHEN p_payer_waits OR (p_receipt_wanted AND age < interval '10 minutes') THEN now_at + every
        WHEN age + seldom < interval '72 hours' THEN now_at + seldom
    END
    FROM (SELECT clock_timestamp(), clock_timestamp() - p_submitted_at, make_interval(secs => p_query_every_seconds))
        clock (now_at, age, every),
        greatest(every, least(age / 4, interval '1 hour')) pace (seldom)
$$;
