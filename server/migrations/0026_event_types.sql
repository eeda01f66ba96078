-- The older name of its event type that a webhook was registered with (rcs_mo and rcs_dlr for rcs). Null: the type itself.
-- The previous version ignores it and delivers the whole type.
ALTER TABLE hooks ADD COLUMN registered_as text;
ALTER TABLE hook_versions ADD COLUMN registered_as text;

-- Event types that operators have added. Removed ones stay, because stored events still have them.
CREATE TABLE event_types (
    name text PRIMARY KEY,
    definition json NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    changed_at timestamptz NOT NULL DEFAULT now(),
    removed_at timestamptz
);

-- Polled by every process. A row of its own, so that it is read without looking at the types.
CREATE TABLE event_types_version (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    version bigint NOT NULL DEFAULT 0
);
INSERT INTO event_types_version DEFAULT VALUES;
