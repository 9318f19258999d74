-- Callbacks give the id of a prompt to one intent of its rail.
CREATE UNIQUE INDEX CONCURRENTLY intents_callback_request_id_rail_key ON intents (callback_request_id, rail)
    WHERE callback_request_id IS NOT NULL;
