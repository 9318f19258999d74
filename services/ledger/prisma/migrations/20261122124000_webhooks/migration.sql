-- Where events of an account are sent. The address and the secrets are the auth service's.
CREATE TABLE webhook_endpoints (
    id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    added_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    off_at TIMESTAMPTZ(6),
    off_because TEXT,
    -- Since when no attempt has succeeded; null after a success.
    failing_since TIMESTAMPTZ(6),

    CONSTRAINT webhook_endpoints_id_shape CHECK (id ~ '^we_[0-9a-f]{24}$'),
    CONSTRAINT webhook_endpoints_off_known CHECK (off_because IN ('removed', 'gone', 'failing')),
    CONSTRAINT webhook_endpoints_off_whole CHECK (num_nulls(off_at, off_because) IN (0, 2)),
    CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id)
);
CREATE INDEX webhook_endpoints_account_id_idx ON webhook_endpoints (account_id);

-- The outbox: what became true of a checkout, written in the transaction that made it true.
CREATE TABLE webhook_events (
    id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    type TEXT NOT NULL,
    -- The checkout, or the endpoint that is tested.
    subject_id TEXT NOT NULL,
    created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT webhook_events_id_shape CHECK (id ~ '^evt_[0-9a-f]{24}$'),
    CONSTRAINT webhook_events_type_known CHECK (
        type IN ('checkout.completed', 'checkout.expired', 'payment.failed', 'payment.reversed', 'webhook.test')
    ),
    CONSTRAINT webhook_events_pkey PRIMARY KEY (id)
);
CREATE INDEX webhook_events_created_at_idx ON webhook_events (created_at);

-- One event on its way to one endpoint.
CREATE TABLE webhook_deliveries (
    id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    status TEXT NOT NULL DEFAULT 'pending',
    -- Attempts whose end was recorded, since it was created or resent.
    attempts INTEGER NOT NULL DEFAULT 0,
    -- Attempts that were begun since the last whose end was recorded.
    unrecorded INTEGER NOT NULL DEFAULT 0,
    next_action_at TIMESTAMPTZ(6),
    -- A worker has it until then; null when none has.
    leased_until TIMESTAMPTZ(6),
    attempted_at TIMESTAMPTZ(6),
    answer_status INTEGER,
    failure TEXT,
    duration_ms INTEGER,

    CONSTRAINT webhook_deliveries_id_shape CHECK (id ~ '^wd_[0-9a-f]{24}$'),
    CONSTRAINT webhook_deliveries_status_known CHECK (status IN ('pending', 'delivered', 'given_up')),
    CONSTRAINT webhook_deliveries_due_while_pending CHECK ((status = 'pending') = (next_action_at IS NOT NULL)),
    CONSTRAINT webhook_deliveries_leased_while_pending CHECK (leased_until IS NULL OR status = 'pending'),
    CONSTRAINT webhook_deliveries_attempt_whole CHECK (
        num_nonnulls(answer_status, failure) = num_nonnulls(attempted_at)
        AND num_nulls(attempted_at, duration_ms) IN (0, 2)
    ),
    CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
    CONSTRAINT webhook_deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES webhook_events (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT webhook_deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE UNIQUE INDEX webhook_deliveries_event_id_endpoint_id_key ON webhook_deliveries (event_id, endpoint_id);
-- The endpoint comes first: deliveries are claimed endpoint by endpoint, however long the queue of one is.
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_action_at) WHERE next_action_at IS NOT NULL;
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (endpoint_id) WHERE leased_until IS NOT NULL;
CREATE INDEX webhook_deliveries_endpoint_id_created_at_idx ON webhook_deliveries (endpoint_id, created_at DESC);

-- Expiry of a checkout is computed when it is read. A checkout of an account with webhooks is looked at when its time is up.
CREATE TABLE checkout_expiries (
    checkout_id TEXT NOT NULL,
    look_at TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT checkout_expiries_pkey PRIMARY KEY (checkout_id),
    CONSTRAINT checkout_expiries_checkout_id_fkey FOREIGN KEY (checkout_id) REFERENCES checkouts (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX checkout_expiries_look_at_idx ON checkout_expiries (look_at);
