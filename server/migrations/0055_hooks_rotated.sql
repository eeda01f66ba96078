-- no transaction
-- Finds webhooks whose previous secret expires soon.
CREATE INDEX CONCURRENTLY IF NOT EXISTS hooks_rotated ON hooks (secret_rotated_at) WHERE secret_rotated_at IS NOT NULL;
