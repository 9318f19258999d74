-- What a callback in order calls a prompt whose own answer was lost. A column of its own, so that our own call's answer is never
-- refused, and no row that is here already stands in the way of its unique index.
ALTER TABLE intents ADD COLUMN callback_request_id TEXT;
-- What a report of payment calls its prompt. Absent where it names none, and of what was reported before this was kept.
ALTER TABLE payment_reports ADD COLUMN request_id TEXT;
