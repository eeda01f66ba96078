-- A ledger that can be asked: which hooks an event was matched against, and what people search by.
-- Indexes lie on each day, so a day that is looked at costs the same however many days there are. What is delivered at its
-- first attempt pays for one of those on deliveries and for none of those on attempts.

-- The version of the account's hooks that routed it. With hook_versions it says why another hook did not match.
ALTER TABLE work ADD COLUMN hooks_version bigint;
ALTER TABLE deliveries ADD COLUMN hooks_version bigint;

-- The same for events that no hook matched. Ids grow with time, so rows are added at the end of the index.
CREATE TABLE routes (
  account_id    integer     NOT NULL,
  event_id      uuid        NOT NULL PRIMARY KEY,
  hooks_version bigint      NOT NULL,
  routed_at     timestamptz NOT NULL DEFAULT now()
) PARTITION BY RANGE (event_id);

CREATE INDEX events_message ON events (account_id, message_id, id);
CREATE INDEX events_sender ON events (account_id, sender, id) WHERE sender IS NOT NULL;
CREATE INDEX events_recipient ON events (account_id, recipient, id) WHERE recipient IS NOT NULL;
CREATE INDEX events_foreign ON events (account_id, foreign_id, id) WHERE foreign_id IS NOT NULL;

CREATE INDEX deliveries_hook ON deliveries (account_id, hook_id, event_id);
CREATE INDEX deliveries_state ON deliveries (account_id, state, event_id) WHERE state <> 'delivered';
CREATE INDEX deliveries_reason ON deliveries (account_id, reason, event_id) WHERE state <> 'delivered';

CREATE INDEX attempts_status ON attempts (account_id, status, event_id) WHERE reason <> 'delivered';
CREATE INDEX attempts_reason ON attempts (account_id, reason, event_id) WHERE reason <> 'delivered';

-- What waits for a hook, by the age of its events, held or not.
CREATE INDEX work_of_hook ON work (account_id, hook_id, event_id);
DROP INDEX work_held_of_hook;

-- Events of an account by hour, beside what became of them in rollups.
CREATE TABLE event_rollups (
  account_id integer     NOT NULL,
  hour       timestamptz NOT NULL,
  events     bigint      NOT NULL,
  PRIMARY KEY (account_id, hour)
) WITH (fillfactor = 70);
