-- Observations of receivers, written by workers once per minute.
-- Until when the certificate is valid that the receiver of a webhook sent last.
CREATE TABLE hook_certificates (
    account_id integer NOT NULL REFERENCES accounts (id),
    hook_id integer NOT NULL,
    host text NOT NULL,
    valid_until timestamptz NOT NULL,
    seen_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, hook_id)
);
CREATE INDEX hook_certificates_valid_until ON hook_certificates (valid_until);

-- Attempts per hour that took most of the timeout.
CREATE TABLE hook_slow_attempts (
    account_id integer NOT NULL REFERENCES accounts (id),
    hook_id integer NOT NULL,
    hour timestamptz NOT NULL,
    attempts integer NOT NULL,
    PRIMARY KEY (account_id, hook_id, hour)
);
CREATE INDEX hook_slow_attempts_hour ON hook_slow_attempts (hour);
