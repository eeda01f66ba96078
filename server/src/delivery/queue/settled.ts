/** The result of a settle commit: which deliveries it settled, and what is known of their hooks. */
import { type RawBuilder, sql } from 'kysely'

export interface Settled {
  isSettled: boolean
  /** The hook has failed recently. */
  wasFailing: boolean
  /** The hook's breaker is open or probing. */
  isOpen: boolean
}

export interface SettledRow {
  /** The position of the settlement in its batch, from 1. */
  ordinal: number
  isSettled: boolean
  wasFailing: boolean
  isOpen: boolean
}

/**
 * The columns of a SettledRow, of a table with settlements. Each hook is looked up by its key: with EXISTS the planner may
 * scan the whole table.
 */
export function settledColumns(table: string, isSettled: RawBuilder<unknown>): RawBuilder<unknown> {
  const of = (column: string) => sql.ref(`${table}.${column}`)
  return sql`ordinal::integer, ${isSettled} AS is_settled,
    coalesce((SELECT true FROM hook_failures AS existing
              WHERE existing.account_id = ${of('account_id')} AND existing.hook_id = ${of('hook_id')} LIMIT 1), false)
      AS was_failing,
    coalesce((SELECT true FROM lane AS existing
              WHERE existing.account_id = ${of('account_id')} AND existing.hook_id = ${of('hook_id')} AND open_seconds > 0
              LIMIT 1), false) AS is_open`
}

/** Returns the result of each settlement. One without a row was not settled. */
export function settledByRow(items: readonly unknown[], rows: readonly SettledRow[]): Settled[] {
  return toSettled(items, rows, { isSettled: false, wasFailing: false, isOpen: false })
}

/** Returns the result of each settlement. One without a row was settled, and its hook has not failed. */
export function settledByException(items: readonly unknown[], rows: readonly SettledRow[]): Settled[] {
  return toSettled(items, rows, { isSettled: true, wasFailing: false, isOpen: false })
}

function toSettled(items: readonly unknown[], rows: readonly SettledRow[], others: Settled): Settled[] {
  const results = items.map(() => others)
  for (const { ordinal, isSettled, wasFailing, isOpen } of rows)
    results[ordinal - 1] = { isSettled, wasFailing: isOpen || wasFailing, isOpen }
  return results
}
