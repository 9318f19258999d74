-- A payment to a till is found by its payer's number.
CREATE INDEX checkouts_phone_created_at_idx ON checkouts (phone, created_at) WHERE phone IS NOT NULL;
