-- Calls of people who are signed in are counted apart, so that a key that floods its account does not keep them out.
CREATE UNLOGGED TABLE people_call_counts (
  account_id integer     PRIMARY KEY,
  minute     timestamptz NOT NULL,
  calls      integer     NOT NULL
) WITH (fillfactor = 50);
