-- Money from the Pay Bill menu of the payer's own phone: a number for each checkout, and payments that nobody asked for.

-- Whose account number is whose. A number goes to another checkout when it is a year old, and no sooner.
CREATE TABLE pay_bill_numbers (
    number TEXT NOT NULL,
    checkout_id TEXT NOT NULL,
    given_at TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT pay_bill_numbers_pkey PRIMARY KEY (number),
    CONSTRAINT pay_bill_numbers_checkout_id_fkey FOREIGN KEY (checkout_id) REFERENCES checkouts (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT pay_bill_numbers_shape CHECK (number ~ '^CS[0-9]{8}$')
);
CREATE UNIQUE INDEX pay_bill_numbers_checkout_id_key ON pay_bill_numbers (checkout_id);
CREATE TRIGGER pay_bill_numbers_never_go BEFORE DELETE OR TRUNCATE ON pay_bill_numbers
    EXECUTE FUNCTION refuse_change('it is never removed');
CREATE TRIGGER pay_bill_numbers_stay_for_a_year BEFORE UPDATE ON pay_bill_numbers
    FOR EACH ROW WHEN (OLD.given_at > clock_timestamp() - interval '1 year')
    EXECUTE FUNCTION refuse_change('a payer may still have it');

-- The places of numbers in the order of all numbers; the service scatters them with its key.
CREATE SEQUENCE pay_bill_places AS BIGINT MINVALUE 0 MAXVALUE 9999999 CYCLE;

-- M-Pesa may report a prompt's payment as a Pay Bill payment too, with the attempt's own reference as the account.
CREATE UNIQUE INDEX intents_attempt_reference_key ON intents (attempt_reference);

-- Such money belongs to no attempt until it is applied, and to none at all when nobody knows whose it is.
ALTER TABLE provider_messages
    ALTER COLUMN intent_id DROP NOT NULL,
    ADD CONSTRAINT provider_messages_are_about_an_attempt CHECK ((intent_id IS NULL) = (rail = 'paybill'));
CREATE UNIQUE INDEX provider_messages_digest_key ON provider_messages (digest) WHERE intent_id IS NULL;
ALTER TABLE suspense_items
    ALTER COLUMN intent_id DROP NOT NULL,
    ADD CONSTRAINT suspense_items_name_their_intent CHECK (intent_id IS NOT NULL OR reason = 'unmatched');

-- The account number is the last column, as a view can only grow at its end.
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
    number.number AS pay_bill_number
FROM checkouts c
JOIN wallets w ON w.account_id = c.account_id
LEFT JOIN intents flight ON flight.checkout_id = c.id AND flight.ended_at IS NULL
LEFT JOIN intents settled ON settled.checkout_id = c.id AND settled.disposition = 'merchant'
LEFT JOIN LATERAL (
    SELECT * FROM intents i WHERE i.checkout_id = c.id ORDER BY i.created_at DESC LIMIT 1
) newest ON true
LEFT JOIN pay_bill_numbers number ON number.checkout_id = c.id;

-- Posts Pay Bill money that no attempt asked for, once a receipt, and answers whether this did. Of a checkout, it gets an
-- intent that is born settled; of nobody, it is held until a person finds its owner.
CREATE FUNCTION settle_pay_bill(
    p_checkout checkouts,
    p_new_intent_id TEXT,
    p_phone TEXT,
    p_receipt TEXT,
    p_minor BIGINT,
    p_paid_at TIMESTAMPTZ,
    p_disposition TEXT
)
RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_event_key TEXT := 'receipt:' || decide('provider', 'paybill') || ':' || p_receipt;
BEGIN
    INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
    SELECT v_event_key, 0, decide('debit', 'paybill'),
        replace(decide('credit', p_disposition), '*', coalesce(p_checkout.account_id, '')),
        currency, p_minor, coalesce(p_paid_at, v_now), v_now
    FROM deployment
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN false;
    END IF;

    IF p_checkout.id IS NOT NULL THEN
        INSERT INTO intents (
            id, checkout_id, rail, phone, amount_minor, status, event, created_at, ended_at,
            settled_minor, receipt, settled_at, disposition
        ) VALUES (
            p_new_intent_id, p_checkout.id, 'paybill', p_phone, p_checkout.amount_minor,
            decide('intent', 'none', 'matched'), 'matched', v_now, v_now, p_minor, p_receipt, v_now, p_disposition
        );
    END IF;
    IF p_disposition <> 'merchant' THEN
        INSERT INTO suspense_items (event_key, leg, reason, intent_id, minor, opened_at)
        VALUES (
            v_event_key, 0, replace(p_disposition, 'suspense_', ''),
            CASE WHEN p_checkout.id IS NOT NULL THEN p_new_intent_id END, p_minor, v_now
        );
    END IF;
    RETURN true;
END $$;

-- Weighs a Pay Bill message and posts its money, once. Answers no row for a message that there is not, and the earlier
-- result for one that was applied before. `p_account` is what the payer typed, without case, spaces and dashes;
-- `p_is_sealed` says whether our answer to the provider's validation came back as it must.
CREATE FUNCTION apply_pay_bill(
    p_message_id TEXT,
    p_fact TEXT,
    p_receipt TEXT,
    p_amount_minor BIGINT,
    p_paid_at TIMESTAMPTZ,
    p_account TEXT,
    p_phone TEXT,
    p_is_sealed BOOLEAN,
    p_new_intent_id TEXT
)
RETURNS TABLE (
    result TEXT, status TEXT, status_before TEXT, kind TEXT, strength TEXT, disposition TEXT
)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_message RECORD;
    v_checkout checkouts;
    v_attempt RECORD;
    v_strength TEXT;
    v_effect TEXT;
    -- Of money that nobody can be found for.
    v_disposition TEXT := 'suspense_unmatched';
    v_result TEXT := 'kept';
    v_is_posted BOOLEAN;
BEGIN
    -- Locks in the one order: the checkout, then the intent.
    SELECT * INTO v_checkout FROM checkouts c WHERE c.id = coalesce(
        (SELECT checkout_id FROM intents i WHERE i.attempt_reference = p_account),
        (SELECT checkout_id FROM pay_bill_numbers n WHERE n.number = p_account)
    ) FOR NO KEY UPDATE;
    SELECT i.id, i.status, i.rail INTO v_attempt FROM intents i
    WHERE i.attempt_reference = p_account FOR NO KEY UPDATE;
    SELECT m.kind, m.source_known, m.result, m.strength INTO v_message
    FROM provider_messages m WHERE m.id = p_message_id AND m.rail = 'paybill' FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF v_message.result IS NOT NULL THEN
        RETURN QUERY SELECT v_message.result, v_attempt.status, v_attempt.status, v_message.kind,
            v_message.strength, NULL;
        RETURN;
    END IF;

    v_strength := decide(
        'strength', v_message.kind,
        CASE WHEN v_message.source_known THEN 'right' ELSE 'wrong' END,
        CASE WHEN p_is_sealed THEN 'right' ELSE 'wrong' END,
        -- Nobody was asked for this money, so no amount of it contradicts what we know.
        'right'
    );
    v_effect := decide('effect', v_strength, p_fact);
    IF v_effect = 'settle' THEN
        IF v_checkout.id IS NOT NULL THEN
            v_disposition := decide(
                'disposition',
                CASE WHEN EXISTS (
                    SELECT FROM intents paid
                    WHERE paid.checkout_id = v_checkout.id AND paid.disposition = 'merchant'
                ) THEN 'paid' ELSE 'unpaid' END,
                CASE WHEN p_amount_minor = v_checkout.amount_minor THEN 'exact' ELSE 'differs' END,
                CASE WHEN EXISTS (
                    SELECT FROM wallets w WHERE w.account_id = v_checkout.account_id AND w.frozen_at IS NULL
                ) THEN 'open' ELSE 'frozen' END
            );
        END IF;
        -- A prompt's payment that is told as this one belongs to its attempt. One that was never sent took no money, so
        -- somebody has typed its reference.
        IF v_attempt.id IS NOT NULL AND decide('intent', v_attempt.status, 'confirmed') <> 'conflict' THEN
            v_is_posted := settle(
                v_attempt.id, p_new_intent_id, v_checkout.account_id, v_attempt.rail,
                p_receipt, p_amount_minor, p_paid_at, v_disposition
            );
        ELSE
            v_is_posted := settle_pay_bill(
                v_checkout, p_new_intent_id, p_phone, p_receipt, p_amount_minor, p_paid_at, v_disposition
            );
        END IF;
        v_result := CASE WHEN v_is_posted THEN 'settled' ELSE 'already_settled' END;
    ELSIF v_effect = 'park' THEN
        v_result := 'parked';
    END IF;
    -- What is weaker is kept: the provider's statement will say whether the money is there.

    UPDATE provider_messages SET
        fact = p_fact, strength = v_strength, result = v_result,
        receipt = CASE WHEN v_effect = 'settle' THEN p_receipt END,
        applied_at = clock_timestamp(), next_action_at = NULL
    WHERE id = p_message_id;
    RETURN QUERY SELECT v_result,
        CASE WHEN v_result = 'settled' AND v_checkout.id IS NOT NULL THEN 'completed' ELSE v_attempt.status END,
        v_attempt.status, v_message.kind, v_strength, CASE v_result WHEN 'settled' THEN v_disposition END;
END $$;
