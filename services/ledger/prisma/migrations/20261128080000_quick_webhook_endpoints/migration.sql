-- Whether an endpoint took its last event quickly. Those that there are count as quick until they show otherwise; a new one
-- does not, until it has.
ALTER TABLE webhook_endpoints ADD COLUMN is_quick BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE webhook_endpoints ALTER COLUMN is_quick SET DEFAULT false;
