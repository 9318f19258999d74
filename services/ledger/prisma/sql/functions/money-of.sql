-- Where the money of a receipt lies, given as `mpesa:QK…`: no row for one that was never posted, and no holder for one
-- that went back.
-- `minor` is always the whole receipt. Money that was frozen from a wallet which was short is returned in two parts, to
-- the wallet and to what its owner owes: with the amount of one part only, a refund would give back too little.
CREATE OR REPLACE FUNCTION money_of(p_subject TEXT) RETURNS TABLE (holder TEXT, minor BIGINT, opened_at TIMESTAMPTZ)
LANGUAGE sql STABLE AS $$
    SELECT
        CASE WHEN NOT EXISTS (SELECT FROM transfers WHERE event_key = 'refunded:' || p_subject) THEN last.credit END,
        -- Of a card payment the fee is a leg of its own.
        (SELECT sum(minor)::bigint FROM transfers WHERE event_key = 'receipt:' || p_subject AND credit NOT LIKE 'fee:%'),
        last.created_at
    FROM (VALUES (1, 'placed:'), (2, 'frozen:'), (3, 'receipt:')) latest (place, event)
    JOIN transfers last ON last.event_key = latest.event || p_subject AND last.credit NOT LIKE 'fee:%'
    -- Of money that was returned in two parts, the wallet is the holder, and not the account of what its owner owes.
    ORDER BY latest.place, last.credit NOT LIKE 'wallet:%' LIMIT 1
$$;
