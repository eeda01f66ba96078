-- no transaction
-- Finds the message that a bounce is about.
CREATE INDEX CONCURRENTLY IF NOT EXISTS notice_messages_message_id ON notice_messages (message_id);
