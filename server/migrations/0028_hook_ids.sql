-- no transaction
-- Ids are unique over all accounts, those of imported hooks too.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS hooks_id ON hooks (id);
