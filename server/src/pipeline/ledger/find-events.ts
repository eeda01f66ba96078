/**
 * Finds events of an account, newest first. Goes from day to day and in each along the index of the most telling thing
 * that is asked for; whatever else is asked for is looked up for each candidate. A call looks at a bounded number of
 * candidates for a bounded time and then says where to go on, found enough or not.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { comparable } from '../../model/event-filter.ts'
import { floorOf } from '../../model/event-id.ts'
import { byDay, type LedgerDay, ledgerDays, within } from './ledger-days.ts'

export const deliveryStates = ['delivered', 'failed', 'expired', 'cancelled', 'waiting', 'held'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** All that is given must hold; hook, state, reason and status of one and the same delivery. */
export interface EventSearch {
  /** A message id, a number, a foreign id or the id of a hook, whichever it is. */
  text?: string | undefined
  messageId?: string | undefined
  /** From or to which the message went, in any of the ways to write it. */
  number?: string | undefined
  foreignId?: string | undefined
  type?: string | undefined
  hookId?: number | undefined
  state?: DeliveryState | undefined
  /** That an attempt was answered with. */
  status?: number | undefined
  /** Of an attempt, or of the delivery's end. */
  reason?: string | undefined
  /** When it was accepted: from then on, and before. */
  from?: Date | undefined
  to?: Date | undefined
}

interface Page {
  /** Only events with a smaller id: where the page before ended. */
  before?: string | undefined
  limit: number
  budgetMs?: number
}

interface Found {
  /** At most as many as were asked for; fewer, or none, do not mean that there are no more. */
  ids: string[]
  /** Where the next page begins; null: there is none. */
  next: string | null
}

const usualBudgetMs = 300
const mostCandidates = 4_000

export async function findEvents(
  db: Database,
  accountId: number,
  search: EventSearch,
  { before, limit, budgetMs = usualBudgetMs }: Page,
): Promise<Found> {
  const endsAt = performance.now() + budgetMs
  const lowest = search.from && floorOf(search.from)
  const highest = least(search.to && floorOf(search.to), before)
  const ids: string[] = []
  let most = limit
  const days = (await ledgerDays(db)).filter(
    ({ low, high }) => (highest === undefined || low < highest) && (lowest === undefined || high > lowest),
  )
  for (const span of spansOf(days)) {
    const low = lowest !== undefined && lowest > span.low ? lowest : span.low
    let high = least(span.high, highest) ?? span.high
    while (low < high) {
      const step = await look(db, accountId, search, { low, high }, { most, wanted: limit - ids.length })
      ids.push(...step.fitting)
      if (ids.length >= limit) return { ids, next: ids.at(-1) ?? null }
      high = step.examined < most || step.last === null ? low : step.last
      most = Math.min(most * 4, mostCandidates)
      if (performance.now() > endsAt) return { ids, next: high }
    }
  }
  return { ids, next: null }
}

/**
 * The newest day alone, which answers most searches; then two, four, eight at once. A statement over several days costs
 * less than one for each of them.
 */
function spansOf(days: readonly LedgerDay[]): LedgerDay[] {
  const spans: LedgerDay[] = []
  for (let first = 0, count = 1; first < days.length; first += count, count *= 2) {
    const [newest, oldest] = [days[first], days[Math.min(first + count, days.length) - 1]]
    if (newest !== undefined && oldest !== undefined) spans.push({ low: oldest.low, high: newest.high })
  }
  return spans
}

interface Step {
  fitting: string[]
  examined: number
  last: string | null
}

async function look(
  db: Database,
  accountId: number,
  search: EventSearch,
  day: LedgerDay,
  { most, wanted }: { most: number; wanted: number },
): Promise<Step> {
  const { rows } = await sql<Step>`
    WITH candidates AS MATERIALIZED (
      SELECT id FROM (${candidates(accountId, search, day, most)}) AS found ORDER BY id DESC LIMIT ${sql.lit(most)}
    )
    SELECT array(
             SELECT id FROM candidates WHERE ${conditions(accountId, search, day)}
             ORDER BY id DESC LIMIT ${sql.lit(wanted)}
           )::text[] AS fitting,
           (SELECT count(*)::integer FROM candidates) AS examined,
           (SELECT id FROM candidates ORDER BY id LIMIT 1)::text AS last
  `.execute(db)
  return rows[0] ?? { fitting: [], examined: 0, last: null }
}

/** Ids of events that may fit, found by one index, or by several that each hold some of them. */
function candidates(
  accountId: number,
  search: EventSearch,
  day: LedgerDay,
  most: number,
): RawBuilder<unknown> {
  const along = (table: string, column: string, condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    (SELECT DISTINCT ${sql.ref(column)} AS id FROM ${sql.table(table)}
     WHERE account_id = ${accountId} AND ${condition} AND ${within(day, column)}
     ORDER BY ${sql.ref(column)} DESC LIMIT ${sql.lit(most)})`
  const ofNumber = (text: string): Array<RawBuilder<unknown>> => [
    along('events', 'id', sql`sender = ${comparable(text)}`),
    along('events', 'id', sql`recipient = ${comparable(text)}`),
  ]
  const ofMessage = (text: string): RawBuilder<unknown> => along('events', 'id', sql`message_id = ${text}`)
  const ofForeignId = (text: string): RawBuilder<unknown> => along('events', 'id', sql`foreign_id = ${text}`)
  const ofHook = (hookId: number): Array<RawBuilder<unknown>> => [
    along('deliveries', 'event_id', sql`hook_id = ${hookId}`),
    along('work', 'event_id', sql`hook_id = ${hookId}`),
  ]

  const { text, messageId, foreignId, number, status, reason, state, hookId } = search
  if (text !== undefined) {
    const ownHook = hookIdOf(text)
    return anyOf(
      ofMessage(text),
      ofForeignId(text),
      ...ofNumber(text),
      ...(ownHook === undefined ? [] : ofHook(ownHook)),
    )
  }
  if (messageId !== undefined) return ofMessage(messageId)
  if (foreignId !== undefined) return ofForeignId(foreignId)
  if (number !== undefined) return anyOf(...ofNumber(number))
  if (status !== undefined && isFailure(status))
    return along('attempts', 'event_id', sql`status = ${status} AND reason <> 'delivered'`)
  if (reason !== undefined && reason !== 'delivered')
    return anyOf(
      along('attempts', 'event_id', sql`reason = ${reason} AND reason <> 'delivered'`),
      along('deliveries', 'event_id', sql`reason = ${reason} AND state <> 'delivered'`),
    )
  if (state === 'waiting' || state === 'held') return unfinished(accountId, state, day, most)
  if (state !== undefined && state !== 'delivered')
    return along('deliveries', 'event_id', sql`state = ${state} AND state <> 'delivered'`)
  if (hookId !== undefined) return anyOf(...ofHook(hookId))
  return along('events', 'id', sql`true`)
}

function anyOf(...parts: Array<RawBuilder<unknown>>): RawBuilder<unknown> {
  return sql.join(parts, sql` UNION `)
}

/** The newest of each hook that has work, hook after hook along the index: no hook's backlog is read through for another's. */
function unfinished(
  accountId: number,
  state: 'waiting' | 'held',
  day: LedgerDay,
  most: number,
): RawBuilder<unknown> {
  return sql`
    WITH RECURSIVE hooks AS (
      (SELECT hook_id FROM work WHERE account_id = ${accountId} ORDER BY hook_id LIMIT 1)
      UNION ALL
      SELECT (SELECT work.hook_id FROM work WHERE account_id = ${accountId} AND work.hook_id > hooks.hook_id
              ORDER BY work.hook_id LIMIT 1)
      FROM hooks WHERE hooks.hook_id IS NOT NULL
    )
    SELECT DISTINCT own.id FROM hooks CROSS JOIN LATERAL (
      SELECT event_id AS id FROM work
      WHERE account_id = ${accountId} AND work.hook_id = hooks.hook_id AND held = ${state === 'held'}
        AND ${within(day, 'event_id')}
      ORDER BY event_id DESC LIMIT ${sql.lit(most)}
    ) AS own`
}

/** What a candidate must still fulfil: nothing, where the index that it was found by says it all. */
function conditions(accountId: number, search: EventSearch, day: LedgerDay): RawBuilder<unknown> {
  const { text, from: _from, to: _to, ...named } = search
  const asked =
    Object.values(named).filter((value) => value !== undefined).length + (text === undefined ? 0 : 1)
  const isSaidByIndex = asked === 1 && search.type === undefined && !isOfDelivered(search)
  if (asked === 0 || isSaidByIndex) return sql`true`
  return sql.join(
    [ofEvent(accountId, search, day), ofDelivery(accountId, search, day)].filter(
      (part) => part !== undefined,
    ),
    sql` AND `,
  )
}

/** What is delivered has no index of its own: nearly all is. */
function isOfDelivered({ state, status, reason }: EventSearch): boolean {
  return state === 'delivered' || reason === 'delivered' || (status !== undefined && !isFailure(status))
}

function ofEvent(accountId: number, search: EventSearch, day: LedgerDay): RawBuilder<unknown> | undefined {
  const { messageId, foreignId, number, type } = search
  const parts = [
    messageId === undefined ? undefined : sql`message_id = ${messageId}`,
    foreignId === undefined ? undefined : sql`foreign_id = ${foreignId}`,
    number === undefined ? undefined : sql`${comparable(number)} IN (sender, recipient)`,
    type === undefined ? undefined : sql`type = ${type}`,
  ].filter((part) => part !== undefined)
  if (parts.length === 0) return undefined
  return sql`EXISTS (
    SELECT FROM events WHERE events.account_id = ${accountId} AND events.id = candidates.id AND ${within(day, 'events.id')}
      AND ${sql.join(parts, sql` AND `)})`
}

function ofDelivery(accountId: number, search: EventSearch, day: LedgerDay): RawBuilder<unknown> | undefined {
  const { hookId, state, status, reason } = search
  if (hookId === undefined && state === undefined && status === undefined && reason === undefined)
    return undefined
  return sql`EXISTS (${wantedDeliveries(accountId, search, day, sql`candidates.id`)})`
}

/** The deliveries of an event that a search asks for, finished or not: event_id and hook_id. */
function wantedDeliveries(
  accountId: number,
  search: EventSearch,
  day: LedgerDay,
  eventId: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { hookId, state } = search
  const isOpen = state === 'waiting' || state === 'held'
  const ofHook = hookId === undefined ? sql`true` : sql`own.hook_id = ${hookId}`
  const finished = sql`
    SELECT own.event_id, own.hook_id FROM deliveries AS own
    WHERE own.account_id = ${accountId} AND own.event_id = ${eventId} AND ${within(day, 'own.event_id')} AND ${ofHook}
      AND ${state === undefined ? sql`true` : sql`own.state = ${state}`}
      AND ${attempted(accountId, search, day, sql`own.reason`)}`
  const unfinishedOnes = sql`
    SELECT own.event_id, own.hook_id FROM work AS own
    WHERE own.account_id = ${accountId} AND own.event_id = ${eventId} AND ${ofHook}
      AND ${isOpen ? sql`own.held = ${state === 'held'}` : sql`true`}
      AND ${attempted(accountId, search, day, sql`NULL`)}`
  if (state === undefined) return sql`${finished} UNION ${unfinishedOnes}`
  return isOpen ? unfinishedOnes : finished
}

/** That an attempt of the delivery `own` went as the search asks, or its end has the reason. */
function attempted(
  accountId: number,
  { status, reason }: EventSearch,
  day: LedgerDay,
  endReason: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (status === undefined && reason === undefined) return sql`true`
  const such = sql`EXISTS (
    SELECT FROM attempts
    WHERE attempts.account_id = ${accountId} AND attempts.event_id = own.event_id AND attempts.hook_id = own.hook_id
      AND ${within(day, 'attempts.event_id')}
      AND ${status === undefined ? sql`true` : sql`attempts.status = ${status}`}
      AND ${reason === undefined ? sql`true` : sql`attempts.reason = ${reason}`})`
  return status === undefined ? sql`(${endReason} = ${reason} OR ${such})` : such
}

export interface FoundDelivery {
  eventId: string
  hookId: number
}

/** The deliveries that a search asks for, of events that it has found. */
export async function findDeliveries(
  db: Database,
  accountId: number,
  search: EventSearch,
  eventIds: readonly string[],
): Promise<FoundDelivery[]> {
  const found: FoundDelivery[] = []
  for (const [day, ids] of byDay(eventIds)) {
    const { rows } = await sql<FoundDelivery>`
      SELECT own.event_id, own.hook_id FROM unnest(${ids}::uuid[]) AS given (id) CROSS JOIN LATERAL (
        ${wantedDeliveries(accountId, search, day, sql`given.id`)}
      ) AS own ORDER BY own.event_id DESC, own.hook_id
    `.execute(db)
    found.push(...rows)
  }
  return found
}

function isFailure(status: number): boolean {
  return status < 200 || status > 299
}

/** Ids of hooks are integers of 31 bits. */
function hookIdOf(text: string): number | undefined {
  return /^\d{1,10}$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined
}

/** Ids compare as texts in the same order. */
function least(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one < other ? one : other
}
