-- What a report of payment is worth, and when its payer paid: a report in order has the receipt of what a query calls paid.
ALTER TABLE payment_reports
    ADD COLUMN strength TEXT NOT NULL DEFAULT 'E2',
    ADD COLUMN paid_at TIMESTAMPTZ(6);
