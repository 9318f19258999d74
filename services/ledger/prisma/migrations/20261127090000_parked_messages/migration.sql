-- The operators' queue lists the parked messages of 30 days: by time alone it read all messages of them.
CREATE INDEX CONCURRENTLY provider_messages_received_at_idx ON provider_messages (received_at) WHERE result = 'parked';
