-- Who may act by hand: operators, each with a key of their own. An id is the fingerprint of the key, so the subjects that
-- are compared cannot be spelled in two ways.

CREATE TABLE operators (
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    -- Ed25519. Absent for a name of the time before keys, which cannot act any more.
    public_key BYTEA,
    -- The two of the installation, who need no other to be enrolled. There is no third number.
    founder SMALLINT,
    asked_by TEXT,
    asked_at TIMESTAMPTZ(6) NOT NULL,
    enrolled_by TEXT,
    enrolled_at TIMESTAMPTZ(6),
    retirement_asked_by TEXT,
    retired_by TEXT,
    retired_at TIMESTAMPTZ(6),

    CONSTRAINT operators_pkey PRIMARY KEY (id),
    CONSTRAINT operators_id_is_of_the_key CHECK (
        CASE WHEN public_key IS NULL THEN id LIKE 'legacy:%' AND enrolled_at IS NULL
            ELSE octet_length(public_key) = 32 AND id = 'op_' || substr(encode(sha256(public_key), 'hex'), 1, 24) END
    ),
    CONSTRAINT operators_name_shape CHECK (public_key IS NULL OR name ~ '^[a-z0-9][a-z0-9.-]{0,30}[a-z0-9]$'),
    CONSTRAINT operators_founder_known CHECK (founder IN (1, 2)),
    CONSTRAINT operators_enrolled_by_two CHECK (
        enrolled_at IS NULL OR (founder IS NOT NULL AND asked_by IS NULL AND enrolled_by IS NULL)
        OR coalesce(founder IS NULL AND asked_by <> enrolled_by AND id NOT IN (asked_by, enrolled_by), false)
    ),
    CONSTRAINT operators_retired_by_two CHECK (
        retired_at IS NULL OR coalesce(enrolled_at IS NOT NULL AND retirement_asked_by <> retired_by, false)
    ),
    CONSTRAINT operators_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES operators (id) ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT operators_enrolled_by_fkey FOREIGN KEY (enrolled_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT operators_retirement_asked_by_fkey FOREIGN KEY (retirement_asked_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT operators_retired_by_fkey FOREIGN KEY (retired_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE UNIQUE INDEX operators_founder_key ON operators (founder);
-- A retired operator's name may be given again: ids are compared, and names are only read.
CREATE UNIQUE INDEX operators_name_key ON operators (name) WHERE public_key IS NOT NULL AND retired_at IS NULL;

-- Every act that was accepted, as it was signed: anyone with the public key can verify it again.
CREATE TABLE operator_acts (
    act BIGINT GENERATED ALWAYS AS IDENTITY,
    at TIMESTAMPTZ(6) NOT NULL,
    operator TEXT NOT NULL,
    method TEXT NOT NULL,
    request BYTEA NOT NULL,
    -- As it was signed: ISO 8601.
    signed_at TEXT NOT NULL,
    nonce TEXT NOT NULL,
    signature BYTEA NOT NULL,

    CONSTRAINT operator_acts_pkey PRIMARY KEY (act),
    CONSTRAINT operator_acts_lengths CHECK (
        char_length(nonce) BETWEEN 16 AND 64 AND octet_length(signature) = 64 AND char_length(method) <= 128
    )
);
CREATE UNIQUE INDEX operator_acts_nonce_key ON operator_acts (nonce);
CREATE TRIGGER operator_acts_never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_acts
    EXECUTE FUNCTION refuse_change('it is only ever added to');

-- Keeps an act whose signature was verified, once. `stale`: it was signed too long ago, or by a clock that is wrong.
CREATE FUNCTION accept_act(
    p_operator TEXT, p_method TEXT, p_request BYTEA, p_signed_at TEXT, p_nonce TEXT, p_signature BYTEA,
    p_life_seconds DOUBLE PRECISION
)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
BEGIN
    IF abs(extract(epoch FROM v_now - p_signed_at::timestamptz)) > p_life_seconds THEN
        RETURN 'stale';
    END IF;
    INSERT INTO operator_acts (at, operator, method, request, signed_at, nonce, signature)
    VALUES (v_now, p_operator, p_method, p_request, p_signed_at, p_nonce, p_signature)
    ON CONFLICT (nonce) DO NOTHING;
    RETURN CASE WHEN FOUND THEN 'accepted' ELSE 'repeated' END;
END $$;

-- The names that stand in refunds from the time before keys. They are read and never act.
INSERT INTO operators (id, name, asked_at)
SELECT 'legacy:' || name, name, clock_timestamp() FROM (
    SELECT asked_by FROM refunds UNION SELECT decided_by FROM refunds
    UNION SELECT closing_asked_by FROM refunds UNION SELECT closed_by FROM refunds
) known (name) WHERE name IS NOT NULL;

-- An operator is whoever they were enrolled as; and the past gets no new names.
CREATE FUNCTION keep_operators() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.public_key IS NULL THEN
            RAISE EXCEPTION 'an operator has a key' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'operators_have_keys';
        END IF;
        RETURN NEW;
    ELSIF OLD.enrolled_at IS NOT NULL OR OLD.public_key IS NULL THEN
        IF TG_OP = 'DELETE' OR (OLD.enrolled_by, OLD.enrolled_at) IS DISTINCT FROM (NEW.enrolled_by, NEW.enrolled_at)
            OR OLD.retired_at IS NOT NULL THEN
            RAISE EXCEPTION 'the operator % was enrolled', OLD.id
                USING ERRCODE = 'restrict_violation', CONSTRAINT = 'operators_stay_enrolled';
        END IF;
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER operators_stay_enrolled BEFORE INSERT OR UPDATE OR DELETE ON operators
    FOR EACH ROW EXECUTE FUNCTION keep_operators();
CREATE TRIGGER operators_never_change BEFORE UPDATE OF id, name, public_key, founder, asked_by, asked_at OR TRUNCATE
    ON operators EXECUTE FUNCTION refuse_change('it is what was enrolled');

-- What an operator is called, for people to read. What no operator did, but a name of the past or the ledger itself, stands
-- as it was kept; a name of the past says so.
CREATE FUNCTION operator_name(p_operator TEXT) RETURNS TEXT LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN p_operator ~ '^(op_[0-9a-f]{24}|handles|legacy:.*)$'
        THEN coalesce((SELECT name FROM operators WHERE id = p_operator AND public_key IS NOT NULL), p_operator)
        ELSE 'legacy:' || p_operator END
$$;

-- Who may act now.
CREATE FUNCTION is_operator(p_operator TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM operators WHERE id = p_operator AND enrolled_at IS NOT NULL AND retired_at IS NULL)
$$;

-- Enrollments and retirements wait for each other: two at once never make three founders, and never leave one operator.
CREATE FUNCTION lock_operators() RETURNS VOID LANGUAGE sql AS $$
    SELECT pg_advisory_xact_lock(hashtextextended('operators', 0))
$$;

ALTER TABLE operator_actions
    DROP CONSTRAINT operator_actions_did_known,
    ADD CONSTRAINT operator_actions_did_known CHECK (did IN (
        'placed', 'placement_asked', 'placement_withdrawn', 'refund_asked', 'refund_approved', 'refund_withdrawn',
        'closing_asked', 'closing_approved', 'closing_withdrawn',
        'freezing_asked', 'freezing_withdrawn', 'frozen', 'thawed',
        'enrolled', 'enrollment_asked', 'enrollment_withdrawn', 'retirement_asked', 'retirement_withdrawn', 'retired'
    ));

-- As before; only of an operator who is enrolled, or of the ledger itself when it gives money to the handle it is for.
CREATE OR REPLACE FUNCTION note_action(p_operator TEXT, p_did TEXT, p_subject TEXT, p_note TEXT)
RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    IF NOT (is_operator(p_operator) OR (p_operator = 'handles' AND p_did = 'placed')) THEN
        RAISE EXCEPTION 'no operator % is enrolled', p_operator
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'operator_actions_of_operators';
    END IF;
    INSERT INTO operator_actions (at, operator, did, subject, note)
    VALUES (clock_timestamp(), p_operator, p_did, p_subject, p_note);
END $$;

-- Enrols a key: at once where it is the first or second there ever was and signs for itself, and else for another operator to
-- agree to.
CREATE FUNCTION enroll_operator(p_id TEXT, p_name TEXT, p_public_key BYTEA, p_operator TEXT)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_known operators;
    v_founder SMALLINT;
BEGIN
    PERFORM lock_operators();
    SELECT * INTO v_known FROM operators WHERE id = p_id;
    IF FOUND THEN
        RETURN CASE WHEN v_known.retired_at IS NOT NULL THEN 'retired'
            WHEN v_known.name <> p_name THEN 'name_taken'
            WHEN v_known.enrolled_at IS NOT NULL THEN 'enrolled' ELSE 'asked' END;
    ELSIF EXISTS (SELECT FROM operators WHERE name = p_name AND public_key IS NOT NULL AND retired_at IS NULL) THEN
        RETURN 'name_taken';
    ELSIF p_operator <> p_id THEN
        INSERT INTO operators (id, name, public_key, asked_by, asked_at) VALUES (p_id, p_name, p_public_key, p_operator, v_now);
        PERFORM note_action(p_operator, 'enrollment_asked', p_id, p_name);
        RETURN 'asked';
    END IF;
    SELECT min(number) INTO v_founder FROM generate_series(1, 2) number
    WHERE NOT EXISTS (SELECT FROM operators WHERE founder = number);
    IF v_founder IS NULL THEN
        RETURN 'needs_enrolled';
    END IF;
    INSERT INTO operators (id, name, public_key, founder, asked_at, enrolled_at)
    VALUES (p_id, p_name, p_public_key, v_founder, v_now, v_now);
    PERFORM note_action(p_id, 'enrolled', p_id, p_name);
    RETURN 'enrolled';
END $$;

CREATE FUNCTION decide_enrollment(p_id TEXT, p_is_agreed BOOLEAN, p_operator TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_known operators;
BEGIN
    PERFORM lock_operators();
    SELECT * INTO v_known FROM operators WHERE id = p_id AND public_key IS NOT NULL;
    IF NOT FOUND THEN
        RETURN 'operator_not_found';
    ELSIF v_known.enrolled_at IS NOT NULL THEN
        RETURN CASE WHEN v_known.retired_at IS NULL THEN 'enrolled' ELSE 'retired' END;
    ELSIF p_is_agreed AND v_known.asked_by = p_operator THEN
        RETURN 'needs_another';
    ELSIF p_is_agreed THEN
        UPDATE operators SET enrolled_by = p_operator, enrolled_at = clock_timestamp() WHERE id = p_id;
        PERFORM note_action(p_operator, 'enrolled', p_id, v_known.name);
        RETURN 'enrolled';
    END IF;
    DELETE FROM operators WHERE id = p_id;
    PERFORM note_action(p_operator, 'enrollment_withdrawn', p_id, v_known.name);
    RETURN 'withdrawn';
END $$;

-- Whether two operators are left without this one: else nothing could be agreed to any more, an enrollment neither.
CREATE FUNCTION leaves_two_operators(p_id TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT count(*) >= 2 FROM operators WHERE id <> p_id AND enrolled_at IS NOT NULL AND retired_at IS NULL
$$;

CREATE FUNCTION ask_retirement(p_id TEXT, p_operator TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_known operators;
BEGIN
    PERFORM lock_operators();
    SELECT * INTO v_known FROM operators WHERE id = p_id AND enrolled_at IS NOT NULL;
    IF NOT FOUND THEN
        RETURN 'operator_not_found';
    ELSIF v_known.retired_at IS NOT NULL THEN
        RETURN 'retired';
    ELSIF v_known.retirement_asked_by IS NOT NULL THEN
        RETURN 'asked';
    ELSIF NOT leaves_two_operators(p_id) THEN
        RETURN 'too_few_left';
    END IF;
    UPDATE operators SET retirement_asked_by = p_operator WHERE id = p_id;
    PERFORM note_action(p_operator, 'retirement_asked', p_id, v_known.name);
    RETURN 'asked';
END $$;

CREATE FUNCTION decide_retirement(p_id TEXT, p_is_agreed BOOLEAN, p_operator TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_known operators;
BEGIN
    PERFORM lock_operators();
    SELECT * INTO v_known FROM operators WHERE id = p_id AND enrolled_at IS NOT NULL;
    IF NOT FOUND THEN
        RETURN 'operator_not_found';
    ELSIF v_known.retired_at IS NOT NULL THEN
        RETURN 'retired';
    ELSIF v_known.retirement_asked_by IS NULL THEN
        RETURN 'not_asked';
    ELSIF p_is_agreed AND v_known.retirement_asked_by = p_operator THEN
        RETURN 'needs_another';
    ELSIF p_is_agreed AND NOT leaves_two_operators(p_id) THEN
        RETURN 'too_few_left';
    END IF;
    -- Kept first: whoever agrees to their own retirement is an operator until now.
    PERFORM note_action(
        p_operator, CASE WHEN p_is_agreed THEN 'retired' ELSE 'retirement_withdrawn' END, p_id, v_known.name
    );
    UPDATE operators SET
        retirement_asked_by = CASE WHEN p_is_agreed THEN retirement_asked_by END,
        retired_by = CASE WHEN p_is_agreed THEN p_operator END,
        retired_at = CASE WHEN p_is_agreed THEN clock_timestamp() END
    WHERE id = p_id;
    RETURN CASE WHEN p_is_agreed THEN 'retired' ELSE 'withdrawn' END;
END $$;
