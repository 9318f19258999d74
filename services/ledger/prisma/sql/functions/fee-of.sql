-- The part of a receipt that is our fee: only card payments have one, and it is 0 for all others.
CREATE OR REPLACE FUNCTION fee_of(p_subject TEXT) RETURNS BIGINT LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(minor), 0)::bigint FROM transfers
    WHERE event_key = 'receipt:' || p_subject AND credit LIKE 'fee:%'
$$;
