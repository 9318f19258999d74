-- What is due of intents in flight is claimed before the watches of ended ones, of which an outage leaves very many.
CREATE INDEX CONCURRENTLY intents_due_in_flight ON intents (next_action_at) WHERE ended_at IS NULL;
