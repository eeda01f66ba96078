-- Attempts whose isolated process was killed, did not start or did not answer: the next one waits longer, and is made alone.
ALTER TABLE suspects ADD COLUMN inconclusive_attempts integer NOT NULL DEFAULT 0;
