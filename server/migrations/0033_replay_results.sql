-- While a circuit breaker is open, one test event at a time is sent: since this time, if it has not finished.
ALTER TABLE lane ADD COLUMN tested_at timestamptz;

-- What became of a replay. The other skipped deliveries no longer exist. `per_second` is a moving average of finished
-- deliveries. `waiting` and `outcomes` are short lists: why deliveries are pending, and how the finished ones ended.
ALTER TABLE replays
  ADD COLUMN skipped_disabled integer NOT NULL DEFAULT 0,
  ADD COLUMN skipped_deleted integer NOT NULL DEFAULT 0,
  ADD COLUMN skipped_pending integer NOT NULL DEFAULT 0,
  ADD COLUMN per_second real,
  ADD COLUMN waiting jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN outcomes jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN ended_by_disabling boolean NOT NULL DEFAULT false;
