-- The issuer through which a session was started, and when its user last signed in there to confirm an operation. The
-- previous version finds no session with an issuer, because its digest has a context of its own.
ALTER TABLE sessions ADD COLUMN sso_issuer text, ADD COLUMN sso_confirmed_at timestamptz;
