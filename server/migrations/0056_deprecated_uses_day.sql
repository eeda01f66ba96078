-- no transaction
-- Finds accounts that use deprecated credentials.
CREATE INDEX CONCURRENTLY IF NOT EXISTS deprecated_uses_day ON deprecated_uses (day);
