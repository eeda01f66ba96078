-- no transaction
-- Finds keys that expire soon.
CREATE INDEX CONCURRENTLY IF NOT EXISTS keys_expires ON keys (expires_at) WHERE revoked_at IS NULL;
