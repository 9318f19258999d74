-- Money from the Pay Bill menu is posted at once, also while nobody can say whose handle the account number is. It lies
-- in suspense then, and whoever is asked here is asked again until there is an answer. A list of work: a row goes when
-- it is done.
CREATE TABLE wanted_payees (
    message_id TEXT NOT NULL,
    receipt TEXT NOT NULL,
    next_action_at TIMESTAMPTZ(6) NOT NULL,
    claims INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT wanted_payees_pkey PRIMARY KEY (message_id),
    CONSTRAINT wanted_payees_message_id_fkey FOREIGN KEY (message_id) REFERENCES provider_messages (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX wanted_payees_next_action_at_idx ON wanted_payees (next_action_at);

-- The same as before, with the handle by which its owner is paid, where it is known.
DROP FUNCTION place_suspense(TEXT, TEXT, TEXT, TEXT, TEXT, TEXT);
-- Gives money that is held to its owner: exactly its amount to a checkout, or any amount to a wallet. Whoever gets it
-- has a payment of it, with the receipt that the payer has. Answers the reason where it is refused.
CREATE FUNCTION place_suspense(
    p_subject TEXT,
    p_checkout_id TEXT,
    p_account_id TEXT,
    p_operator TEXT,
    p_note TEXT,
    p_new_intent_id TEXT,
    p_handle TEXT DEFAULT NULL
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
        CASE WHEN v_checkout.id IS NULL THEN coalesce(v_held.handle, p_handle, 'suspense') END,
        coalesce(v_held.rail, CASE v_provider WHEN 'mpesa' THEN 'paybill' ELSE v_provider END),
        coalesce(v_held.phone, 'unknown'), v_money.minor,
        decide('intent', 'none', 'matched'), 'matched', v_now, v_now, v_money.minor, v_receipt, v_now, 'merchant'
    );
    PERFORM note_action(p_operator, 'placed', p_subject, p_note);
    RETURN QUERY SELECT v_outcome, p_new_intent_id;
END $$;

-- Leases the messages whose payee is wanted, ever more seldom, and for as long as it takes.
CREATE FUNCTION claim_wanted_payees(p_limit INTEGER, p_lease_seconds DOUBLE PRECISION)
RETURNS TABLE (id TEXT) LANGUAGE sql AS $$
    WITH due AS (
        SELECT w.message_id FROM wanted_payees w WHERE w.next_action_at <= clock_timestamp()
        ORDER BY w.next_action_at LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE wanted_payees w SET
        claims = w.claims + 1,
        next_action_at = clock_timestamp() + make_interval(secs => p_lease_seconds * 2 ^ least(w.claims, 8))
    FROM due WHERE w.message_id = due.message_id
    RETURNING w.message_id
$$;

-- Gives money that was posted before anybody could say whose it is to whom its handle pays, once. What no wallet may
-- take, and what is nobody's, stays in suspense for a person.
CREATE FUNCTION place_wanted_payee(
    p_message_id TEXT,
    p_payee_account_id TEXT,
    p_payee_handle TEXT,
    p_is_within_limits BOOLEAN,
    p_new_intent_id TEXT
)
RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    v_receipt TEXT;
BEGIN
    DELETE FROM wanted_payees WHERE message_id = p_message_id RETURNING receipt INTO v_receipt;
    IF FOUND AND p_payee_account_id IS NOT NULL AND p_is_within_limits THEN
        PERFORM place_suspense(
            decide('provider', 'paybill') || ':' || v_receipt, NULL, p_payee_account_id,
            'handles', 'the handle ' || p_payee_handle, p_new_intent_id, p_payee_handle
        );
    END IF;
END $$;
