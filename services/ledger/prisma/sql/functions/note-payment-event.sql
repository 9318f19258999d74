-- Writes the event that an intent's change means for the account of its checkout. A failed attempt beside a payment is none.
CREATE OR REPLACE FUNCTION note_payment_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    v_type TEXT := CASE
        WHEN NEW.status = 'reversed' THEN 'payment.reversed'
        WHEN NEW.status = 'failed' THEN 'payment.failed'
        ELSE 'checkout.completed'
    END;
BEGIN
    PERFORM write_webhook_event(c.account_id, v_type, c.id) FROM checkouts c
    WHERE c.id = NEW.checkout_id AND has_webhooks(c.account_id) AND (v_type <> 'payment.failed' OR NOT EXISTS (
        SELECT FROM intents paid WHERE paid.checkout_id = c.id AND paid.disposition = 'merchant'
    ));
    RETURN NULL;
END $$;
