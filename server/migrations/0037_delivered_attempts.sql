-- The attempt that delivered an event is part of its delivery: one row and one index entry less for each success. Null:
-- the delivery did not succeed, or an earlier version recorded its last attempt in `attempts`.
ALTER TABLE deliveries
  ADD COLUMN started_at timestamptz,
  ADD COLUMN status smallint,
  ADD COLUMN dns_ms real,
  ADD COLUMN connect_ms real,
  ADD COLUMN tls_ms real,
  ADD COLUMN first_byte_ms real,
  ADD COLUMN body_ms real,
  ADD COLUMN total_ms real,
  ADD COLUMN answer_headers text,
  ADD COLUMN answer_body bytea,
  ADD COLUMN worker text;

CREATE VIEW all_attempts AS
SELECT account_id, event_id, hook_id, round, attempt, started_at, reason, status, dns_ms, connect_ms, tls_ms, first_byte_ms,
       body_ms, total_ms, answer_headers, answer_body, worker
FROM attempts
UNION ALL
SELECT account_id, event_id, hook_id, round, attempts, started_at, reason, status, dns_ms, connect_ms, tls_ms, first_byte_ms,
       body_ms, total_ms, answer_headers, answer_body, worker
FROM deliveries WHERE started_at IS NOT NULL;
