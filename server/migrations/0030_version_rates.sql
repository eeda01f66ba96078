-- Versions also have the rate limit, for the history of a webhook. 0 marks versions without a recorded limit: those
-- written before this migration, or by a process of the previous version. A constant default does not rewrite the table.
ALTER TABLE hook_versions ADD COLUMN max_per_second integer DEFAULT 0;
-- One action covers all edits of a webhook.
UPDATE audit
SET action = 'hook.change',
  detail = jsonb_build_object('fields', (SELECT jsonb_agg(key) FROM jsonb_object_keys(detail) AS key)) || detail
WHERE action IN ('hook.rate', 'hook.options');
