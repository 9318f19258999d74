-- What the auditor needs: to find what is new without reading what is old, to sum an account, and to notice when what
-- was written is no longer what is there.

-- History is written in the order of its time, so a summary of each stretch of disk finds what is new, and costs the
-- payment nothing.
CREATE INDEX transfers_created_at_idx ON transfers USING brin (created_at);
CREATE INDEX intent_steps_at_idx ON intent_steps USING brin (at);
CREATE INDEX checkouts_created_at_idx ON checkouts USING brin (created_at);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys USING brin (created_at);
CREATE INDEX provider_messages_received_at_applied_at_idx ON provider_messages USING brin (received_at, applied_at);
CREATE INDEX pay_bill_numbers_given_at_idx ON pay_bill_numbers USING brin (given_at);

-- What lies in suspense, and whatever else is neither a wallet nor a float.
CREATE INDEX transfers_into_others ON transfers (credit, minor) WHERE credit !~ '^(float|wallet):';
CREATE INDEX transfers_out_of_others ON transfers (debit, minor) WHERE debit !~ '^(float|wallet):';

-- What an account holds, but for a float: a sum of what the indexes have, and no row that could say otherwise.
CREATE FUNCTION balance_of(p_account TEXT) RETURNS NUMERIC LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(minor), 0) FROM (
        SELECT minor FROM transfers WHERE credit = p_account AND credit LIKE 'wallet:%'
        UNION ALL
        SELECT -minor FROM transfers WHERE debit = p_account AND debit LIKE 'wallet:%'
        UNION ALL
        SELECT minor FROM transfers WHERE credit = p_account AND credit !~ '^(float|wallet):'
        UNION ALL
        SELECT -minor FROM transfers WHERE debit = p_account AND debit !~ '^(float|wallet):'
    ) moved (minor)
$$;

-- The journal in sealed stretches: each seal has the digest of the transfers of its time and of the seal before, so that
-- one byte that changes, comes or goes in what was sealed breaks the chain. A chain of single transfers would make every
-- payment wait for the one before.
CREATE TABLE journal_seals (
    seal BIGINT NOT NULL,
    -- The stretch: after the one, up to and with the other.
    after_at TIMESTAMPTZ(6) NOT NULL,
    until_at TIMESTAMPTZ(6) NOT NULL,
    digest BYTEA NOT NULL,
    sealed_at TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT journal_seals_pkey PRIMARY KEY (seal),
    CONSTRAINT journal_seals_go_forward CHECK (until_at > after_at),
    CONSTRAINT journal_seals_digest_length CHECK (octet_length(digest) = 32)
);
CREATE TRIGGER journal_seals_never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON journal_seals
    EXECUTE FUNCTION refuse_change('it is only ever added to');

CREATE FUNCTION seal_digest(p_previous BYTEA, p_after_at TIMESTAMPTZ, p_until_at TIMESTAMPTZ)
RETURNS BYTEA LANGUAGE sql STABLE AS $$
    SELECT sha256(p_previous || convert_to(coalesce(string_agg(
        format(
            '%s %s %s %s %s %s %s %s', event_key, leg, debit, credit, currency, minor,
            extract(epoch FROM event_at), extract(epoch FROM created_at)
        ), E'\n' ORDER BY event_key COLLATE "C", leg
    ), ''), 'UTF8'))
    FROM transfers WHERE created_at > p_after_at AND created_at <= p_until_at
$$;

-- Seals what has come to rest, at most so many seconds of it in one stretch, and answers whether there is more. What is
-- younger than `p_rest_seconds` may still belong to a transaction that runs.
CREATE FUNCTION seal_journal(p_rest_seconds DOUBLE PRECISION, p_stretch_seconds DOUBLE PRECISION)
RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
    v_rest_at TIMESTAMPTZ := clock_timestamp() - make_interval(secs => p_rest_seconds);
    v_last journal_seals;
    v_first_at TIMESTAMPTZ;
    v_until_at TIMESTAMPTZ;
BEGIN
    -- Another replica does it.
    IF NOT pg_try_advisory_xact_lock(hashtextextended('journal_seals', 0)) THEN
        RETURN false;
    END IF;
    SELECT * INTO v_last FROM journal_seals ORDER BY seal DESC LIMIT 1;
    SELECT min(created_at) INTO v_first_at FROM transfers
    WHERE created_at > coalesce(v_last.until_at, '-infinity') AND created_at <= v_rest_at;
    IF v_first_at IS NULL THEN
        RETURN false;
    END IF;
    v_until_at := least(v_rest_at, v_first_at + make_interval(secs => p_stretch_seconds));
    INSERT INTO journal_seals (seal, after_at, until_at, digest, sealed_at)
    SELECT coalesce(v_last.seal, 0) + 1, after_at, v_until_at,
        seal_digest(coalesce(v_last.digest, ''), after_at, v_until_at), clock_timestamp()
    FROM (SELECT coalesce(v_last.until_at, v_first_at - interval '1 second')) stretch (after_at);
    RETURN v_until_at < v_rest_at;
END $$;

-- How many seconds ago; 0 for what is yet to come and for nothing at all.
CREATE FUNCTION age_seconds(p_at TIMESTAMPTZ) RETURNS DOUBLE PRECISION LANGUAGE sql VOLATILE AS $$
    SELECT coalesce(greatest(extract(epoch FROM clock_timestamp() - p_at), 0), 0)::float8
$$;
