-- Secrets that were replaced before the previous one, newest first; they sign for as long as that one does.
ALTER TABLE webhook_endpoints ADD COLUMN earlier_secrets BYTEA[] NOT NULL DEFAULT '{}';
