-- Passkeys: credentials of authenticators, which sign challenges (WebAuthn).

CREATE TABLE passkeys (
  id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  login_id      integer     NOT NULL REFERENCES logins,
  credential_id bytea       NOT NULL UNIQUE,
  -- COSE key.
  public_key    bytea       NOT NULL,
  -- Signatures so far, by the count of the authenticator. Authenticators that do not count send 0.
  counter       bigint      NOT NULL,
  -- How browsers reach the authenticator, such as usb.
  transports    text[]      NOT NULL,
  name          text        NOT NULL,
  is_synced     boolean     NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now(),
  last_used_at  timestamptz
);
CREATE INDEX passkeys_login ON passkeys (login_id);

-- Challenges that were used, until they expire. Open challenges are not stored.
CREATE TABLE used_challenges (
  nonce      bytea       PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX used_challenges_expire ON used_challenges (expires_at);
