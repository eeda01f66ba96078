-- Searches for what is rare, which would otherwise walk through all that an account has of a day.

CREATE INDEX events_type ON events (account_id, type, id);

-- What failed for a hook. What is delivered pays nothing for it.
CREATE INDEX deliveries_state_of_hook ON deliveries (account_id, hook_id, state, event_id) WHERE state <> 'delivered';
