import type { TestService } from './test-service.ts'

/** Lets every transaction fail that is marked as a ledger write after it got its id: readers could pass its rows. */
export async function rejectLateMarks({ database }: Pick<TestService, 'database'>): Promise<void> {
  await database.query(`
    CREATE OR REPLACE FUNCTION begin_ledger_write() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
      IF pg_current_xact_id_if_assigned() IS NOT NULL AND NOT EXISTS (
        SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = 1819239282 AND pid = pg_backend_pid())
      THEN RAISE 'marked too late'; END IF;
      RETURN pg_advisory_xact_lock_shared(1819239282, 1) IS NOT NULL;
    END $$`)
}
