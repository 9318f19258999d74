-- Enrollments and retirements wait for each other: two at once never make three founders, and never leave one operator.
CREATE OR REPLACE FUNCTION lock_operators() RETURNS VOID LANGUAGE sql AS $$
    SELECT pg_advisory_xact_lock(hashtextextended('operators', 0))
$$;
