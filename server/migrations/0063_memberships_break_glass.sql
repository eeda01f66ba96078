-- Owners who can sign in without the identity provider of the account, if it fails.
ALTER TABLE memberships ADD COLUMN is_break_glass boolean NOT NULL DEFAULT false;
