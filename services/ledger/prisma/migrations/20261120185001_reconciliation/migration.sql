-- The provider's word against the journal, a day at a time, in East African Time, by which both countries live.

CREATE INDEX transfers_event_at_idx ON transfers USING brin (event_at);

CREATE TABLE recon_reports (
    day DATE NOT NULL,
    provider TEXT NOT NULL,
    made_at TIMESTAMPTZ(6) NOT NULL,
    -- What the provider says came in that day, and what the journal does.
    provider_receipts INTEGER NOT NULL,
    provider_minor BIGINT NOT NULL,
    journal_receipts INTEGER NOT NULL,
    journal_minor BIGINT NOT NULL,
    refunded_minor BIGINT NOT NULL,
    -- All that the float holds at the end of the day.
    float_minor BIGINT NOT NULL,
    -- Receipts that one side alone has, or that the two have in different amounts: their sum, and some of them.
    difference_minor BIGINT NOT NULL,
    differing TEXT[] NOT NULL,

    CONSTRAINT recon_reports_pkey PRIMARY KEY (day, provider, made_at)
);
CREATE TRIGGER recon_reports_never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON recon_reports
    EXECUTE FUNCTION refuse_change('it is only ever added to');

-- Every receipt that either side has between two instants. M-Pesa has a statement; the others are asked about each payment,
-- so their word is the answer to our question.
CREATE FUNCTION compare_receipts(p_from_at TIMESTAMPTZ, p_until_at TIMESTAMPTZ)
RETURNS TABLE (provider TEXT, receipt TEXT, provider_minor BIGINT, journal_minor BIGINT) LANGUAGE sql STABLE AS $$
    WITH journal AS (
        SELECT split_part(t.event_key, ':', 2) AS provider, split_part(t.event_key, ':', 3) AS receipt,
            sum(t.minor)::bigint AS minor
        FROM transfers t
        WHERE t.event_key LIKE 'receipt:%' AND t.event_at >= p_from_at AND t.event_at < p_until_at
            -- Two people have found that there never was such a payment.
            AND NOT (
                EXISTS (SELECT FROM transfers f WHERE f.event_key = 'frozen:' || subject_of(t.event_key))
                AND EXISTS (SELECT FROM transfers r WHERE r.event_key = 'refunded:' || subject_of(t.event_key)))
        GROUP BY t.event_key
    ), told AS (
        SELECT s.provider, s.receipt, s.minor FROM statement_rows s
        WHERE s.paid_at >= p_from_at AND s.paid_at < p_until_at
        UNION ALL
        SELECT j.provider, j.receipt, j.minor FROM journal j
        WHERE j.provider <> 'mpesa' AND EXISTS (
            SELECT FROM provider_messages m
            WHERE m.intent_id IN (SELECT i.id FROM intents i WHERE i.receipt = j.receipt)
                AND m.receipt = j.receipt AND m.strength = 'E4')
    )
    SELECT coalesce(t.provider, j.provider), coalesce(t.receipt, j.receipt), t.minor, j.minor
    FROM told t FULL JOIN journal j ON j.provider = t.provider AND j.receipt = t.receipt
$$;

-- Makes the report of a day and keeps it.
CREATE FUNCTION reconcile_day(p_day DATE) RETURNS SETOF recon_reports LANGUAGE sql AS $$
    WITH day AS (
        SELECT p_day::timestamp AT TIME ZONE 'Africa/Nairobi' AS from_at,
            (p_day + 1)::timestamp AT TIME ZONE 'Africa/Nairobi' AS until_at
    ), compared AS (
        SELECT c.* FROM day, compare_receipts(day.from_at, day.until_at) c
    )
    INSERT INTO recon_reports
    SELECT p_day, f.provider, clock_timestamp(),
        count(c.provider_minor), coalesce(sum(c.provider_minor), 0),
        count(c.journal_minor), coalesce(sum(c.journal_minor), 0),
        (SELECT coalesce(sum(minor), 0) FROM transfers t, day
            WHERE t.credit = 'float:' || f.provider AND t.event_at >= day.from_at AND t.event_at < day.until_at),
        (SELECT coalesce(sum(CASE WHEN t.debit = 'float:' || f.provider THEN minor ELSE -minor END), 0)
            FROM transfers t, day
            WHERE 'float:' || f.provider IN (t.debit, t.credit) AND t.event_at < day.until_at),
        coalesce(sum(abs(coalesce(c.provider_minor, 0) - coalesce(c.journal_minor, 0))), 0),
        coalesce(
            (array_agg(c.receipt ORDER BY c.receipt)
                FILTER (WHERE c.provider_minor IS DISTINCT FROM c.journal_minor))[1:20], '{}')
    FROM (SELECT substr(a.id, 7) FROM accounts a WHERE a.id LIKE 'float:%') f (provider)
    LEFT JOIN compared c ON c.provider = f.provider
    GROUP BY f.provider
    RETURNING *
$$;

-- Makes the report of yesterday, unless it was made.
CREATE FUNCTION reconcile_yesterday() RETURNS SETOF recon_reports LANGUAGE sql AS $$
    SELECT report.* FROM (
        SELECT (clock_timestamp() AT TIME ZONE 'Africa/Nairobi')::date - 1
        -- What was paid just before midnight has an hour to be told of.
        WHERE (clock_timestamp() AT TIME ZONE 'Africa/Nairobi')::time >= '01:00'
    ) yesterday (day), reconcile_day(yesterday.day) report
    WHERE NOT EXISTS (SELECT FROM recon_reports r WHERE r.day = yesterday.day)
$$;

-- What the two sides differ in over the last two days, but for what is too young for the provider to have told of.
CREATE FUNCTION recent_difference() RETURNS DOUBLE PRECISION LANGUAGE sql VOLATILE AS $$
    SELECT coalesce(sum(abs(coalesce(provider_minor, 0) - coalesce(journal_minor, 0))), 0)::float8
    FROM compare_receipts(clock_timestamp() - interval '47 hours', clock_timestamp() - interval '15 minutes')
$$;
