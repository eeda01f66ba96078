-- no transaction
-- Finds chat messages that are due. First attempts come first: retries of URLs that do not respond must not delay them.
CREATE INDEX CONCURRENTLY IF NOT EXISTS notice_messages_chat ON notice_messages (attempts, next_at)
    WHERE state = 'queued' AND is_chat;
