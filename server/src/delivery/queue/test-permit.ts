/**
 * Test events pass an open circuit breaker, one at a time per hook. The permit is stored on the lane, so all processes
 * share it: the API takes it before it commits the event, the route commit honors it, and settling returns it. A permit
 * that was not returned, because a process died, expires.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { unnestRows, integer, uuid } from '../../db/rows.ts'

/** A test that is routed later waits for the breaker. */
const routeSeconds = 30
/** Routed in time, leased for 30 seconds: no test of this permit is in flight any more. */
const expireSeconds = 60

/** Returns false if another test of the hook has the permit. A hook whose breaker is closed needs none. */
export async function takeTestPermit(db: Database, accountId: number, hookId: number): Promise<boolean> {
  const { rows } = await sql<{ isFree: boolean }>`
    WITH taken AS (
      UPDATE lane SET tested_at = now()
      WHERE account_id = ${accountId} AND hook_id = ${hookId} AND open_seconds > 0
        AND (tested_at IS NULL OR tested_at < now() - make_interval(secs => ${expireSeconds}))
      RETURNING 1
    )
    SELECT EXISTS (SELECT FROM taken) OR NOT EXISTS (
      SELECT FROM lane WHERE account_id = ${accountId} AND hook_id = ${hookId} AND open_seconds > 0
    ) AS is_free
  `.execute(db)
  return rows[0]?.isFree ?? true
}

/** Whether a test event has the permit of its lane. Ids of events ascend, so earlier tests do not have it. */
export function hasTestPermit(lane: RawBuilder<unknown>, eventId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${lane}.tested_at > now() - make_interval(secs => ${routeSeconds})
    AND ${eventId} >= uuid_v7_floor(${lane}.tested_at)) IS TRUE`
}

interface FinishedTest {
  accountId: number
  hookId: number
  eventId: string
}

export async function returnTestPermits(db: Database, tests: readonly FinishedTest[]): Promise<void> {
  if (tests.length === 0) return
  await sql`
    UPDATE lane SET tested_at = NULL
    FROM ${unnestRows('tested', tests, {
      account_id: integer(({ accountId }) => accountId),
      hook_id: integer(({ hookId }) => hookId),
      event_id: uuid(({ eventId }) => eventId),
    })}
    WHERE lane.account_id = tested.account_id AND lane.hook_id = tested.hook_id
      AND tested.event_id >= uuid_v7_floor(lane.tested_at)
  `.execute(db)
}
