-- Our own faults at a delivery in a row. They use up no attempt, so what limits them is counted apart.
ALTER TABLE work ADD COLUMN faults smallint NOT NULL DEFAULT 0;

-- The circuit breaker opens by the failure rate of recent attempts. Both counts halve every ten seconds since
-- `counted_at`. A row stays after a success for as long as the rate matters, then without `failing_since`.
ALTER TABLE hook_failures
  ALTER COLUMN failing_since DROP NOT NULL,
  ADD COLUMN failures real NOT NULL DEFAULT 0,
  ADD COLUMN successes real NOT NULL DEFAULT 0,
  ADD COLUMN counted_at timestamptz NOT NULL DEFAULT now();
