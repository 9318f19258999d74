-- The console reads how providers did in the last minutes, and finds the end of a phone in a week. Attempts lie in the order of time.
CREATE INDEX CONCURRENTLY intents_created_at_idx ON intents USING brin (created_at) WITH (autosummarize = on);
