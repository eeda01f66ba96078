-- Names and descriptions that users give to webhooks. Versions have them too, so that the history shows who renamed a
-- webhook, and deleted webhooks keep their last name. Columns without a default do not rewrite the tables.
ALTER TABLE hooks ADD COLUMN name text, ADD COLUMN description text;
ALTER TABLE hook_versions ADD COLUMN name text, ADD COLUMN description text;
