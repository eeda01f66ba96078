-- What operators stop: an account (suspended or not), a webhook, a host, or all sends. Ended ones stay until the lanes that
-- they hold are released.
CREATE TABLE stops (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    scope text NOT NULL CHECK (scope IN ('all', 'account', 'hook', 'host')),
    account_id integer REFERENCES accounts (id),
    hook_id integer,
    host text,
    reason text NOT NULL,
    is_suspension boolean NOT NULL DEFAULT false,
    actor text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    CHECK ((account_id IS NOT NULL) = (scope IN ('account', 'hook'))),
    CHECK ((hook_id IS NOT NULL) = (scope = 'hook')),
    CHECK ((host IS NOT NULL) = (scope = 'host'))
);

-- Compared in every route and claim. A row of its own, so that it is read without looking at the stops.
CREATE TABLE stops_version (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    version bigint NOT NULL DEFAULT 0
);
INSERT INTO stops_version DEFAULT VALUES;

-- A lane that a stop holds. Nothing else has to change for its deliveries.
ALTER TABLE lane ADD COLUMN stop_id integer;
CREATE INDEX lane_stopped ON lane (stop_id) WHERE stop_id IS NOT NULL;

INSERT INTO stops (scope, account_id, reason, is_suspension, actor, created_at)
SELECT 'account', id, 'The account is suspended.', true, 'operator', suspended_at
FROM accounts WHERE suspended_at IS NOT NULL;

-- Webhooks that workers cannot load, and why. Written by workers, removed when one of them can load it again.
CREATE TABLE hook_problems (
    account_id integer NOT NULL,
    hook_id integer NOT NULL,
    problem text NOT NULL,
    since timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, hook_id)
);

-- Routed while the webhook's filter could not be loaded: whether it matches is decided before the first attempt.
ALTER TABLE work ADD COLUMN match_pending boolean NOT NULL DEFAULT false;
