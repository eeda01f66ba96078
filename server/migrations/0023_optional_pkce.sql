-- Whether an app must use PKCE. Only the operator can exempt an app, and only one with a secret.
ALTER TABLE apps ADD COLUMN pkce_required boolean NOT NULL DEFAULT true;
ALTER TABLE apps ADD CONSTRAINT apps_pkce_required_check CHECK (pkce_required OR NOT is_public);
