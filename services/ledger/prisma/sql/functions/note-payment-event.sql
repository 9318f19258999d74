-- Writes the events of intents for releases below version 3, which do not write them: a copy of
-- src/webhooks/rules/payment-event.ts of that version. Its triggers skip a statement that writes its own events
-- (`malipo.events`). It is removed when the floor is 3.
CREATE OR REPLACE FUNCTION note_payment_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    v_type TEXT := CASE
        WHEN NEW.status = 'reversed' THEN 'payment.reversed'
        WHEN NEW.status = 'failed' THEN 'payment.failed'
        ELSE 'checkout.completed'
    END;
BEGIN
    IF NEW.disposition = 'merchant' AND OLD.disposition IS DISTINCT FROM 'merchant'
        OR NEW.status = 'failed' AND OLD.status <> 'failed'
        OR NEW.disposition = 'merchant' AND NEW.status = 'reversed' AND OLD.status <> 'reversed' THEN
        PERFORM write_webhook_event(c.account_id, v_type, c.id) FROM checkouts c
        WHERE c.id = NEW.checkout_id AND has_webhooks(c.account_id) AND (v_type <> 'payment.failed' OR NOT EXISTS (
            SELECT FROM intents paid WHERE paid.checkout_id = c.id AND paid.disposition = 'merchant'
        ));
    END IF;
    RETURN NULL;
END $$;
