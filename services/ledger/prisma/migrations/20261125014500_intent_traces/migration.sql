-- The trace that a payment began in, where it is kept: what comes later, such as its callback, continues it.
ALTER TABLE intents ADD COLUMN traceparent VARCHAR(55);
