-- Options for receivers that were written for the original service. Versions have them too, because the requests of
-- past attempts are rebuilt from versions. Constant defaults do not rewrite the tables. As for request_method there is
-- no CHECK: it would read every version under a lock, and a hook with an unknown value is not loaded.
ALTER TABLE hooks
  ADD COLUMN form_fields text NOT NULL DEFAULT 'nested',
  ADD COLUMN retry_policy text NOT NULL DEFAULT 'standard',
  ADD COLUMN accept_header boolean NOT NULL DEFAULT false,
  ADD COLUMN signature_url text NOT NULL DEFAULT 'registered';
ALTER TABLE hook_versions
  ADD COLUMN form_fields text NOT NULL DEFAULT 'nested',
  ADD COLUMN retry_policy text NOT NULL DEFAULT 'standard',
  ADD COLUMN accept_header boolean NOT NULL DEFAULT false,
  ADD COLUMN signature_url text NOT NULL DEFAULT 'registered';
