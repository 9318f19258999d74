-- What people do about money that could not be placed: give it to its owner, or send it back. Every receipt goes through
-- the journal under keys of its own, each at most once: `receipt:`, `frozen:`, `placed:`, `refunded:`.

-- A merchant may owe us what was taken back after it was spent.
ALTER TABLE accounts
    DROP CONSTRAINT accounts_id_shape,
    ADD CONSTRAINT accounts_id_shape CHECK (id ~ '^(wallet|float|suspense|receivable|fee):.{1,64}$');

-- Money that a confirmation told of and the provider's statement does not show.
ALTER TABLE suspense_items
    DROP CONSTRAINT suspense_items_reason_known,
    ADD CONSTRAINT suspense_items_reason_known CHECK (reason IN ('duplicate', 'mismatch', 'unmatched', 'unconfirmed'));

-- Who did what by hand.
CREATE TABLE operator_actions (
    action BIGINT GENERATED ALWAYS AS IDENTITY,
    at TIMESTAMPTZ(6) NOT NULL,
    operator TEXT NOT NULL,
    did TEXT NOT NULL,
    -- The receipt, as `mpesa:QK…`.
    subject TEXT NOT NULL,
    note TEXT NOT NULL,

    CONSTRAINT operator_actions_pkey PRIMARY KEY (action),
    CONSTRAINT operator_actions_operator_length CHECK (char_length(operator) BETWEEN 1 AND 64),
    CONSTRAINT operator_actions_note_length CHECK (char_length(note) <= 500),
    CONSTRAINT operator_actions_did_known
        CHECK (did IN ('placed', 'refund_asked', 'refund_approved', 'refund_withdrawn'))
);
CREATE INDEX operator_actions_subject_action_idx ON operator_actions (subject, action);
CREATE TRIGGER operator_actions_never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_actions
    EXECUTE FUNCTION refuse_change('it is only ever added to');

CREATE FUNCTION note_action(p_operator TEXT, p_did TEXT, p_subject TEXT, p_note TEXT) RETURNS VOID LANGUAGE sql AS $$
    INSERT INTO operator_actions (at, operator, did, subject, note)
    VALUES (clock_timestamp(), p_operator, p_did, p_subject, p_note)
$$;

-- Where the money of a receipt lies, given as `mpesa:QK…`: no row for one that was never posted, and no holder for one
-- that went back.
CREATE FUNCTION money_of(p_subject TEXT) RETURNS TABLE (holder TEXT, minor BIGINT, opened_at TIMESTAMPTZ)
LANGUAGE sql STABLE AS $$
    SELECT
        CASE WHEN NOT EXISTS (SELECT FROM transfers WHERE event_key = 'refunded:' || p_subject) THEN last.credit END,
        (SELECT sum(minor)::bigint FROM transfers WHERE event_key = last.event_key AND credit = last.credit),
        last.created_at
    FROM transfers last
    WHERE last.event_key IN ('receipt:' || p_subject, 'frozen:' || p_subject, 'placed:' || p_subject)
        -- Of a card payment the fee is a leg of its own.
        AND last.credit ~ '^(wallet|suspense):'
    ORDER BY last.created_at DESC, last.leg LIMIT 1
$$;

-- `mpesa:QK…` of any of its events.
CREATE FUNCTION subject_of(p_event_key TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT substr(p_event_key, strpos(p_event_key, ':') + 1)
$$;

-- What lies in suspense: what came in or was frozen there, and has neither been placed nor gone back.
CREATE FUNCTION open_suspense()
RETURNS TABLE (subject TEXT, reason TEXT, intent_id TEXT, minor BIGINT, opened_at TIMESTAMPTZ) LANGUAGE sql STABLE AS $$
    SELECT subject_of(s.event_key), s.reason, s.intent_id, s.minor, s.opened_at FROM suspense_items s
    WHERE NOT EXISTS (
        SELECT FROM transfers t
        WHERE t.event_key IN ('placed:' || subject_of(s.event_key), 'refunded:' || subject_of(s.event_key))
            AND t.debit = 'suspense:' || s.reason
    )
$$;

-- Moves money that came in, under a key of its own. A wallet gives what it has, and its owner owes the rest.
CREATE FUNCTION move_money(p_event_key TEXT, p_from TEXT, p_to TEXT, p_minor BIGINT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_has BIGINT := p_minor;
    v_owes TEXT := replace(p_from, 'wallet:', 'receivable:');
BEGIN
    IF p_from LIKE 'wallet:%' THEN
        -- Two who take from one wallet must not both find the same money in it.
        PERFORM FROM wallets WHERE account_id = substr(p_from, 8) FOR NO KEY UPDATE;
        v_has := greatest(least(p_minor, balance_of(p_from)), 0);
    END IF;
    IF v_has < p_minor THEN
        INSERT INTO accounts (id, currency) SELECT v_owes, currency FROM deployment ON CONFLICT (id) DO NOTHING;
    END IF;
    INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
    SELECT p_event_key, row_number() OVER (ORDER BY place) - 1, debit, p_to, currency, minor, v_now, v_now
    FROM (VALUES (0, p_from, v_has), (1, v_owes, p_minor - v_has)) legs (place, debit, minor), deployment
    WHERE minor > 0;
END $$;

-- Gives money that is held to its owner: exactly its amount to a checkout, or any amount to a wallet. Whoever gets it
-- has a payment of it, with the receipt that the payer has. Answers the reason where it is refused.
CREATE FUNCTION place_suspense(
    p_subject TEXT,
    p_checkout_id TEXT,
    p_account_id TEXT,
    p_operator TEXT,
    p_note TEXT,
    p_new_intent_id TEXT
)
RETURNS TABLE (outcome TEXT, intent_id TEXT) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_provider TEXT := split_part(p_subject, ':', 1);
    v_receipt TEXT := split_part(p_subject, ':', 2);
    v_checkout checkouts;
    v_money RECORD;
    v_account_id TEXT;
    v_held intents;
    v_outcome TEXT;
BEGIN
    -- Locks in the one order: the checkout, then the receipt, then the intent.
    SELECT * INTO v_checkout FROM checkouts WHERE id = p_checkout_id FOR NO KEY UPDATE;
    PERFORM pg_advisory_xact_lock(hashtextextended('receipt:' || p_subject, 0));
    SELECT * INTO v_money FROM money_of(p_subject);
    v_account_id := coalesce(v_checkout.account_id, CASE WHEN p_checkout_id IS NULL THEN p_account_id END);
    v_outcome := CASE
        WHEN v_money.holder IS NULL OR v_money.holder NOT LIKE 'suspense:%' THEN 'not_in_suspense'
        WHEN EXISTS (
            SELECT FROM refunds r
            WHERE r.provider = v_provider AND r.receipt = v_receipt AND r.status NOT IN ('failed', 'withdrawn')
        ) THEN 'refund_underway'
        WHEN v_account_id IS NULL THEN 'checkout_not_found'
        WHEN NOT EXISTS (SELECT FROM wallets w WHERE w.account_id = v_account_id AND w.frozen_at IS NULL)
        THEN 'wallet_not_open'
        -- What was frozen of a checkout goes back to where it was, and that checkout is paid already.
        WHEN v_money.holder = 'suspense:unconfirmed' THEN 'still_unconfirmed'
        WHEN EXISTS (
            SELECT FROM intents paid WHERE paid.checkout_id = v_checkout.id AND paid.disposition = 'merchant'
        ) THEN 'checkout_paid'
        WHEN v_checkout.amount_minor <> v_money.minor THEN 'amount_differs'
        ELSE 'placed'
    END;
    IF v_outcome <> 'placed' THEN
        RETURN QUERY SELECT v_outcome, NULL;
        RETURN;
    END IF;

    PERFORM move_money('placed:' || p_subject, v_money.holder, 'wallet:' || v_account_id, v_money.minor);
    -- The attempt that brought it no longer has it.
    UPDATE intents i SET disposition = 'placed'
    WHERE i.receipt = v_receipt AND decide('provider', i.rail) = v_provider AND i.disposition LIKE 'suspense\_%'
    RETURNING i.* INTO v_held;
    INSERT INTO intents (
        id, checkout_id, account_id, handle, rail, phone, amount_minor, status, event, created_at, ended_at,
        settled_minor, receipt, settled_at, disposition
    ) VALUES (
        p_new_intent_id, v_checkout.id, CASE WHEN v_checkout.id IS NULL THEN v_account_id END,
        CASE WHEN v_checkout.id IS NULL THEN coalesce(v_held.handle, 'suspense') END,
        coalesce(v_held.rail, CASE v_provider WHEN 'mpesa' THEN 'paybill' ELSE v_provider END),
        coalesce(v_held.phone, 'unknown'), v_money.minor,
        decide('intent', 'none', 'matched'), 'matched', v_now, v_now, v_money.minor, v_receipt, v_now, 'merchant'
    );
    PERFORM note_action(p_operator, 'placed', p_subject, p_note);
    RETURN QUERY SELECT v_outcome, p_new_intent_id;
END $$;
