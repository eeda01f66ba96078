/**
 * How many events and deliveries of an account are waiting: over its quota, its new events are refused before they can fill
 * the tables. Accounts with few are counted together. One with many is counted alone, so that nobody else's events wait for
 * it, and the more seldom the longer the count takes.
 */
import { sql } from 'kysely'
import { type Database, isRefused } from '../../db/database.ts'
import { createBatcher } from '../../ops/batch.ts'

/** Events that other processes accept meanwhile are not seen; an account may exceed its quota by those. */
const belowForMs = 10_000
const overForMs = 2_000
/** A count of an account takes at most one part in so many of the time. */
const maxShare = 20
const maxCountedTogether = 1_000
const maxRemembered = 100_000

export type IsOverQuota = (accountId: number) => Promise<boolean>

interface Count {
  waiting: number
  isOver: boolean
  isLarge: boolean
  until: number
  /** The next count, which is under way. */
  next?: Promise<Count>
}

export function createBacklogQuota(db: Database, quota: number, now: () => number): IsOverQuota {
  const counts = new Map<number, Count>()
  const countTogether = createBatcher(
    (accountIds: number[]) => countUpTo(db, accountIds, Math.min(quota, maxCountedTogether)),
    { mostItems: 1_000, mostRuns: 1, isRefusal: isRefused },
  )
  const countAlone = createBatcher((accountIds: number[]) => countUpTo(db, accountIds, quota), {
    mostItems: 1,
    mostRuns: 1,
    isRefusal: isRefused,
  })

  async function count(accountId: number, isKnownAsLarge: boolean): Promise<Count> {
    const startedAt = now()
    const few = isKnownAsLarge ? maxCountedTogether : await countTogether(accountId)
    const isLarge = few >= maxCountedTogether
    const waiting = isLarge ? await countAlone(accountId) : few
    const isOver = waiting >= quota
    const validMs = Math.max(isOver ? overForMs : belowForMs, (now() - startedAt) * maxShare)
    const counted = { waiting, isOver, isLarge, until: now() + validMs }
    if (counts.size > maxRemembered) counts.clear()
    counts.set(accountId, counted)
    return counted
  }

  /** Calls that come during a count share it. */
  function countAgain(accountId: number, last: Count): Promise<Count> {
    last.next ??= count(accountId, last.isLarge).finally(() => delete last.next)
    return last.next
  }

  return async (accountId) => {
    const last = counts.get(accountId)
    if (last === undefined) return (await count(accountId, false)).isOver
    const isValid = last.until > now()
    if (last.isOver && isValid) return true
    if (!last.isOver && isValid && ++last.waiting < quota) return false
    const next = countAgain(accountId, last)
    // The last verdict on a large account holds until the next one is there, unless its events since then say otherwise.
    const isStillSo = last.isOver === last.waiting >= quota
    if (!last.isLarge || !isStillSo) return (await next).isOver
    next.catch(() => (last.until = now() + belowForMs))
    return last.isOver
  }
}

/** What waits of each account, counted no further than to the given number. */
async function countUpTo(db: Database, accountIds: readonly number[], most: number): Promise<number[]> {
  const answer = await sql<{ waiting: number }>`/* kept */
    SELECT (SELECT count(*) FROM (SELECT FROM inbox WHERE account_id = given.account_id LIMIT ${most}) AS i)::integer
         + (SELECT count(*) FROM (SELECT FROM work WHERE account_id = given.account_id AND lease IS NULL AND NOT held LIMIT ${most}) AS w)
           ::integer AS waiting
    FROM unnest(${accountIds}::integer[]) WITH ORDINALITY AS given (account_id, place) ORDER BY place
  `.execute(db)
  return answer.rows.map((row) => row.waiting)
}
