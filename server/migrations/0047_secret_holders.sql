-- Which login has created or seen which secret of an account: API keys, secrets of webhooks, consumers and OAuth apps, and
-- the signing key. When a member leaves, the account sees what to rotate. The audit log is no replacement, because its old
-- entries are deleted while keys stay valid.
CREATE TABLE secret_holders (
    account_id integer NOT NULL REFERENCES accounts (id),
    login_id integer NOT NULL REFERENCES logins (id) ON DELETE CASCADE,
    subject text NOT NULL,
    is_creator boolean NOT NULL,
    seen_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, login_id, subject)
);
CREATE INDEX secret_holders_login ON secret_holders (login_id);
