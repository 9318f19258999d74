-- The console lists the events of one payment.
CREATE INDEX CONCURRENTLY webhook_events_subject_id_idx ON webhook_events (subject_id);
