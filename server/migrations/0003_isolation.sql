-- One hook's trouble stays its own: a breaker on its lane, slow start after an outage, an optional rate.

ALTER TABLE lane
  -- Where the hook's receiver is, so that lanes of a crowded host are passed over.
  ADD COLUMN host text NOT NULL DEFAULT '',
  -- The breaker. 0: closed. Otherwise no turn before `not_before`, and then a single delivery as a probe.
  ADD COLUMN open_seconds smallint NOT NULL DEFAULT 0,
  ADD COLUMN not_before timestamptz NOT NULL DEFAULT '-infinity',
  ADD COLUMN is_probing boolean NOT NULL DEFAULT false,
  -- When the breaker closed: what failed before that need not wait for its time.
  ADD COLUMN recovered_at timestamptz;
DROP INDEX lane_due;
CREATE INDEX lane_due ON lane (greatest(due_at, not_before));

-- When its last failure set its time. Null: it has not failed, or the receiver asked for that time itself.
ALTER TABLE work ADD COLUMN waits_since timestamptz;

-- Deliveries a second that the receiver wants at most; null: as fast as it answers.
ALTER TABLE hooks ADD COLUMN most_per_second integer CHECK (most_per_second > 0);

-- Found by event first: many at once are then one walk along the index, whatever the planner believes of a table that is
-- empty now and full in a second.
ALTER TABLE work DROP CONSTRAINT work_pkey, ADD PRIMARY KEY (event_id, hook_id);
CREATE INDEX work_held_of_hook ON work (account_id, hook_id, event_id) WHERE held;

-- How late the due work is that a worker takes. Work that waits for its own receiver is not late.
ALTER TABLE workers ADD COLUMN lag_seconds real NOT NULL DEFAULT 0;
