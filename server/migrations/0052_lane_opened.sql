-- no transaction
-- Finds the breakers that have been open for long. The few open ones are in it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS lane_opened ON lane (opened_at) WHERE opened_at IS NOT NULL;
