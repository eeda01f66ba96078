-- Invitations to accounts. A link works once, and its token is stored as a keyed digest. A row is deleted when the
-- invitation is accepted, revoked or expired.
CREATE TABLE invitations (
    account_id integer NOT NULL REFERENCES accounts (id),
    id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
    email text NOT NULL,
    role text NOT NULL CHECK (role IN ('viewer', 'support', 'developer', 'admin', 'owner')),
    can_reveal boolean NOT NULL,
    can_export boolean NOT NULL,
    digest bytea NOT NULL UNIQUE,
    invited_by integer NOT NULL REFERENCES logins (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    sent_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX invitations_email ON invitations (account_id, lower(email));
CREATE INDEX invitations_invited_by ON invitations (invited_by);

ALTER TABLE change_counts DROP CONSTRAINT change_counts_kind_check;
ALTER TABLE change_counts ADD CONSTRAINT change_counts_kind_check
    CHECK (kind IN ('hooks', 'audit', 'tests', 'invitations'));
