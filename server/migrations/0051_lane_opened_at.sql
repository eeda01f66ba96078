-- When the circuit breaker opened, while it is open or probing.
ALTER TABLE lane ADD COLUMN opened_at timestamptz;
