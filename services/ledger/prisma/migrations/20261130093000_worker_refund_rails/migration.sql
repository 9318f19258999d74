-- The rails by which a worker sends refunds, as it has named them, such as 'card,mpesa', and when that was last.
CREATE TABLE worker_refund_rails (
    rails TEXT NOT NULL,
    named_at TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT worker_refund_rails_pkey PRIMARY KEY (rails)
);
