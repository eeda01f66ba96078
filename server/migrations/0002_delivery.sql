-- Events and what becomes of them. Hot tables (inbox, work, lane) stay small; the ledger (events, deliveries, attempts)
-- only grows, in daily partitions that are dropped whole.

-- Event ids are UUIDs of version 7 by this database's clock, so that the ledger can be partitioned by them.
CREATE FUNCTION uuid_v7(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(
    set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING
      substring(int8send(floor(extract(epoch FROM at) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1),
    'hex')::uuid
$$;

-- The smallest id of an instant: the bound of a partition.
CREATE FUNCTION uuid_v7_floor(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT encode(
    substring(int8send(floor(extract(epoch FROM at) * 1000)::bigint) FROM 3) || '\x70008000000000000000'::bytea,
    'hex')::uuid
$$;

-- What was accepted. `data` is the producer's text, less insignificant white space.
CREATE TABLE events (
  account_id  integer     NOT NULL,
  id          uuid        NOT NULL,
  type        text        NOT NULL,
  data        text        NOT NULL,
  producer_id integer     NOT NULL,
  occurred_at timestamptz,
  accepted_at timestamptz NOT NULL,
  -- What people search by, taken from the data when it is accepted.
  message_id  text,
  sender      text,
  recipient   text,
  foreign_id  text,
  -- Orders events by commit for live tails: visible only below pg_snapshot_xmin.
  xid         xid8        NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);

-- Final states of deliveries: one row for each round of an event to a hook that matched it.
CREATE TABLE deliveries (
  account_id  integer     NOT NULL,
  event_id    uuid        NOT NULL,
  hook_id     integer     NOT NULL,
  round       smallint    NOT NULL,
  state       text        NOT NULL CHECK (state IN ('delivered', 'failed', 'expired', 'cancelled')),
  reason      text        NOT NULL,
  attempts    smallint    NOT NULL,
  finished_at timestamptz NOT NULL DEFAULT now(),
  xid         xid8        NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (account_id, event_id, hook_id, round)
) PARTITION BY RANGE (event_id);

CREATE TABLE attempts (
  account_id    integer     NOT NULL,
  event_id      uuid        NOT NULL,
  hook_id       integer     NOT NULL,
  round         smallint    NOT NULL,
  attempt       smallint    NOT NULL,
  started_at    timestamptz NOT NULL,
  -- From a closed list that keeps their failures apart from ours.
  reason        text        NOT NULL,
  status        smallint,
  dns_ms        real,
  connect_ms    real,
  tls_ms        real,
  first_byte_ms real,
  body_ms       real,
  total_ms      real        NOT NULL,
  answer_headers text,
  -- The first 4 KiB of the answer.
  answer_body   bytea,
  worker        text        NOT NULL,
  PRIMARY KEY (account_id, event_id, hook_id, round, attempt)
) PARTITION BY RANGE (event_id);

-- Accepted and not routed yet.
CREATE TABLE inbox (
  event_id    uuid     PRIMARY KEY,
  account_id  integer  NOT NULL,
  -- A worker is routing it until then; tries counts how often one began to.
  taken_until timestamptz,
  tries       smallint NOT NULL DEFAULT 0
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX inbox_account ON inbox (account_id);

-- Events that could not be routed, with the reason: kept for the operator, never dropped in silence.
CREATE TABLE parked (
  event_id   uuid        PRIMARY KEY,
  account_id integer     NOT NULL,
  reason     text        NOT NULL,
  parked_at  timestamptz NOT NULL DEFAULT now()
);

-- A delivery that is not final. Leased: a worker attempts it now. Held: its hook is disabled.
CREATE TABLE work (
  account_id  integer     NOT NULL,
  hook_id     integer     NOT NULL,
  event_id    uuid        NOT NULL,
  round       smallint    NOT NULL DEFAULT 1,
  type        text        NOT NULL,
  -- Attempts made so far.
  attempts    smallint    NOT NULL DEFAULT 0,
  accepted_at timestamptz NOT NULL,
  due_at      timestamptz NOT NULL,
  held        boolean     NOT NULL DEFAULT false,
  lease       uuid,
  lease_until timestamptz,
  PRIMARY KEY (account_id, hook_id, event_id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX work_due ON work (account_id, hook_id, due_at) WHERE lease IS NULL AND NOT held;
CREATE INDEX work_leases ON work (lease_until) WHERE lease IS NOT NULL;
CREATE INDEX work_held ON work (accepted_at) WHERE held;

-- One row for each hook that has work waiting: whose turn is next.
CREATE TABLE lane (
  account_id integer     NOT NULL,
  hook_id    integer     NOT NULL,
  due_at     timestamptz NOT NULL,
  PRIMARY KEY (account_id, hook_id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX lane_due ON lane (due_at);

-- The producers' idempotency keys, remembered for 72 hours.
CREATE TABLE event_keys (
  account_id  integer     NOT NULL,
  key         text        NOT NULL,
  -- Of type and data: the same key with another body is refused.
  digest      bytea       NOT NULL,
  event_id    uuid        NOT NULL,
  accepted_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, key)
);
CREATE INDEX event_keys_accepted ON event_keys (accepted_at);

-- How long a hook has been failing, for warnings and for disabling it. No row: it is not failing.
CREATE TABLE hook_failures (
  account_id    integer     NOT NULL,
  hook_id       integer     NOT NULL,
  failing_since timestamptz NOT NULL,
  attempts      integer     NOT NULL,
  PRIMARY KEY (account_id, hook_id)
);

-- What the owner of a hook was or will be warned of.
CREATE TABLE hook_warnings (
  account_id    integer     NOT NULL,
  hook_id       integer     NOT NULL,
  failing_since timestamptz NOT NULL,
  kind          text        NOT NULL CHECK (kind IN ('1 hour', '24 hours', '3 days', 'disabled', 'gone')),
  at            timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, hook_id, failing_since, kind)
);

-- Counts for charts, from what was really inserted.
CREATE TABLE rollups (
  account_id integer     NOT NULL,
  hook_id    integer     NOT NULL,
  hour       timestamptz NOT NULL,
  delivered  bigint      NOT NULL DEFAULT 0,
  failed     bigint      NOT NULL DEFAULT 0,
  expired    bigint      NOT NULL DEFAULT 0,
  cancelled  bigint      NOT NULL DEFAULT 0,
  attempts   bigint      NOT NULL DEFAULT 0,
  failures   bigint      NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, hook_id, hour)
);

-- Live workers, by heartbeat.
CREATE TABLE workers (
  id         uuid        PRIMARY KEY,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at    timestamptz NOT NULL DEFAULT now()
);

ALTER TABLE hooks
  ADD COLUMN secret_generation smallint NOT NULL DEFAULT 1,
  ADD COLUMN secret_rotated_at timestamptz,
  -- Why it is not enabled: by its owner, or by us after days of failures.
  ADD COLUMN disabled_reason text;

ALTER TABLE hook_versions DROP CONSTRAINT hook_versions_change_check;
ALTER TABLE hook_versions ADD CONSTRAINT hook_versions_change_check
  CHECK (change IN ('created', 'enabled', 'disabled', 'deleted'));
CREATE INDEX hook_versions_at ON hook_versions (at);
