-- Requests that the built-in test receiver has stored, for a day. `request` is sealed: headers can contain secrets.
CREATE TABLE test_requests (
    account_id integer NOT NULL REFERENCES accounts (id),
    id bigint GENERATED ALWAYS AS IDENTITY,
    hook_id integer NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    request bytea NOT NULL,
    PRIMARY KEY (account_id, id)
);
-- Deletion by age.
CREATE INDEX test_requests_received_at ON test_requests (received_at);

-- First steps of a new account. A missing row means that none was recorded.
CREATE TABLE onboarding (
    account_id integer PRIMARY KEY REFERENCES accounts (id),
    test_delivered_at timestamptz,
    signature_verified_at timestamptz,
    dismissed_at timestamptz
);
