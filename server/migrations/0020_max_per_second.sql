-- Named as the API field that the column stores. A rename like this one is possible only before the first release:
-- no earlier version runs beside the new one.
ALTER TABLE hooks RENAME COLUMN most_per_second TO max_per_second;
ALTER TABLE hooks RENAME CONSTRAINT hooks_most_per_second_check TO hooks_max_per_second_check;
ALTER TABLE replays RENAME COLUMN most_per_second TO max_per_second;
ALTER TABLE replays RENAME CONSTRAINT replays_most_per_second_check TO replays_max_per_second_check;
