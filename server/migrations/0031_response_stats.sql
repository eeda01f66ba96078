-- Failed attempts by response, beside the hourly counts. Those without a valid response are the rest of `failures`.
ALTER TABLE rollups
  ADD COLUMN status_3xx bigint NOT NULL DEFAULT 0,
  ADD COLUMN status_4xx bigint NOT NULL DEFAULT 0,
  ADD COLUMN status_5xx bigint NOT NULL DEFAULT 0,
  ADD COLUMN timeouts bigint NOT NULL DEFAULT 0;
