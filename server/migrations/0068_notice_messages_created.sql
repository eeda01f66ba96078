-- no transaction
-- Finds messages to delete by age.
CREATE INDEX CONCURRENTLY IF NOT EXISTS notice_messages_created ON notice_messages (created_at);
