-- A reading is kept for each three minutes of years, and all who look want those that end after a time.
CREATE INDEX CONCURRENTLY statement_reads_provider_until_at_idx ON statement_reads (provider, until_at);
