-- Webhooks that people manage, deliveries that are sent again, and live tails.

ALTER TABLE hook_versions DROP CONSTRAINT hook_versions_change_check;
ALTER TABLE hook_versions ADD CONSTRAINT hook_versions_change_check
  CHECK (change IN ('created', 'changed', 'enabled', 'disabled', 'deleted'));

-- Set: a test that the owner of this hook asked for, and nobody else's business.
ALTER TABLE events ADD COLUMN test_hook_id integer;

-- Deliveries that are sent again, a batch at a time. Each step is one commit: the work it adds and the place it got to.
CREATE TABLE replays (
  account_id      integer     NOT NULL REFERENCES accounts,
  id              integer     GENERATED ALWAYS AS IDENTITY,
  -- Deliveries: those that were named. Search: all that it finds. Held: what a hook held while it was disabled.
  kind            text        NOT NULL CHECK (kind IN ('deliveries', 'search', 'held')),
  selection       jsonb       NOT NULL,
  state           text        NOT NULL CHECK (state IN ('counting', 'running', 'paused', 'done', 'cancelled')),
  most_per_second integer     NOT NULL CHECK (most_per_second > 0),
  created_by      text        NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  -- Where the next batch begins; null: at the beginning.
  position        text,
  -- Whether the total is known, and whether all that was selected has been started.
  is_counted      boolean     NOT NULL,
  is_read         boolean     NOT NULL DEFAULT false,
  total           integer     NOT NULL DEFAULT 0,
  started         integer     NOT NULL DEFAULT 0,
  -- Not sent: already waiting, or its hook is gone or disabled.
  skipped         integer     NOT NULL DEFAULT 0,
  delivered       integer     NOT NULL DEFAULT 0,
  failed          integer     NOT NULL DEFAULT 0,
  counted_at      timestamptz,
  next_at         timestamptz NOT NULL DEFAULT now(),
  finished_at     timestamptz,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX replays_open ON replays (next_at) WHERE finished_at IS NULL;

-- The replay that a delivery belongs to; null: it is the first round.
ALTER TABLE work ADD COLUMN replay_id integer;
CREATE INDEX work_of_replay ON work (account_id, replay_id) WHERE replay_id IS NOT NULL;
ALTER TABLE deliveries ADD COLUMN replay_id integer;
CREATE INDEX deliveries_of_replay ON deliveries (account_id, replay_id) WHERE replay_id IS NOT NULL;

-- Why a hook fails, newest first.
CREATE INDEX attempts_failed_of_hook ON attempts (account_id, hook_id, event_id) WHERE reason <> 'delivered';

-- Live tails read in the order of commit.
CREATE INDEX events_tail ON events (account_id, xid);
CREATE INDEX deliveries_tail ON deliveries (account_id, xid);
