-- Money that goes back to its payer. One person asks for it and another agrees; the decision to send it is committed
-- before it is sent and handed out once; and what the provider says about it comes through the inbox like all else.

-- The table of src/domain/refund.ts, as `rules()` is those of the payment.
CREATE FUNCTION refund_rules() RETURNS JSONB LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT '{
    "refund: asked agreed": "approved",
    "refund: asked withdrawn": "withdrawn",
    "refund: asked sent": "conflict",
    "refund: asked confirmed": "paid",
    "refund: asked declined": "conflict",
    "refund: approved agreed": "approved",
    "refund: approved withdrawn": "withdrawn",
    "refund: approved sent": "submitted",
    "refund: approved confirmed": "conflict",
    "refund: approved declined": "conflict",
    "refund: submitted agreed": "conflict",
    "refund: submitted withdrawn": "conflict",
    "refund: submitted sent": "submitted",
    "refund: submitted confirmed": "paid",
    "refund: submitted declined": "failed",
    "refund: paid agreed": "conflict",
    "refund: paid withdrawn": "conflict",
    "refund: paid sent": "conflict",
    "refund: paid confirmed": "paid",
    "refund: paid declined": "conflict",
    "refund: failed agreed": "conflict",
    "refund: failed withdrawn": "conflict",
    "refund: failed sent": "conflict",
    "refund: failed confirmed": "paid",
    "refund: failed declined": "failed",
    "refund: withdrawn agreed": "conflict",
    "refund: withdrawn withdrawn": "withdrawn",
    "refund: withdrawn sent": "conflict",
    "refund: withdrawn confirmed": "conflict",
    "refund: withdrawn declined": "conflict"
}'::jsonb
$$;

CREATE TABLE refunds (
    id TEXT NOT NULL,
    provider TEXT NOT NULL,
    receipt TEXT NOT NULL,
    minor BIGINT NOT NULL,
    -- `us`: we ask the provider for it. `provider`: it has been done there, and is to be written down.
    sent_by TEXT NOT NULL,
    status TEXT NOT NULL,
    asked_by TEXT NOT NULL,
    asked_at TIMESTAMPTZ(6) NOT NULL,
    decided_by TEXT,
    decided_at TIMESTAMPTZ(6),
    -- Of the address where the provider tells how it ended.
    callback_secret TEXT NOT NULL,
    submitted_at TIMESTAMPTZ(6),
    provider_request_id TEXT,
    provider_code TEXT,
    ended_at TIMESTAMPTZ(6),
    -- When the sweep may next hand it out: to be sent, or asked about.
    next_action_at TIMESTAMPTZ(6),

    CONSTRAINT refunds_pkey PRIMARY KEY (id),
    CONSTRAINT refunds_id_shape CHECK (id ~ '^rf_[0-9a-f]{24}$'),
    CONSTRAINT refunds_minor_is_positive CHECK (minor > 0),
    CONSTRAINT refunds_sent_by_known CHECK (sent_by IN ('us', 'provider')),
    CONSTRAINT refunds_need_two CHECK (status IN ('asked', 'withdrawn') OR (decided_by IS NOT NULL AND decided_by <> asked_by))
);
-- A receipt goes back once.
CREATE UNIQUE INDEX refunds_one_underway ON refunds (provider, receipt) WHERE status NOT IN ('failed', 'withdrawn');
CREATE INDEX refunds_due ON refunds (next_action_at) WHERE next_action_at IS NOT NULL;
CREATE INDEX refunds_provider_receipt_idx ON refunds (provider, receipt);
CREATE TRIGGER refunds_never_go BEFORE DELETE OR TRUNCATE ON refunds
    EXECUTE FUNCTION refuse_change('it is never removed');
CREATE TRIGGER refunds_stay_as_asked
    BEFORE UPDATE OF id, provider, receipt, minor, sent_by, asked_by, asked_at, callback_secret
    ON refunds EXECUTE FUNCTION refuse_change('it is what was agreed to');

-- What an event makes of a refund; what the table does not say stops the transaction.
CREATE FUNCTION refund_after(p_status TEXT, p_event TEXT) RETURNS TEXT LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_next TEXT := refund_rules() ->> ('refund: ' || p_status || ' ' || p_event);
BEGIN
    IF v_next IS NULL THEN
        RAISE EXCEPTION 'no rule says what follows from a refund "% %"', p_status, p_event USING ERRCODE = 'data_exception';
    END IF;
    RETURN v_next;
END $$;

CREATE FUNCTION keep_refunds_sound() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status <> NEW.status AND NOT EXISTS (
        SELECT FROM jsonb_each_text(refund_rules())
        WHERE key LIKE 'refund: ' || OLD.status || ' %' AND value = NEW.status
    ) THEN
        RAISE EXCEPTION 'a refund that is % does not become %', OLD.status, NEW.status
            USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_move_by_the_rule';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER refunds_move_by_the_rule BEFORE UPDATE OF status ON refunds
    FOR EACH ROW EXECUTE FUNCTION keep_refunds_sound();

-- Asks for a refund of all that came with a receipt, for another person to agree to.
CREATE FUNCTION ask_refund(
    p_refund_id TEXT, p_subject TEXT, p_sent_by TEXT, p_operator TEXT, p_note TEXT, p_callback_secret TEXT
)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_money RECORD;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('receipt:' || p_subject, 0));
    SELECT * INTO v_money FROM money_of(p_subject);
    IF v_money.holder IS NULL THEN
        RETURN 'nothing_to_refund';
    END IF;
    INSERT INTO refunds (id, provider, receipt, minor, sent_by, status, asked_by, asked_at, callback_secret)
    VALUES (
        p_refund_id, split_part(p_subject, ':', 1), split_part(p_subject, ':', 2), v_money.minor, p_sent_by, 'asked',
        p_operator, clock_timestamp(), p_callback_secret
    ) ON CONFLICT (provider, receipt) WHERE status NOT IN ('failed', 'withdrawn') DO NOTHING;
    IF NOT FOUND THEN
        RETURN 'refund_underway';
    END IF;
    PERFORM note_action(p_operator, 'refund_asked', p_subject, p_note);
    RETURN 'asked';
END $$;

-- Posts that the money of a receipt went back, once, and reverses the payment that had it (T18).
CREATE FUNCTION settle_refund(p_refund refunds) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    v_subject TEXT := p_refund.provider || ':' || p_refund.receipt;
    v_money RECORD;
BEGIN
    -- Locks in the one order: the checkout, then the receipt, then the intent.
    PERFORM FROM checkouts c WHERE c.id IN (
        SELECT i.checkout_id FROM intents i WHERE i.receipt = p_refund.receipt AND decide('provider', i.rail) = p_refund.provider
    ) ORDER BY c.id FOR NO KEY UPDATE;
    PERFORM pg_advisory_xact_lock(hashtextextended('receipt:' || v_subject, 0));
    SELECT * INTO v_money FROM money_of(v_subject);
    PERFORM move_money('refunded:' || v_subject, v_money.holder, 'float:' || p_refund.provider, p_refund.minor);
    UPDATE intents i SET
        status = decide('intent', status, 'reversed'), event = 'reversed',
        disposition = CASE disposition WHEN 'merchant' THEN 'merchant' ELSE 'refunded' END
    WHERE i.receipt = p_refund.receipt AND decide('provider', i.rail) = p_refund.provider
        AND i.status = 'completed' AND i.disposition <> 'placed';
END $$;

-- Agrees to a refund, or withdraws it. Whoever asked may only withdraw.
CREATE FUNCTION decide_refund(p_refund_id TEXT, p_is_agreed BOOLEAN, p_operator TEXT, p_note TEXT)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_refund refunds;
    v_next TEXT;
BEGIN
    SELECT * INTO v_refund FROM refunds WHERE id = p_refund_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN 'refund_not_found';
    END IF;
    v_next := refund_after(v_refund.status, CASE WHEN p_is_agreed THEN 'agreed' ELSE 'withdrawn' END);
    IF v_next = 'conflict' OR v_next = v_refund.status THEN
        RETURN 'refund_decided';
    ELSIF p_is_agreed AND v_refund.asked_by = p_operator THEN
        RETURN 'needs_another';
    END IF;
    IF p_is_agreed AND v_refund.sent_by = 'provider' THEN
        v_next := refund_after(v_refund.status, 'confirmed');
    END IF;
    UPDATE refunds SET
        status = v_next, decided_by = p_operator, decided_at = v_now,
        ended_at = CASE WHEN v_next IN ('paid', 'withdrawn') THEN v_now END,
        next_action_at = CASE WHEN v_next = 'approved' THEN v_now END
    WHERE id = p_refund_id RETURNING * INTO v_refund;
    IF v_next = 'paid' THEN
        PERFORM settle_refund(v_refund);
    END IF;
    PERFORM note_action(
        p_operator, CASE WHEN p_is_agreed THEN 'refund_approved' ELSE 'refund_withdrawn' END,
        v_refund.provider || ':' || v_refund.receipt, p_note
    );
    RETURN v_next;
END $$;

-- Commits the decision to send a refund and hands out what to send, to one caller only.
CREATE FUNCTION begin_refund(p_refund_id TEXT, p_query_after_seconds DOUBLE PRECISION)
RETURNS SETOF refunds LANGUAGE sql AS $$
    UPDATE refunds SET
        status = refund_after(status, 'sent'), submitted_at = clock_timestamp(),
        next_action_at = clock_timestamp() + make_interval(secs => p_query_after_seconds)
    WHERE id = p_refund_id AND status = 'approved'
    RETURNING *
$$;

-- Hands out what to ask about a refund that was sent, and nothing when it is not time to ask.
CREATE FUNCTION begin_refund_query(p_refund_id TEXT, p_query_every_seconds DOUBLE PRECISION)
RETURNS SETOF refunds LANGUAGE sql AS $$
    UPDATE refunds SET next_action_at = next_query_at(submitted_at, false, false, p_query_every_seconds)
    WHERE id = p_refund_id AND status IN ('submitted', 'failed') AND next_action_at <= clock_timestamp() + interval '10 seconds'
    RETURNING *
$$;

-- Records how the call to the provider ended. What may have reached it is asked about, and not sent again.
CREATE FUNCTION record_refund(p_refund_id TEXT, p_outcome TEXT, p_provider_request_id TEXT, p_provider_code TEXT)
RETURNS TEXT LANGUAGE sql AS $$
    UPDATE refunds SET
        provider_request_id = coalesce(provider_request_id, p_provider_request_id),
        provider_code = coalesce(p_provider_code, provider_code),
        status = CASE
            WHEN status = 'submitted' AND p_outcome IN ('refused', 'not_sent') THEN refund_after(status, 'declined')
            ELSE status
        END,
        ended_at = CASE
            WHEN status = 'submitted' AND p_outcome IN ('refused', 'not_sent') THEN clock_timestamp() ELSE ended_at
        END,
        next_action_at = CASE WHEN p_outcome IN ('refused', 'not_sent') THEN NULL ELSE next_action_at END
    WHERE id = p_refund_id
    RETURNING status
$$;
