-- Time as cleanup counts it: follows the database's clock, but a leap of that clock at most a day at a time. One row.
CREATE TABLE cleanup_clock (
  id        boolean     PRIMARY KEY DEFAULT true CHECK (id),
  at        timestamptz NOT NULL,
  -- When it last moved by more than hours at once.
  leaped_at timestamptz NOT NULL DEFAULT '-infinity',
  -- When a day that held events was last dropped.
  dropped_at timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO cleanup_clock (at) VALUES (now());
