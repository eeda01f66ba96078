-- Notices about webhooks, each once per webhook, period and kind. Recorded in the commit of the event that they report.
CREATE TABLE notices (
    account_id integer NOT NULL REFERENCES accounts (id),
    id bigint GENERATED ALWAYS AS IDENTITY,
    hook_id integer NOT NULL,
    kind text NOT NULL,
    -- When the reported period began.
    streak timestamptz NOT NULL,
    -- Counts and the latest failure. No content of messages.
    detail jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    -- waiting: for others of the account; ready: assigned to users; dropped: no longer true.
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'ready', 'dropped')),
    -- When a waiting notice is assigned to users.
    due_at timestamptz NOT NULL,
    -- A failure whose end has not been noticed yet.
    is_open boolean NOT NULL,
    PRIMARY KEY (account_id, id),
    UNIQUE (account_id, hook_id, streak, kind)
);
CREATE INDEX notices_due ON notices (due_at) WHERE state = 'waiting';
CREATE INDEX notices_open ON notices (account_id, hook_id) WHERE is_open;
