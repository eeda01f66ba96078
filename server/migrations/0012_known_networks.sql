-- Sign-in throttling: attempts in flight reserve allowance; networks where a login signed in successfully are known.

ALTER TABLE login_attempts
  -- Reservations of attempts that have not finished: reservation id → when it expires, in seconds of the epoch.
  ADD COLUMN in_flight jsonb NOT NULL DEFAULT '{}';

CREATE TABLE known_networks (
  login_id integer     NOT NULL REFERENCES logins ON DELETE CASCADE,
  -- Keyed digest of the network.
  network  bytea       NOT NULL,
  -- To the day.
  seen_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (login_id, network)
);
