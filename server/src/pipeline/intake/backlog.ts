/** How much of an account waits: over its quota, its new events are refused before they can fill the tables. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { createBatcher } from '../../ops/batch.ts'

/** What other processes accept meanwhile is not seen; an account may pass its quota by that. */
const belowForMs = 10_000
/** Counting that far takes a while, so the answer holds for some time. */
const overForMs = 2_000

export type IsOverQuota = (accountId: number) => Promise<boolean>

export function createBacklogQuota(db: Database, quota: number, now: () => number): IsOverQuota {
  const remembered = new Map<number, { waiting: number; isOver: boolean; until: number }>()
  const count = createBatcher((accountIds: number[]) => countUpTo(db, accountIds, quota), {
    mostItems: 1_000,
    mostRuns: 2,
  })
  return async (accountId) => {
    const known = remembered.get(accountId)
    if (known !== undefined && known.until > now()) {
      if (known.isOver) return true
      if (++known.waiting < quota) return false
    }
    const waiting = await count(accountId)
    const isOver = waiting >= quota
    if (remembered.size > 100_000) remembered.clear()
    remembered.set(accountId, { waiting, isOver, until: now() + (isOver ? overForMs : belowForMs) })
    return isOver
  }
}

/** What waits of each account, counted no further than to its quota. */
async function countUpTo(db: Database, accountIds: readonly number[], quota: number): Promise<number[]> {
  const answer = await sql<{ waiting: number }>`/* kept */
    SELECT (SELECT count(*) FROM (SELECT FROM inbox WHERE account_id = given.account_id LIMIT ${quota}) AS i)::integer
         + (SELECT count(*) FROM (SELECT FROM work WHERE account_id = given.account_id AND lease IS NULL AND NOT held LIMIT ${quota}) AS w)
           ::integer AS waiting
    FROM unnest(${accountIds}::integer[]) WITH ORDINALITY AS given (account_id, place) ORDER BY place
  `.execute(db)
  return answer.rows.map((row) => row.waiting)
}
