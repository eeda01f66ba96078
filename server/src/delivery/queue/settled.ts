/** The result of a settle commit: which deliveries it settled, and what is known of their hooks. */
import { type RawBuilder, sql } from 'kysely'

export interface Settled {
  isSettled: boolean
  /** The hook has failed recently. */
  wasFailing: boolean
  /** The hook's breaker is open or probing. */
  isOpen: boolean
}

/** A delivery that was not settled, or whose hook has failed. */
export interface Exception extends Settled {
  /** The position of the settlement in its batch, from 1. */
  ordinal: number
  /** Not settled, because another transaction changed its row after the statement had found it. */
  isChanged: boolean
}

/** Far more changes of one row than there can be within the time that a settlement takes. */
const maxStatements = 20

/** Settles all items. Those that another transaction changed meanwhile are settled by another statement. */
export async function settleByStatements<Item>(
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<readonly Exception[]>,
): Promise<Settled[]> {
  const results: Settled[] = items.map(() => ({ isSettled: true, wasFailing: false, isOpen: false }))
  let left = [...items.keys()]
  for (let statements = 0; left.length > 0; statements++) {
    if (statements === maxStatements) throw new Error('the rows of settled deliveries change too often')
    const changed: number[] = []
    for (const { ordinal, isSettled, isChanged, wasFailing, isOpen } of await run(
      left.map((index) => items[index] as Item),
    )) {
      const index = left[ordinal - 1] ?? 0
      if (isChanged) changed.push(index)
      else results[index] = { isSettled, wasFailing: isOpen || wasFailing, isOpen }
    }
    left = changed
  }
  return results
}

/** The row of each settlement in `input`, by its key. Names all columns of every index that could be used. */
export function findRow(condition: RawBuilder<unknown> = sql``): RawBuilder<unknown> {
  return sql`(
        SELECT ctid AS tid FROM work
        WHERE work.event_id = input.event_id AND work.hook_id = input.hook_id AND work.account_id = input.account_id
          AND work.round = input.round ${condition}
        LIMIT 1
      )`
}

/**
 * Selects the exceptions from the stages `input`, with the found rows as `tid`, and `settled`, with the ordinals of
 * those that were settled. Each hook is looked up by its key: with EXISTS the planner may scan the whole table.
 */
export const exceptions: RawBuilder<Exception> = sql`
    SELECT ordinal, is_settled, tid IS NOT NULL AND NOT is_settled AS is_changed, was_failing, is_open FROM (
      SELECT ordinal::integer, tid, (ordinal IN (SELECT ordinal FROM settled)) IS TRUE AS is_settled,
        coalesce((SELECT true FROM hook_failures AS existing
                  WHERE existing.account_id = input.account_id AND existing.hook_id = input.hook_id LIMIT 1), false)
          AS was_failing,
        coalesce((SELECT true FROM lane AS existing
                  WHERE existing.account_id = input.account_id AND existing.hook_id = input.hook_id AND open_seconds > 0
                  LIMIT 1), false) AS is_open
      FROM input
    ) AS outcomes WHERE NOT is_settled OR was_failing OR is_open`
