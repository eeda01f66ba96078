-- Single sign-on by OpenID Connect. An account has one connection to its identity provider. The provider is chosen by the
-- account, so nothing that it says counts in another account.
CREATE TABLE sso_connections (
    account_id integer PRIMARY KEY REFERENCES accounts (id),
    -- In the redirect URI. Derived from the account, so that it is known before the connection is saved.
    id text NOT NULL UNIQUE,
    name text NOT NULL,
    issuer text NOT NULL,
    client_id text NOT NULL,
    client_secret bytea,
    -- Members sign in only through the provider, except for break-glass owners.
    is_required boolean NOT NULL DEFAULT false,
    -- Role of users who join at their first sign-in. Null: nobody joins by signing in.
    default_role text CHECK (default_role IN ('viewer', 'support', 'developer')),
    can_reveal boolean NOT NULL DEFAULT false,
    can_export boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    changed_at timestamptz NOT NULL DEFAULT now()
);

-- Domains whose owner proves by a DNS record that the account speaks for them.
CREATE TABLE sso_domains (
    account_id integer NOT NULL REFERENCES accounts (id),
    id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
    domain text NOT NULL,
    challenge text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    verified_at timestamptz,
    PRIMARY KEY (account_id, id),
    UNIQUE (account_id, domain)
);
CREATE UNIQUE INDEX sso_domains_verified ON sso_domains (domain) WHERE verified_at IS NOT NULL;

-- Users as the provider of an account knows them. The same issuer in two accounts has separate identities.
CREATE TABLE sso_identities (
    account_id integer NOT NULL REFERENCES accounts (id),
    id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
    issuer text NOT NULL,
    subject text NOT NULL,
    login_id integer NOT NULL REFERENCES logins (id) ON DELETE CASCADE,
    -- As the provider said when the identity was linked.
    email text,
    linked_at timestamptz NOT NULL DEFAULT now(),
    used_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, id),
    UNIQUE (account_id, issuer, subject),
    UNIQUE (account_id, issuer, login_id)
);
CREATE INDEX sso_identities_login ON sso_identities (login_id);

-- Responses of providers that were used, so that none is used twice.
CREATE TABLE sso_used_states (
    digest bytea PRIMARY KEY,
    expires_at timestamptz NOT NULL
);
CREATE INDEX sso_used_states_expire ON sso_used_states (expires_at);
