-- Money that is open is found among all that was ever held.
CREATE INDEX CONCURRENTLY suspense_items_open ON suspense_items (opened_at) WHERE NOT is_closed;
