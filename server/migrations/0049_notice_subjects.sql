-- Notices about more than webhooks: certificates, keys, credentials, and the logins of users.
ALTER TABLE notices ALTER COLUMN hook_id DROP NOT NULL;
-- What the notice is about: `hook:7`, `key:3`, `audit:12`. A subject gets each kind once per period.
ALTER TABLE notices ADD COLUMN subject text;
UPDATE notices SET subject = 'hook:' || hook_id;
ALTER TABLE notices ALTER COLUMN subject SET NOT NULL;
ALTER TABLE notices ADD CONSTRAINT notices_once UNIQUE (account_id, subject, streak, kind);
ALTER TABLE notices DROP CONSTRAINT notices_account_id_hook_id_streak_kind_key;
-- Set if the notice is for this user only, who may be the only one to see it.
ALTER TABLE notices ADD COLUMN login_id integer REFERENCES logins (id) ON DELETE CASCADE;
-- Whether the notice is an account event already, or needs none. Earlier notices are not.
ALTER TABLE notices ADD COLUMN is_published boolean NOT NULL DEFAULT true;
ALTER TABLE notices ALTER COLUMN is_published SET DEFAULT false;
