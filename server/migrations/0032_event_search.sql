-- Failed attempts in commit order for live tails, numbers searched from their end, and the default country of an account.
-- The indexes of existing days are built in advance, one day at a time, while events are accepted and delivered.
-- in advance: ALTER TABLE attempts ADD COLUMN IF NOT EXISTS xid xid8
-- day by day: tail ON attempts (account_id, xid) WHERE xid IS NOT NULL
-- day by day: sender_end ON events (account_id, reverse(sender) COLLATE "C", id) INCLUDE (sender) WHERE sender IS NOT NULL
-- day by day: recipient_end ON events (account_id, reverse(recipient) COLLATE "C", id) INCLUDE (recipient) WHERE recipient IS NOT NULL

-- Null for delivered attempts: their deliveries are in the same commit, so they pay for neither column nor index.
CREATE INDEX attempts_tail ON attempts (account_id, xid) WHERE xid IS NOT NULL;

-- Reversed, so that the last digits are a prefix. With the number itself, because PostgreSQL reads an index alone only
-- if it contains the columns that the expression uses.
CREATE INDEX events_sender_end ON events (account_id, reverse(sender) COLLATE "C", id) INCLUDE (sender)
  WHERE sender IS NOT NULL;
CREATE INDEX events_recipient_end ON events (account_id, reverse(recipient) COLLATE "C", id) INCLUDE (recipient)
  WHERE recipient IS NOT NULL;
DROP INDEX events_sender;
DROP INDEX events_recipient;

-- For numbers in national form. ISO 3166-1 alpha-2.
ALTER TABLE accounts ADD COLUMN country text CHECK (country ~ '^[A-Z]{2}$');
