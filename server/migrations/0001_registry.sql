-- Accounts, who may call for them, and their webhooks.
-- Everything an account owns carries its id first in every key, so that accounts can be placed in cells later.

-- Keys that seal and digest secrets, themselves wrapped by MASTER_KEY.
CREATE TABLE vault_keys (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  purpose    text        NOT NULL CHECK (purpose IN ('seal', 'digest')),
  wrapped    bytea       NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
-- There is one digest key for good: looking a secret up needs the digest it was stored with.
CREATE UNIQUE INDEX vault_keys_one_digest_key ON vault_keys (purpose) WHERE purpose = 'digest';

CREATE TABLE accounts (
  id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name          text        NOT NULL,
  -- Raised by every change of the account's hooks; whoever caches hooks compares it.
  hooks_version bigint      NOT NULL DEFAULT 0,
  suspended_at  timestamptz,
  created_at    timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE logins (
  id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id    integer     NOT NULL REFERENCES accounts,
  alias         text        NOT NULL CHECK (alias !~ '@'),
  email         text        NOT NULL CHECK (email ~ '@'),
  password_hash text        NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX logins_alias ON logins (lower(alias));
CREATE UNIQUE INDEX logins_email ON logins (lower(email));
CREATE INDEX logins_account ON logins (account_id);

CREATE TABLE keys (
  id               integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id       integer     NOT NULL REFERENCES accounts,
  name             text        NOT NULL,
  -- The first characters, for people to tell keys apart.
  prefix           text        NOT NULL,
  digest           bytea       NOT NULL UNIQUE,
  sealed           bytea       NOT NULL,
  scopes           text[]      NOT NULL,
  -- Null: usable from everywhere.
  allowed_ips      cidr[],
  expires_at       timestamptz,
  revoked_at       timestamptz,
  last_used_at     timestamptz,
  last_used_method text,
  created_at       timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX keys_account ON keys (account_id, id);

-- Parts of the gateway that hand in events.
CREATE TABLE producers (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name       text        NOT NULL,
  prefix     text        NOT NULL,
  digest     bytea       NOT NULL UNIQUE,
  revoked_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE deprecated_uses (
  account_id integer NOT NULL REFERENCES accounts,
  kind       text    NOT NULL,
  day        date    NOT NULL,
  uses       bigint  NOT NULL,
  PRIMARY KEY (account_id, kind, day)
);

-- Counters that may be lost in a crash and cost no WAL.
CREATE UNLOGGED TABLE login_attempts (
  -- A keyed digest of who tries: names and addresses are not kept in clear.
  bucket     bytea       PRIMARY KEY,
  attempts   integer     NOT NULL,
  started_at timestamptz NOT NULL
);
CREATE INDEX login_attempts_started ON login_attempts (started_at);

CREATE UNLOGGED TABLE call_counts (
  account_id integer     PRIMARY KEY,
  minute     timestamptz NOT NULL,
  calls      integer     NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE audit (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id integer REFERENCES accounts,
  at         timestamptz NOT NULL DEFAULT now(),
  actor      text        NOT NULL,
  action     text        NOT NULL,
  subject    text        NOT NULL,
  detail     jsonb       NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_account ON audit (account_id, id);

-- Ids are integers of 31 bits for good: existing clients read them as such.
CREATE TABLE hooks (
  account_id     integer     NOT NULL REFERENCES accounts,
  id             integer     GENERATED ALWAYS AS IDENTITY,
  -- As given, which is what the list shows; call_url is the normalised form that is called.
  target_url     text        NOT NULL,
  call_url       text        NOT NULL,
  event_type     text        NOT NULL,
  request_method text        NOT NULL,
  event_filter   text,
  -- Sealed: headers hold the receiver's credentials. Null: none.
  headers        bytea,
  enabled        boolean     NOT NULL DEFAULT true,
  -- Keyed digest of address, type, method, filter and headers: the same five are the same hook.
  fingerprint    bytea       NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, fingerprint)
);

-- What a hook looked like from each change on. Only ever inserted into.
CREATE TABLE hook_versions (
  account_id     integer     NOT NULL,
  hook_id        integer     NOT NULL,
  -- The account's hooks_version that this change made.
  version        bigint      NOT NULL,
  change         text        NOT NULL CHECK (change IN ('created', 'enabled', 'deleted')),
  actor          text        NOT NULL,
  target_url     text        NOT NULL,
  event_type     text        NOT NULL,
  request_method text        NOT NULL,
  event_filter   text,
  headers        bytea,
  enabled        boolean     NOT NULL,
  at             timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, hook_id, version)
);
