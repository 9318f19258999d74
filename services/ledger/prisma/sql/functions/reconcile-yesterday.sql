-- Makes the report of yesterday, unless it was made.
CREATE OR REPLACE FUNCTION reconcile_yesterday() RETURNS SETOF recon_reports LANGUAGE sql AS $$
    SELECT report.* FROM (
        SELECT (clock_timestamp() AT TIME ZONE 'Africa/Nairobi')::date - 1
        -- What was paid just before midnight has an hour to be told of.
        WHERE (clock_timestamp() AT TIME ZONE 'Africa/Nairobi')::time >= '01:00'
    ) yesterday (day), reconcile_day(yesterday.day) report
    WHERE NOT EXISTS (SELECT FROM recon_reports r WHERE r.day = yesterday.day)
$$;
