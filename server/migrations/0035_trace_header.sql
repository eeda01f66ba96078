-- Whether requests of a webhook have the header `traceparent`.
ALTER TABLE hooks ADD COLUMN trace_header boolean NOT NULL DEFAULT false;
ALTER TABLE hook_versions ADD COLUMN trace_header boolean NOT NULL DEFAULT false;
