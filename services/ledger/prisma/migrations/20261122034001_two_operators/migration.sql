-- What needs two operators: refunds, closings, placements and freezings. Ids of operators stand there and are compared; a
-- name of the time before keys stands as `legacy:NAME`, and what such a name asked for is withdrawn and asked again.

CREATE FUNCTION are_two_operators(p_one TEXT, p_other TEXT) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(p_one <> p_other AND starts_with(p_one, 'legacy:') = starts_with(p_other, 'legacy:'), false)
$$;

ALTER TABLE refunds DISABLE TRIGGER refunds_stay_as_asked;
ALTER TABLE refunds DISABLE TRIGGER refunds_stay_closed;
UPDATE refunds SET
    asked_by = 'legacy:' || asked_by, decided_by = 'legacy:' || decided_by,
    closing_asked_by = 'legacy:' || closing_asked_by, closed_by = 'legacy:' || closed_by;
ALTER TABLE refunds ENABLE TRIGGER refunds_stay_as_asked;
ALTER TABLE refunds ENABLE TRIGGER refunds_stay_closed;

ALTER TABLE refunds
    DROP CONSTRAINT refunds_need_two,
    ADD CONSTRAINT refunds_need_two CHECK (status IN ('asked', 'withdrawn') OR are_two_operators(asked_by, decided_by)),
    DROP CONSTRAINT refunds_closing_needs_two,
    ADD CONSTRAINT refunds_closing_needs_two CHECK (closed_by IS NULL OR are_two_operators(closing_asked_by, closed_by)),
    ADD CONSTRAINT refunds_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    ADD CONSTRAINT refunds_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    ADD CONSTRAINT refunds_closing_asked_by_fkey FOREIGN KEY (closing_asked_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    ADD CONSTRAINT refunds_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT;

-- As before; a refund that a name of the past asked for is withdrawn and asked again.
CREATE OR REPLACE FUNCTION decide_refund(p_refund_id TEXT, p_is_agreed BOOLEAN, p_operator TEXT, p_note TEXT)
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
    ELSIF p_is_agreed AND NOT are_two_operators(v_refund.asked_by, p_operator) THEN
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

-- As before; a closing that a name of the past asked for is withdrawn and asked again.
CREATE OR REPLACE FUNCTION decide_refund_closing(p_refund_id TEXT, p_is_agreed BOOLEAN, p_operator TEXT, p_note TEXT)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_refund refunds;
    v_next TEXT;
BEGIN
    SELECT * INTO v_refund FROM refunds WHERE id = p_refund_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN 'refund_not_found';
    ELSIF v_refund.closing IS NULL OR v_refund.closed_by IS NOT NULL THEN
        RETURN 'no_closing';
    ELSIF p_is_agreed AND NOT are_two_operators(v_refund.closing_asked_by, p_operator) THEN
        RETURN 'needs_another';
    ELSIF p_is_agreed AND v_refund.status <> 'submitted' THEN
        -- The provider has spoken meanwhile, and it knows.
        RETURN 'provider_decided';
    END IF;
    IF p_is_agreed THEN
        v_next := refund_after(v_refund.status, CASE v_refund.closing WHEN 'paid' THEN 'confirmed' ELSE 'declined' END);
        UPDATE refunds SET status = v_next, ended_at = clock_timestamp(), closed_by = p_operator
        WHERE id = p_refund_id RETURNING * INTO v_refund;
        IF v_next = 'paid' THEN
            PERFORM settle_refund(v_refund);
        END IF;
    ELSE
        UPDATE refunds SET closing = NULL, closing_asked_by = NULL WHERE id = p_refund_id;
        v_next := 'withdrawn';
    END IF;
    PERFORM note_action(
        p_operator, CASE WHEN p_is_agreed THEN 'closing_approved' ELSE 'closing_withdrawn' END,
        v_refund.provider || ':' || v_refund.receipt, p_note
    );
    RETURN v_next;
END $$;

-- Held money that one operator asks to give to its owner, and another agrees to.
CREATE TABLE placements (
    id TEXT NOT NULL,
    -- The receipt, as `mpesa:QK…`.
    subject TEXT NOT NULL,
    checkout_id TEXT,
    account_id TEXT,
    status TEXT NOT NULL,
    asked_by TEXT NOT NULL,
    asked_at TIMESTAMPTZ(6) NOT NULL,
    decided_by TEXT,
    decided_at TIMESTAMPTZ(6),

    CONSTRAINT placements_pkey PRIMARY KEY (id),
    CONSTRAINT placements_id_shape CHECK (id ~ '^pl_[0-9a-f]{24}$'),
    CONSTRAINT placements_one_owner CHECK (num_nonnulls(checkout_id, account_id) = 1),
    CONSTRAINT placements_status_known CHECK (status IN ('asked', 'placed', 'withdrawn')),
    CONSTRAINT placements_need_two CHECK (status <> 'placed' OR are_two_operators(asked_by, decided_by)),
    CONSTRAINT placements_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT placements_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE UNIQUE INDEX placements_one_asked ON placements (subject) WHERE status = 'asked';
CREATE INDEX placements_subject_idx ON placements (subject);
CREATE TRIGGER placements_never_go BEFORE DELETE OR TRUNCATE ON placements
    EXECUTE FUNCTION refuse_change('it is never removed');
CREATE TRIGGER placements_stay_as_asked BEFORE UPDATE OF id, subject, checkout_id, account_id, asked_by, asked_at
    ON placements EXECUTE FUNCTION refuse_change('it is what was agreed to');

-- Asks to give held money to its owner. Nothing moves until another operator agrees.
CREATE FUNCTION ask_placement(
    p_placement_id TEXT, p_subject TEXT, p_checkout_id TEXT, p_account_id TEXT, p_operator TEXT, p_note TEXT
)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_outcome TEXT;
BEGIN
    -- Placed for a moment and undone, with its locks: what would be refused when it is agreed to is refused when it is asked.
    BEGIN
        SELECT done.outcome INTO v_outcome FROM place_suspense(
            p_subject, p_checkout_id, p_account_id, p_operator, p_note, 'pi_' || substr(p_placement_id, 4)
        ) done;
        RAISE EXCEPTION 'undo' USING ERRCODE = 'MP001';
    EXCEPTION WHEN SQLSTATE 'MP001' THEN
        NULL;
    END;
    IF v_outcome <> 'placed' THEN
        RETURN v_outcome;
    END IF;
    INSERT INTO placements (id, subject, checkout_id, account_id, status, asked_by, asked_at)
    VALUES (p_placement_id, p_subject, p_checkout_id, p_account_id, 'asked', p_operator, clock_timestamp())
    ON CONFLICT (subject) WHERE status = 'asked' DO NOTHING;
    IF NOT FOUND THEN
        RETURN 'placement_underway';
    END IF;
    PERFORM note_action(p_operator, 'placement_asked', p_subject, p_note);
    RETURN 'asked';
END $$;

-- Agrees to a placement that another operator asked for, or withdraws it. What cannot be placed any more stays asked.
CREATE FUNCTION decide_placement(
    p_placement_id TEXT, p_is_agreed BOOLEAN, p_operator TEXT, p_note TEXT, p_new_intent_id TEXT
)
RETURNS TABLE (outcome TEXT, intent_id TEXT) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_placement placements;
    v_outcome TEXT := 'withdrawn';
    v_intent_id TEXT;
BEGIN
    SELECT * INTO v_placement FROM placements WHERE id = p_placement_id;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'placement_not_found', NULL;
        RETURN;
    END IF;
    -- Locks in the one order: the checkout, then the receipt, then what was asked about it.
    PERFORM FROM checkouts WHERE id = v_placement.checkout_id FOR NO KEY UPDATE;
    PERFORM pg_advisory_xact_lock(hashtextextended('receipt:' || v_placement.subject, 0));
    SELECT * INTO v_placement FROM placements WHERE id = p_placement_id FOR NO KEY UPDATE;
    IF v_placement.status <> 'asked' THEN
        RETURN QUERY SELECT 'placement_decided', NULL;
        RETURN;
    ELSIF p_is_agreed AND NOT are_two_operators(v_placement.asked_by, p_operator) THEN
        RETURN QUERY SELECT 'needs_another', NULL;
        RETURN;
    ELSIF p_is_agreed THEN
        SELECT done.outcome, done.intent_id INTO v_outcome, v_intent_id FROM place_suspense(
            v_placement.subject, v_placement.checkout_id, v_placement.account_id, p_operator, p_note, p_new_intent_id
        ) done;
    ELSE
        PERFORM note_action(p_operator, 'placement_withdrawn', v_placement.subject, p_note);
    END IF;
    UPDATE placements SET status = v_outcome, decided_by = p_operator, decided_at = clock_timestamp()
    WHERE id = p_placement_id AND v_outcome IN ('placed', 'withdrawn');
    RETURN QUERY SELECT v_outcome, v_intent_id;
END $$;

-- A wallet that one operator asks to freeze or to thaw, and another agrees to.
CREATE TABLE freezings (
    id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    is_frozen BOOLEAN NOT NULL,
    status TEXT NOT NULL,
    asked_by TEXT NOT NULL,
    asked_at TIMESTAMPTZ(6) NOT NULL,
    decided_by TEXT,
    decided_at TIMESTAMPTZ(6),

    CONSTRAINT freezings_pkey PRIMARY KEY (id),
    CONSTRAINT freezings_id_shape CHECK (id ~ '^fr_[0-9a-f]{24}$'),
    CONSTRAINT freezings_status_known CHECK (status IN ('asked', 'done', 'withdrawn')),
    CONSTRAINT freezings_need_two CHECK (status <> 'done' OR are_two_operators(asked_by, decided_by)),
    CONSTRAINT freezings_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallets (account_id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT freezings_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT freezings_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE UNIQUE INDEX freezings_one_asked ON freezings (account_id) WHERE status = 'asked';
CREATE TRIGGER freezings_never_go BEFORE DELETE OR TRUNCATE ON freezings
    EXECUTE FUNCTION refuse_change('it is never removed');
CREATE TRIGGER freezings_stay_as_asked BEFORE UPDATE OF id, account_id, is_frozen, asked_by, asked_at
    ON freezings EXECUTE FUNCTION refuse_change('it is what was agreed to');

CREATE FUNCTION ask_freezing(p_freezing_id TEXT, p_account_id TEXT, p_is_frozen BOOLEAN, p_operator TEXT, p_note TEXT)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_wallet wallets;
BEGIN
    SELECT * INTO v_wallet FROM wallets WHERE account_id = p_account_id;
    IF NOT FOUND THEN
        RETURN 'wallet_not_found';
    ELSIF (v_wallet.frozen_at IS NOT NULL) = p_is_frozen THEN
        RETURN 'nothing_to_do';
    END IF;
    INSERT INTO freezings (id, account_id, is_frozen, status, asked_by, asked_at)
    VALUES (p_freezing_id, p_account_id, p_is_frozen, 'asked', p_operator, clock_timestamp())
    ON CONFLICT (account_id) WHERE status = 'asked' DO NOTHING;
    IF NOT FOUND THEN
        RETURN 'freezing_underway';
    END IF;
    PERFORM note_action(p_operator, 'freezing_asked', p_account_id, p_note);
    RETURN 'asked';
END $$;

CREATE FUNCTION decide_freezing(p_freezing_id TEXT, p_is_agreed BOOLEAN, p_operator TEXT, p_note TEXT)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_freezing freezings;
    v_outcome TEXT;
BEGIN
    SELECT * INTO v_freezing FROM freezings WHERE id = p_freezing_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN 'freezing_not_found';
    ELSIF v_freezing.status <> 'asked' THEN
        RETURN 'freezing_decided';
    ELSIF p_is_agreed AND NOT are_two_operators(v_freezing.asked_by, p_operator) THEN
        RETURN 'needs_another';
    END IF;
    v_outcome := CASE WHEN NOT p_is_agreed THEN 'withdrawn' WHEN v_freezing.is_frozen THEN 'frozen' ELSE 'thawed' END;
    IF p_is_agreed THEN
        UPDATE wallets SET frozen_at = CASE WHEN v_freezing.is_frozen THEN clock_timestamp() END
        WHERE account_id = v_freezing.account_id;
    END IF;
    UPDATE freezings SET
        status = CASE WHEN p_is_agreed THEN 'done' ELSE 'withdrawn' END,
        decided_by = p_operator, decided_at = clock_timestamp()
    WHERE id = p_freezing_id;
    PERFORM note_action(
        p_operator, CASE WHEN p_is_agreed THEN v_outcome ELSE 'freezing_withdrawn' END, v_freezing.account_id, p_note
    );
    RETURN v_outcome;
END $$;
