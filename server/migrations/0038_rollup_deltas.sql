-- Counts of commits that are not in `rollups` and `event_rollups` yet. Workers add them up every second. One row for each
-- commit: deliveries by webhook, or events by account, without `hook_ids`. Rows are small and live for a second. They
-- stay in the table, without compression.
CREATE TABLE rollup_deltas (
  hour        timestamptz NOT NULL,
  account_ids integer[]   NOT NULL,
  hook_ids    integer[],
  counts      integer[]   NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0, toast_tuple_target = 8160);
