-- What of a receipt is ours: nothing but the fee of a card.
CREATE OR REPLACE FUNCTION fee_of(p_subject TEXT) RETURNS BIGINT LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(minor), 0)::bigint FROM transfers
    WHERE event_key = 'receipt:' || p_subject AND credit LIKE 'fee:%'
$$;
