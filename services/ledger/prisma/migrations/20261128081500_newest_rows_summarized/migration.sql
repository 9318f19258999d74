-- Each half a minute the audit and the seals look for the newest rows by these. Until a stretch of a table is summarized, all of it is
-- read.
ALTER INDEX transfers_created_at_idx SET (autosummarize = on);
ALTER INDEX checkouts_created_at_idx SET (autosummarize = on);
ALTER INDEX idempotency_keys_created_at_idx SET (autosummarize = on);
ALTER INDEX pay_bill_numbers_given_at_idx SET (autosummarize = on);
SELECT brin_summarize_new_values('transfers_created_at_idx');
SELECT brin_summarize_new_values('checkouts_created_at_idx');
SELECT brin_summarize_new_values('idempotency_keys_created_at_idx');
SELECT brin_summarize_new_values('pay_bill_numbers_given_at_idx');
