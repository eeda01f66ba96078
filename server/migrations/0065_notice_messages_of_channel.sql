-- no transaction
-- Finds the messages of a channel: the last one, and all when the channel is deleted.
CREATE INDEX CONCURRENTLY IF NOT EXISTS notice_messages_of_channel ON notice_messages (account_id, channel_id, id)
    WHERE channel_id IS NOT NULL;
