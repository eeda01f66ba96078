-- Deliveries whose worker died, or was held up, while it had them leased. They are attempted in processes of their own
-- until they have proved harmless; meanwhile their rows in work are due in infinity, so that no worker claims them.
CREATE TABLE suspects (
  event_id uuid NOT NULL,
  hook_id integer NOT NULL,
  account_id integer NOT NULL,
  -- When it may be attempted next.
  due_at timestamptz NOT NULL DEFAULT now(),
  -- A process that attempted it together with others has crashed: the next attempt is made alone.
  is_alone boolean NOT NULL DEFAULT false,
  -- Its process has crashed although it was alone: it waits for an operator.
  quarantined_at timestamptz,
  reason text,
  PRIMARY KEY (event_id, hook_id)
);

CREATE INDEX suspects_due ON suspects (is_alone, due_at) WHERE quarantined_at IS NULL;
