-- The reconciliation of a rail without a statement looks for our own answers about each payment, which have no digest.
CREATE INDEX CONCURRENTLY provider_messages_intent_id_idx ON provider_messages (intent_id) WHERE digest IS NULL AND intent_id IS NOT NULL;
