-- Whether failed calls of this account to /api/hooks get HTTP 200, as in the original service. NULL: as the installation.
ALTER TABLE accounts ADD COLUMN original_statuses boolean;
