/**
 * Counts the pending events and deliveries of an account. Over its quota, new events are rejected before they fill
 * the tables. Accounts with few are counted together. An account with many is counted alone, so others do not wait
 * for it, and less often the longer the count takes.
 */
import { sql } from 'kysely'
import { type Database, isRejected } from '../../db/database.ts'
import { createBatcher } from '../../runtime/batch.ts'

/** Events accepted by other processes in this time are not seen. An account may exceed its quota by those. */
const belowForMs = 10_000
const overForMs = 2_000
/** A count stays valid at least 20 times as long as it took: counting takes at most 1/20 of the time. */
const minValidityFactor = 20
const maxCountedTogether = 1_000
const maxCachedCounts = 100_000

export type IsOverQuota = (accountId: number) => Promise<boolean>

interface Count {
  pending: number
  isOverQuota: boolean
  isLarge: boolean
  until: number
  /** The next count, while it is running. */
  next?: Promise<Count>
}

export function createBacklogQuota(db: Database, quota: number, now: () => number): IsOverQuota {
  const counts = new Map<number, Count>()
  const countTogether = createBatcher(
    (accountIds: number[]) => countUpTo(db, accountIds, Math.min(quota, maxCountedTogether)),
    { maxBatchSize: 1_000, maxConcurrentRuns: 1, isRejection: isRejected },
  )
  const countAlone = createBatcher((accountIds: number[]) => countUpTo(db, accountIds, quota), {
    maxBatchSize: 1,
    maxConcurrentRuns: 1,
    isRejection: isRejected,
  })

  async function count(accountId: number, wasLarge: boolean): Promise<Count> {
    const startedAt = now()
    const few = wasLarge ? maxCountedTogether : await countTogether(accountId)
    const isLarge = few >= maxCountedTogether
    const pending = isLarge ? await countAlone(accountId) : few
    const isOverQuota = pending >= quota
    const validMs = Math.max(isOverQuota ? overForMs : belowForMs, (now() - startedAt) * minValidityFactor)
    const counted = { pending, isOverQuota, isLarge, until: now() + validMs }
    if (counts.size > maxCachedCounts) counts.clear()
    counts.set(accountId, counted)
    return counted
  }

  /** Concurrent calls share one count. */
  function countAgain(accountId: number, last: Count): Promise<Count> {
    last.next ??= count(accountId, last.isLarge).finally(() => delete last.next)
    return last.next
  }

  return async (accountId) => {
    const last = counts.get(accountId)
    if (last === undefined) return (await count(accountId, false)).isOverQuota
    const isValid = last.until > now()
    if (last.isOverQuota && isValid) return true
    if (!last.isOverQuota && isValid && ++last.pending < quota) return false
    const next = countAgain(accountId, last)
    // The last result for a large account holds until the next count, unless events since then contradict it.
    const isConsistent = last.isOverQuota === last.pending >= quota
    if (!last.isLarge || !isConsistent) return (await next).isOverQuota
    next.catch(() => (last.until = now() + belowForMs))
    return last.isOverQuota
  }
}

/** Counts the pending events and deliveries of each account, up to `max` each. */
async function countUpTo(db: Database, accountIds: readonly number[], max: number): Promise<number[]> {
  const result = await sql<{ pending: number }>`/* prepared */
    SELECT (SELECT count(*) FROM (SELECT FROM inbox WHERE account_id = input.account_id LIMIT ${max}) AS i)::integer
         + (SELECT count(*) FROM (SELECT FROM work WHERE account_id = input.account_id AND lease IS NULL AND NOT held LIMIT ${max}) AS w)
           ::integer AS pending
    FROM unnest(${accountIds}::integer[]) WITH ORDINALITY AS input (account_id, index) ORDER BY index
  `.execute(db)
  return result.rows.map((row) => row.pending)
}
