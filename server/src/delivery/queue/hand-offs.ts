/** Deliveries that api processes leased to a worker. One that the worker has not received was lost on the way. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { integer, unnestRows, uuid } from '../../db/rows.ts'
import { scheduleLanes } from './lanes.ts'
import { handOffLeasesOf, leaseSeconds } from './lease.ts'

/** A leased delivery, as far as its release needs. */
export interface LeasedName {
  lease: string
  accountId: number
  hookId: number
  eventId: string
}

/** Returns deliveries that were leased to a worker at least this long ago and are not settled. */
export async function findHandOffs(db: Database, worker: string, minAgeMs: number): Promise<LeasedName[]> {
  const [first, last] = handOffLeasesOf(worker)
  const { rows } = await sql<LeasedName>`/* prepared */
    SELECT lease, account_id, hook_id, event_id FROM work
    WHERE lease IS NOT NULL AND lease_until < now() + make_interval(secs => ${leaseSeconds - minAgeMs / 1_000})
      AND lease BETWEEN ${first}::uuid AND ${last}::uuid
  `.execute(db)
  return rows
}

/**
 * Releases deliveries that were handed off and did not start: they are due after a delay. A delivery that was not claimed
 * was no probe, so the breaker of its lane stays as it is, and other deliveries of the lane keep their earlier time.
 */
export async function releaseHandOffs(
  db: Database,
  rows: readonly LeasedName[],
  afterMs: number,
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    WITH released AS (
      UPDATE work SET lease = NULL, lease_until = NULL, due_at = now() + make_interval(secs => ${afterMs / 1_000})
      FROM ${unnestRows('input', rows, {
        lease: uuid(({ lease }) => lease),
        account_id: integer(({ accountId }) => accountId),
        hook_id: integer(({ hookId }) => hookId),
        event_id: uuid(({ eventId }) => eventId),
      })}
      WHERE work.account_id = input.account_id AND work.hook_id = input.hook_id AND work.event_id = input.event_id
        AND work.lease IS NOT DISTINCT FROM input.lease
      RETURNING work.account_id, work.hook_id, work.due_at
    )
    ${scheduleLanes(sql`SELECT account_id, hook_id, min(due_at), '' FROM released GROUP BY account_id, hook_id`)}
  `.execute(db)
}
