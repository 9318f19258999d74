-- Gives the fee of a receipt back, as one more leg of the event by which its money goes back.
CREATE OR REPLACE FUNCTION return_fee(p_subject TEXT, p_to TEXT) RETURNS VOID LANGUAGE sql AS $$
    INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
    SELECT back.event_key, max(back.leg) + 1, fee.credit, p_to, fee.currency, fee.minor,
        max(back.event_at), max(back.created_at)
    FROM transfers fee JOIN transfers back ON back.event_key = 'refunded:' || p_subject
    WHERE fee.event_key = 'receipt:' || p_subject AND fee.credit LIKE 'fee:%'
    GROUP BY back.event_key, fee.credit, fee.currency, fee.minor
$$;
