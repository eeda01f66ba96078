-- How far rows that are followed in the order of commit can be read, without regard to transactions of others.

-- Called by every transaction that writes such rows, before it has a number: before it writes or locks anything. The lock
-- ends with the transaction and is shared, so that nobody waits for it; it only marks the transaction in pg_locks.
CREATE FUNCTION begin_ledger_write() RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT pg_advisory_xact_lock_shared(1819239282, 1) IS NOT NULL
$$;

-- Below this number every row that a marked transaction wrote is visible to the statement that asks, and none can follow.
-- A transaction that was running when the statement began counts, unless it is known to be somebody else's: it holds the
-- lock on its own number and no mark. Unmarked because it has just ended, it holds neither and still counts.
CREATE FUNCTION commit_horizon() RETURNS xid8 LANGUAGE sql STABLE AS $$
  WITH held AS MATERIALIZED (
    SELECT locktype, transactionid, coalesce(pid::text, virtualtransaction) AS holder,
           locktype = 'advisory' AND classid = 1819239282 AND objid = 1 AND objsubid = 2
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AS is_mark
    FROM pg_locks WHERE granted AND (locktype = 'advisory' OR locktype = 'transactionid' AND mode = 'ExclusiveLock')
  )
  SELECT coalesce(
    (SELECT running FROM pg_snapshot_xip(pg_current_snapshot()) AS running
     WHERE NOT EXISTS (
       SELECT FROM held WHERE locktype = 'transactionid' AND transactionid = running::xid
         AND NOT EXISTS (SELECT FROM held AS mark WHERE mark.is_mark AND mark.holder = held.holder))
     ORDER BY running LIMIT 1),
    pg_snapshot_xmax(pg_current_snapshot()))
$$;
