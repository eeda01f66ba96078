-- Which versions of an account's hooks workers have used to match or deliver events. A version of a hook that was never in
-- effect at such a version explains nothing and can be deleted.
CREATE TABLE hook_version_uses (
  account_id integer NOT NULL,
  version bigint NOT NULL,
  used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, version)
);
CREATE INDEX hook_version_uses_at ON hook_version_uses (used_at);

-- Until now uses were not recorded, so all versions count as used.
INSERT INTO hook_version_uses (account_id, version) SELECT DISTINCT account_id, version FROM hook_versions;

-- How often an account has done something in the current minute and day. Lost in a crash, which starts both anew.
CREATE UNLOGGED TABLE change_counts (
  account_id integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('hooks', 'audit')),
  minute timestamptz NOT NULL,
  in_minute integer NOT NULL,
  day date NOT NULL,
  in_day integer NOT NULL,
  PRIMARY KEY (account_id, kind)
) WITH (fillfactor = 50);
