-- An id that a callback names is looked for among those that our own calls were answered. Not unique: rows of before may be
-- alike, and an earlier release writes what it was answered.
CREATE INDEX CONCURRENTLY intents_provider_request_id_idx ON intents (provider_request_id) WHERE provider_request_id IS NOT NULL;
