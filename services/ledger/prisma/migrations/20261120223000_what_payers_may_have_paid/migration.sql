-- What keeps a payer page from an untruth. An attempt without an answer, or with money that is held, stays in its payer's
-- mind while later ones come and go: whoever is told that no money was taken pays again. And a receipt tells of the
-- attempt that paid, whatever has become of another since.

CREATE OR REPLACE VIEW checkout_views AS
SELECT
    c.id AS checkout_id,
    c.account_id,
    c.amount_minor,
    c.reference,
    c.description,
    c.return_url,
    c.phone,
    c.created_at,
    c.expires_at,
    settled.settled_at AS completed_at,
    clock_timestamp() >= c.expires_at AS is_time_up,
    w.frozen_at IS NULL AS is_wallet_open,
    w.card_enabled,
    flight.id AS flight_intent_id,
    settled.id AS settled_intent_id,
    settled.status AS settled_status,
    settled.phone AS settled_phone,
    settled.settled_minor,
    settled.receipt AS settled_receipt,
    newest.id AS newest_intent_id,
    newest.status AS newest_status,
    newest.rail AS newest_rail,
    newest.phone AS newest_phone,
    newest.cause AS newest_cause,
    newest.created_at AS newest_created_at,
    newest.settled_minor AS newest_settled_minor,
    newest.receipt AS newest_receipt,
    (SELECT count(*)::int FROM intents f WHERE f.checkout_id = c.id AND f.status IN ('failed', 'expired'))
        AS failed_attempts,
    number.number AS pay_bill_number,
    settled.rail AS settled_rail,
    settled.created_at AS settled_created_at,
    EXISTS (
        SELECT FROM intents u WHERE u.checkout_id = c.id
        AND (u.cause = 'unconfirmed' OR u.status = 'completed' AND u.disposition LIKE 'suspense\_%')
    ) AS may_have_paid
FROM checkouts c
JOIN wallets w ON w.account_id = c.account_id
LEFT JOIN intents flight ON flight.checkout_id = c.id AND flight.ended_at IS NULL
LEFT JOIN intents settled ON settled.checkout_id = c.id AND settled.disposition = 'merchant'
LEFT JOIN LATERAL (
    SELECT * FROM intents i WHERE i.checkout_id = c.id ORDER BY i.created_at DESC LIMIT 1
) newest ON true
LEFT JOIN pay_bill_numbers number ON number.checkout_id = c.id;
