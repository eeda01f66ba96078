-- Consumers: clients that fetch events by polls, in commit order. The position is the last event they committed. Polls
-- and commits change the row, events do not. One reader at a time holds the lease.
CREATE TABLE consumers (
    account_id integer NOT NULL REFERENCES accounts (id),
    id integer GENERATED ALWAYS AS IDENTITY,
    name text NOT NULL,
    -- A webhook whose events and requests the consumer gets. Without one, it has its own type, filter and method.
    hook_id integer,
    event_type text NOT NULL,
    event_filter text,
    request_method text NOT NULL,
    -- Sealed. Signs the requests of a consumer without a webhook.
    secret bytea NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    xid xid8 NOT NULL,
    event_id uuid NOT NULL,
    position_at timestamptz NOT NULL,
    lease uuid,
    lease_until timestamptz,
    polled_at timestamptz,
    PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX consumers_name ON consumers (account_id, name);

-- A test event for one consumer. No webhook gets it.
ALTER TABLE events ADD COLUMN test_consumer_id integer;

-- Counts of test events.
ALTER TABLE change_counts DROP CONSTRAINT change_counts_kind_check,
  ADD CONSTRAINT change_counts_kind_check CHECK (kind IN ('hooks', 'audit', 'tests'));
