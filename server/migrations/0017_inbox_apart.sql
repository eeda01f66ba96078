-- Events of accounts that are routed by themselves lie apart, so that taking fresh events never reads past them.
ALTER TABLE inbox ADD COLUMN apart boolean NOT NULL DEFAULT false;
CREATE INDEX inbox_fresh ON inbox (event_id) WHERE NOT apart;
CREATE INDEX inbox_apart ON inbox (account_id, event_id) WHERE apart;
