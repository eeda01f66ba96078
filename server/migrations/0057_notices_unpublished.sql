-- no transaction
-- Finds notices to publish as account events.
CREATE INDEX CONCURRENTLY IF NOT EXISTS notices_unpublished ON notices (account_id, id) WHERE state = 'ready' AND NOT is_published;
