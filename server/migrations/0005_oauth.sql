-- Apps of customers, the access that accounts have given them, and the codes and tokens that prove it.
-- Of every secret there is only a keyed digest; what the authorization server must read again is sealed.

CREATE TABLE apps (
  -- The client id.
  id            text        PRIMARY KEY,
  -- The account that publishes the app, not one that lets it in.
  account_id    integer     NOT NULL REFERENCES accounts,
  name          text        NOT NULL,
  is_public     boolean     NOT NULL,
  redirect_uris text[]      NOT NULL,
  secret_digest bytea,
  -- The first characters, for people to tell secrets apart.
  secret_prefix text,
  last_used_at  timestamptz,
  created_at    timestamptz NOT NULL DEFAULT now(),
  -- A public app cannot keep a secret, so it has none.
  CHECK (is_public = (secret_digest IS NULL))
);
CREATE INDEX apps_account ON apps (account_id, created_at);

-- One row for each time somebody let an app in. Without it nothing that was issued for it is worth anything.
CREATE TABLE grants (
  digest       bytea       PRIMARY KEY,
  account_id   integer     NOT NULL REFERENCES accounts,
  app_id       text        NOT NULL REFERENCES apps ON DELETE CASCADE,
  login_id     integer     NOT NULL REFERENCES logins ON DELETE CASCADE,
  scopes       text[]      NOT NULL,
  payload      bytea       NOT NULL,
  granted_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE INDEX grants_account ON grants (account_id, app_id);
CREATE INDEX grants_app ON grants (app_id);
CREATE INDEX grants_login ON grants (login_id);
CREATE INDEX grants_expire ON grants (expires_at);

-- Requests that wait for a person's answer, codes and tokens; the latter end with their grant.
CREATE TABLE oauth_records (
  digest       bytea       PRIMARY KEY,
  model        text        NOT NULL
    CHECK (model IN ('Interaction', 'AuthorizationCode', 'AccessToken', 'RefreshToken')),
  grant_digest bytea       REFERENCES grants ON DELETE CASCADE,
  scopes       text[]      NOT NULL,
  payload      bytea       NOT NULL,
  expires_at   timestamptz NOT NULL,
  -- A code and a refresh token are good once; whoever brings a used one has it from somewhere else.
  consumed_at  timestamptz,
  CHECK ((model = 'Interaction') = (grant_digest IS NULL))
);
CREATE INDEX oauth_records_grant ON oauth_records (grant_digest);
CREATE INDEX oauth_records_expire ON oauth_records (expires_at);
