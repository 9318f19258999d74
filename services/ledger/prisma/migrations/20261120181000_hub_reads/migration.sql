-- What the account hub reads: an account's checkouts in their order, by reference and by receipt, and its wallet.
CREATE INDEX checkouts_account_id_created_at_id_idx ON checkouts (account_id, created_at DESC, id DESC);
-- The id is in it, so that the beginning of a reference is looked for without a look at the checkouts themselves.
CREATE INDEX checkouts_account_id_reference_id_idx ON checkouts (account_id, reference, id) WHERE reference IS NOT NULL;
CREATE INDEX intents_receipt_idx ON intents (receipt) WHERE receipt IS NOT NULL;

-- The amount is in them, so that a balance is summed without a look at the journal itself.
CREATE INDEX transfers_into_wallets ON transfers (credit, created_at DESC, minor) WHERE credit LIKE 'wallet:%';
CREATE INDEX transfers_out_of_wallets ON transfers (debit, created_at DESC, minor) WHERE debit LIKE 'wallet:%';
