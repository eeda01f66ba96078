/**
 * Rows of the live list. Messages about one delivery can arrive in another order than a search result, so each state is
 * merged: a later round, a final state or more attempts win. Only the newest events are kept.
 */
import type { DeliveryReason, DeliverySummary, EventRow, NamedWebhook } from './types.ts'

/** Kept in memory. Filters by delivery choose from these. */
export const maxKept = 1_000

export interface AttemptResult {
  event_id: string
  hook_id: number
  round: number
  attempt: number
  reason: DeliveryReason
  status: number | null
  webhook: NamedWebhook | null
}

export type LiveMessage =
  | { kind: 'event'; event: EventRow }
  | { kind: 'attempt'; attempt: AttemptResult }
  | { kind: 'delivery'; eventId: string; delivery: DeliverySummary }
  | { kind: 'route'; eventId: string; deliveries: readonly DeliverySummary[] }

export interface LiveRow extends EventRow {
  /** Failed attempts received. */
  results: readonly AttemptResult[]
  /** Found by the search, which has applied all filters. */
  isFound: boolean
}

/** By event ID. */
export type LiveRows = ReadonlyMap<string, LiveRow>

const maxResults = 20

export function applyMessage(rows: Map<string, LiveRow>, message: LiveMessage): void {
  if (message.kind === 'event') {
    mergeEvent(rows, message.event, false)
    prune(rows)
    return
  }
  const id = message.kind === 'attempt' ? message.attempt.event_id : message.eventId
  const row = rows.get(id)
  if (row === undefined) return
  if (message.kind === 'route')
    rows.set(id, { ...row, is_routed: true, deliveries: mergeAll(row.deliveries, message.deliveries) })
  else if (message.kind === 'delivery')
    rows.set(id, { ...row, is_routed: true, deliveries: mergeAll(row.deliveries, [message.delivery]) })
  else rows.set(id, withAttempt(row, message.attempt))
}

export function applySearch(rows: Map<string, LiveRow>, found: readonly EventRow[]): void {
  for (const event of found) mergeEvent(rows, event, true)
  prune(rows)
}

function mergeEvent(rows: Map<string, LiveRow>, event: EventRow, isFound: boolean): void {
  const existing = rows.get(event.id)
  rows.set(event.id, {
    ...event,
    is_routed: event.is_routed || existing?.is_routed === true,
    deliveries: mergeAll(existing?.deliveries ?? [], event.deliveries),
    results: existing?.results ?? [],
    isFound: isFound || existing?.isFound === true,
  })
}

function withAttempt(row: LiveRow, result: AttemptResult): LiveRow {
  const { hook_id, round, attempt, reason, webhook } = result
  const retrying: DeliverySummary = { hook_id, round, state: 'waiting', reason, attempts: attempt, webhook }
  return {
    ...row,
    is_routed: true,
    deliveries: mergeAll(row.deliveries, [retrying]),
    results: [...row.results, result].slice(-maxResults),
  }
}

/** Returns one delivery per webhook and round, ordered by both. */
function mergeAll(
  known: readonly DeliverySummary[],
  received: readonly DeliverySummary[],
): DeliverySummary[] {
  const merged = new Map(known.map((delivery) => [keyOf(delivery), delivery]))
  for (const delivery of received) {
    const existing = merged.get(keyOf(delivery))
    merged.set(keyOf(delivery), existing === undefined ? delivery : laterOf(existing, delivery))
  }
  return [...merged.values()].toSorted((a, b) => a.hook_id - b.hook_id || a.round - b.round)
}

function keyOf({ hook_id: hookId, round }: DeliverySummary): string {
  return `${hookId} ${round}`
}

function laterOf(known: DeliverySummary, received: DeliverySummary): DeliverySummary {
  if (isFinal(known) !== isFinal(received)) return isFinal(known) ? known : received
  if (known.attempts !== received.attempts) return known.attempts > received.attempts ? known : received
  return received.reason === null ? known : received
}

function isFinal({ state }: DeliverySummary): boolean {
  return state !== 'waiting' && state !== 'held'
}

function prune(rows: Map<string, LiveRow>): void {
  if (rows.size <= maxKept) return
  for (const { id } of newestFirst(rows).slice(maxKept)) rows.delete(id)
}

/** IDs of events grow with time. */
export function newestFirst(rows: LiveRows): LiveRow[] {
  return [...rows.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1))
}

interface DeliveryFilters {
  hook_id?: number | undefined
  state?: string | undefined
  status?: number | undefined
  reason?: string | undefined
}

/** Whether the last round of a delivery meets all filters, as in a search. */
export function matchesFilters(
  { deliveries, results, isFound }: LiveRow,
  { hook_id: hookId, state, status, reason }: DeliveryFilters,
): boolean {
  if ([hookId, state, status, reason].every((filter) => filter === undefined)) return true
  const lastRounds = new Map(deliveries.map((delivery) => [delivery.hook_id, delivery])).values()
  return [...lastRounds].some((delivery) => {
    const attempts = results.filter(
      ({ hook_id, round }) => hook_id === delivery.hook_id && round === delivery.round,
    )
    return (
      (hookId === undefined || delivery.hook_id === hookId) &&
      (state === undefined || delivery.state === state) &&
      (isFound || status === undefined || attempts.some((attempt) => attempt.status === status)) &&
      (isFound ||
        reason === undefined ||
        delivery.reason === reason ||
        attempts.some((attempt) => attempt.reason === reason))
    )
  })
}
