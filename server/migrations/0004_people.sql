-- People: sign-ins in a browser, second factors, forgotten passwords.

CREATE TABLE sessions (
  id           integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id   integer     NOT NULL REFERENCES accounts,
  login_id     integer     NOT NULL REFERENCES logins,
  digest       bytea       NOT NULL UNIQUE,
  ip           text        NOT NULL,
  user_agent   text        NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  -- To the minute.
  last_used_at timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL
);
CREATE INDEX sessions_login ON sessions (login_id);
CREATE INDEX sessions_expire ON sessions (expires_at);

ALTER TABLE logins
  -- The secret of the second factor, sealed; it counts once it is confirmed.
  ADD COLUMN totp_sealed        bytea,
  ADD COLUMN totp_confirmed_at  timestamptz,
  -- The step of the last code that was taken: a code is good once.
  ADD COLUMN totp_last_step     bigint NOT NULL DEFAULT 0,
  -- When a wrong password or code last went to the audit log.
  ADD COLUMN failure_audited_at timestamptz;

CREATE TABLE recovery_codes (
  login_id integer NOT NULL REFERENCES logins,
  digest   bytea   NOT NULL,
  PRIMARY KEY (login_id, digest)
);

-- One open link a login: a new one voids the old.
CREATE TABLE password_resets (
  login_id   integer     PRIMARY KEY REFERENCES logins,
  digest     bytea       NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL
);
