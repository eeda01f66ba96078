-- no transaction
-- Finds notices to delete by age.
CREATE INDEX CONCURRENTLY IF NOT EXISTS notices_created ON notices (created_at);
