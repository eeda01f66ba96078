-- Users and accounts: a login can be a member of several accounts, with a role in each. `logins.account_id` stays: it is the
-- account that a login was created in, where the deprecated credential `u` and `p` acts. It is null once the login has
-- left that account.
-- First, because it takes the strongest lock.
ALTER TABLE logins ALTER COLUMN account_id DROP NOT NULL;

CREATE TABLE memberships (
    account_id integer NOT NULL REFERENCES accounts (id),
    login_id integer NOT NULL REFERENCES logins (id) ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('viewer', 'support', 'developer', 'admin', 'owner')),
    -- Rights apart from the role, because they expose personal data.
    can_reveal boolean NOT NULL,
    can_export boolean NOT NULL,
    joined_at timestamptz NOT NULL DEFAULT now(),
    -- Start of the latest session in the account. A sign-in continues in the account used last.
    used_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, login_id)
);
CREATE INDEX memberships_login ON memberships (login_id);

-- Names of former members, for the audit log: an account sees names of its own members only.
CREATE TABLE former_members (
    account_id integer NOT NULL REFERENCES accounts (id),
    login_id integer NOT NULL,
    alias text NOT NULL,
    left_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, login_id)
);

-- A login owns the account that it is created in, unless its creator writes another role in the same transaction. As a
-- trigger, so that logins created by the previous version are members too.
CREATE FUNCTION own_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO memberships (account_id, login_id, role, can_reveal, can_export)
    VALUES (NEW.account_id, NEW.id, 'owner', true, true);
    RETURN NULL;
END $$;
CREATE TRIGGER logins_own_account AFTER INSERT ON logins
    FOR EACH ROW WHEN (NEW.account_id IS NOT NULL) EXECUTE FUNCTION own_account();

INSERT INTO memberships (account_id, login_id, role, can_reveal, can_export, joined_at, used_at)
SELECT account_id, id, 'owner', true, true, created_at, created_at FROM logins
ON CONFLICT DO NOTHING;
