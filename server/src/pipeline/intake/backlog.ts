/** How much of an account waits: over its quota, its new events are refused before they can fill the tables. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

const rememberedMs = 2_000

export type IsOverQuota = (accountId: number) => Promise<boolean>

export function createBacklogQuota(db: Database, quota: number, now: () => number): IsOverQuota {
  const remembered = new Map<number, { isOver: boolean; until: number }>()
  return async (accountId) => {
    const known = remembered.get(accountId)
    if (known !== undefined && known.until > now()) return known.isOver
    if (remembered.size > 100_000) remembered.clear()
    const isOver = await countUpTo(db, accountId, quota)
    remembered.set(accountId, { isOver, until: now() + rememberedMs })
    return isOver
  }
}

async function countUpTo(db: Database, accountId: number, quota: number): Promise<boolean> {
  const answer = await sql<{ isOver: boolean }>`
    SELECT (SELECT count(*) FROM (SELECT FROM inbox WHERE account_id = ${accountId} LIMIT ${quota}) AS i)
         + (SELECT count(*) FROM (SELECT FROM work WHERE account_id = ${accountId} AND NOT held LIMIT ${quota}) AS w)
         >= ${quota} AS is_over
  `.execute(db)
  return answer.rows[0]?.isOver ?? false
}
