-- Idempotency keys of calls. A key, the effect of its call and the response are committed together.
CREATE TABLE idempotency_keys (
    account_id integer NOT NULL REFERENCES accounts (id),
    key text COLLATE "C" NOT NULL,
    -- Tells a repeated call from another call with the same key.
    call_digest bytea NOT NULL,
    -- Sealed, because a response can contain secrets.
    response bytea,
    used_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_keys_newest ON idempotency_keys (account_id, used_at);
CREATE INDEX idempotency_keys_used_at ON idempotency_keys (used_at);
