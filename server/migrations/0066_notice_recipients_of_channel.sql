-- no transaction
-- Finds the recipients of a channel that is deleted.
CREATE INDEX CONCURRENTLY IF NOT EXISTS notice_recipients_of_channel ON notice_recipients (account_id, channel_id)
    WHERE channel_id IS NOT NULL;
