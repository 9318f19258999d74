-- The receipt that a report names is in the journal for another payment, or for none: the report waits for its intent instead.
-- What was reported so before this has '' for its receipt.
ALTER TABLE payment_reports ADD COLUMN is_elsewhere BOOLEAN NOT NULL DEFAULT false;
