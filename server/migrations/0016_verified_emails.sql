-- Emails count once they are verified by a link; several links to a new password can be open at once.

ALTER TABLE logins
  -- NULL: the login has no verified email yet.
  ALTER COLUMN email DROP NOT NULL,
  -- NULL beside an email: it was registered before emails were verified, and nobody has proved to own the mailbox.
  ADD COLUMN email_verified_at timestamptz;

-- The operator vouches for the logins that the operator created.
UPDATE logins SET email_verified_at = created_at
WHERE NOT EXISTS (
  SELECT FROM audit WHERE audit.account_id = logins.account_id AND audit.action = 'login.create'
    AND audit.actor = 'visitor' AND audit.subject = 'login:' || logins.id
);

CREATE TABLE email_verifications (
  digest     bytea       PRIMARY KEY,
  login_id   integer     NOT NULL REFERENCES logins ON DELETE CASCADE,
  email      text        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX email_verifications_login ON email_verifications (login_id);

ALTER TABLE password_resets
  DROP CONSTRAINT password_resets_pkey,
  DROP CONSTRAINT password_resets_digest_key,
  ADD PRIMARY KEY (digest),
  ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX password_resets_login ON password_resets (login_id);
