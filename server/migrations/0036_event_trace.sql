-- The trace of an event, for its requests: that of the producer, or of the recorded intake call.
ALTER TABLE events ADD COLUMN traceparent text;
