-- The receipts of an hour are looked for by this. Until a stretch of the table is summarized, each hour reads all of it.
ALTER INDEX transfers_event_at_idx SET (autosummarize = on);
SELECT brin_summarize_new_values('transfers_event_at_idx');
