-- no transaction
-- Finds the webhooks with recent losses. A success changes no indexed column, so its update stays within the page.
CREATE INDEX CONCURRENTLY IF NOT EXISTS rollups_losses ON rollups (hour) WHERE failed > 0 OR expired > 0;
