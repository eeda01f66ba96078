-- no transaction
-- Finds the messages of an account of the last hour.
CREATE INDEX CONCURRENTLY IF NOT EXISTS notice_messages_recent ON notice_messages (account_id, created_at);
