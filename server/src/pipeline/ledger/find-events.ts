/**
 * Finds events of an account, newest first. Goes from day to day and in each along the index of the most telling thing
 * that is asked for; whatever else is asked for is looked up for each candidate. A call looks at a bounded number of
 * candidates for a bounded time and then says where to go on, found enough or not.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { comparable } from '../../model/event-filter.ts'
import { floorOf } from '../../model/event-id.ts'
import { largestId } from '../../model/hook.ts'
import { alongIndexes } from './along-indexes.ts'
import { byDay, type LedgerDay, ledgerDays, within } from './ledger-days.ts'

export const deliveryStates = ['delivered', 'failed', 'expired', 'cancelled', 'waiting', 'held'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/**
 * All that is given must hold; hook, state, reason and status of one and the same delivery. Of one that was sent again
 * the last round counts, ended or not: what failed and was delivered since has not failed.
 */
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
  /** That an attempt of the round was answered with. */
  status?: number | undefined
  /** Of an attempt of the round, or of its end. */
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

export function findEvents(db: Database, accountId: number, search: EventSearch, page: Page): Promise<Found> {
  return alongIndexes(db, (trx) => walk(trx, accountId, search, page))
}

async function walk(
  trx: Trx,
  accountId: number,
  search: EventSearch,
  { before, limit, budgetMs = usualBudgetMs }: Page,
): Promise<Found> {
  const endsAt = performance.now() + budgetMs
  const lowest = search.from && floorOf(search.from)
  const highest = least(search.to && floorOf(search.to), before)
  const ids: string[] = []
  let most = limit
  let examined = 0
  const days = (await ledgerDays(trx)).filter(
    ({ low, high }) => (highest === undefined || low < highest) && (lowest === undefined || high > lowest),
  )
  for (const span of spansOf(days)) {
    const low = lowest !== undefined && lowest > span.low ? lowest : span.low
    let high = least(span.high, highest) ?? span.high
    while (low < high) {
      const step = await look(trx, accountId, search, { low, high }, { most, wanted: limit - ids.length })
      ids.push(...step.fitting)
      if (ids.length >= limit) return { ids, next: ids.at(-1) ?? null }
      high = step.examined < most || step.last === null ? low : step.last
      examined += step.examined
      // As many as should suffice by what has fitted so far; where nothing did just now, ever more.
      const expected = (1.25 * examined * (limit - ids.length)) / ids.length
      const wanted = step.fitting.length === 0 ? most * 4 : Math.max(Math.ceil(expected), limit)
      most = Math.min(wanted, mostCandidates)
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
  trx: Trx,
  accountId: number,
  search: EventSearch,
  span: LedgerDay,
  { most, wanted }: { most: number; wanted: number },
): Promise<Step> {
  const { rows } = await sql<Step>`
    WITH candidates AS MATERIALIZED (
      SELECT id, bool_or(fits) AS fits FROM (${candidates(accountId, search, span, most)}) AS found
      GROUP BY id ORDER BY id DESC LIMIT ${sql.lit(most)}
    )
    SELECT array(
             SELECT id FROM candidates WHERE fits AND ${ofDelivery(accountId, search, span)}
             ORDER BY id DESC LIMIT ${sql.lit(wanted)}
           )::text[] AS fitting,
           (SELECT count(*)::integer FROM candidates) AS examined,
           (SELECT id FROM candidates ORDER BY id LIMIT 1)::text AS last
  `.execute(trx)
  return rows[0] ?? { fitting: [], examined: 0, last: null }
}

/**
 * Events that may fit, found by one index, or by several that each hold some of them: as many as may be looked at, with
 * whether each fits as far as can be seen where it was found.
 */
function candidates(
  accountId: number,
  search: EventSearch,
  span: LedgerDay,
  most: number,
): RawBuilder<unknown> {
  const { text, messageId, foreignId, number, status, reason, state, hookId, type } = search
  const asked = ofEvent(search)
  // What the index has said need not be looked up again; where it has said all, no event itself is read.
  const events = (
    condition: RawBuilder<unknown>,
    said: Partial<EventSearch> = {},
  ): RawBuilder<unknown> => sql`
    (SELECT id, ${ofEvent({ ...search, ...said }) ?? sql`true`} AS fits FROM events
     WHERE account_id = ${accountId} AND ${condition} AND ${within(span, 'id')}
     ORDER BY id DESC LIMIT ${sql.lit(most)})`
  const others = (
    table: 'deliveries' | 'attempts' | 'work',
    condition: RawBuilder<unknown>,
    fits: RawBuilder<unknown> = sql`true`,
  ): RawBuilder<unknown> => sql`
    (SELECT event_id AS id, bool_or(${fits} AND ${lookedUp(accountId, asked, span)}) AS fits FROM ${sql.table(table)} AS own
     WHERE account_id = ${accountId} AND ${condition} AND ${within(span, 'event_id')}
     GROUP BY event_id ORDER BY event_id DESC LIMIT ${sql.lit(most)})`
  const ofNumber = (given: string, said?: Partial<EventSearch>): Array<RawBuilder<unknown>> => [
    events(sql`sender = ${comparable(given)}`, said),
    events(sql`recipient = ${comparable(given)}`, said),
  ]
  const ofHook = (given: number): Array<RawBuilder<unknown>> => [
    others('deliveries', sql`hook_id = ${given}`),
    others('work', sql`hook_id = ${given}`),
  ]

  if (text !== undefined) {
    const ownHook = hookIdOf(text)
    return anyOf(
      events(sql`message_id = ${text}`),
      events(sql`foreign_id = ${text}`),
      ...ofNumber(text),
      ...(ownHook === undefined ? [] : ofHook(ownHook)),
    )
  }
  if (messageId !== undefined) return events(sql`message_id = ${messageId}`, { messageId: undefined })
  if (foreignId !== undefined) return events(sql`foreign_id = ${foreignId}`, { foreignId: undefined })
  if (number !== undefined) return anyOf(...ofNumber(number, { number: undefined }))
  if (status !== undefined && isFailure(status))
    return others('attempts', sql`status = ${status} AND reason <> 'delivered'`)
  if (reason !== undefined && reason !== 'delivered')
    return anyOf(
      others('attempts', sql`reason = ${reason} AND reason <> 'delivered'`),
      others('deliveries', sql`reason = ${reason} AND state <> 'delivered'`),
    )
  if (hookId !== undefined && state === undefined) return anyOf(...ofHook(hookId))
  if (hookId !== undefined && isOpen(state))
    return others('work', sql`hook_id = ${hookId}`, sql`held = ${state === 'held'}`)
  if (hookId !== undefined && state === 'delivered') return others('deliveries', sql`hook_id = ${hookId}`)
  if (isOpen(state)) return unfinished(accountId, state, span, most, lookedUp(accountId, asked, span))
  if (state !== undefined && state !== 'delivered')
    return others(
      'deliveries',
      sql`${hookId === undefined ? sql`true` : sql`hook_id = ${hookId}`} AND ${ofState(state)}`,
    )
  return type === undefined ? events(sql`true`) : events(sql`type = ${type}`, { type: undefined })
}

function anyOf(...parts: Array<RawBuilder<unknown>>): RawBuilder<unknown> {
  return sql.join(parts, sql` UNION ALL `)
}

/** The newest of each hook that has work, hook after hook along the index: no hook's backlog is read through for another's. */
function unfinished(
  accountId: number,
  state: 'waiting' | 'held',
  span: LedgerDay,
  most: number,
  fits: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    WITH RECURSIVE hooks AS (
      (SELECT hook_id FROM work WHERE account_id = ${accountId} ORDER BY hook_id LIMIT 1)
      UNION ALL
      SELECT (SELECT work.hook_id FROM work WHERE account_id = ${accountId} AND work.hook_id > hooks.hook_id
              ORDER BY work.hook_id LIMIT 1)
      FROM hooks WHERE hooks.hook_id IS NOT NULL
    )
    SELECT own.event_id AS id, ${fits} AS fits FROM hooks CROSS JOIN LATERAL (
      SELECT event_id FROM work
      WHERE account_id = ${accountId} AND work.hook_id = hooks.hook_id AND held = ${state === 'held'}
        AND ${within(span, 'event_id')}
      ORDER BY event_id DESC LIMIT ${sql.lit(most)}
    ) AS own`
}

/** What is asked of the event itself, over the columns of `events`; undefined: nothing. */
function ofEvent({ messageId, foreignId, number, type }: EventSearch): RawBuilder<unknown> | undefined {
  const parts = [
    messageId === undefined ? undefined : sql`message_id IS NOT DISTINCT FROM ${messageId}`,
    foreignId === undefined ? undefined : sql`foreign_id IS NOT DISTINCT FROM ${foreignId}`,
    number === undefined ? undefined : sql`(${comparable(number)} IN (sender, recipient)) IS TRUE`,
    type === undefined ? undefined : sql`type = ${type}`,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : sql`(${sql.join(parts, sql` AND `)})`
}

/** The same for what was found elsewhere, as `own`. By its key: asked with EXISTS, the planner may read a whole day instead. */
function lookedUp(
  accountId: number,
  asked: RawBuilder<unknown> | undefined,
  span: LedgerDay,
): RawBuilder<unknown> {
  if (asked === undefined) return sql`true`
  return sql`coalesce((
    SELECT ${asked} FROM events
    WHERE events.account_id = ${accountId} AND events.id = own.event_id AND ${within(span, 'events.id')} LIMIT 1), false)`
}

/** What is asked of one and the same delivery, unless the index that led here has said it all. */
function ofDelivery(accountId: number, search: EventSearch, span: LedgerDay): RawBuilder<unknown> {
  const { hookId, state, status, reason } = search
  const isAsked = [hookId, state, status, reason].some((part) => part !== undefined)
  const isFoundByEvent = [search.text, search.messageId, search.foreignId, search.number].some(
    (part) => part !== undefined,
  )
  // What has not ended is in its last round; of what has, an index does not say which round it was.
  const isSeen = status === undefined && reason === undefined && (state === undefined || isOpen(state))
  if (!isAsked || (isSeen && !isFoundByEvent)) return sql`true`
  return sql`coalesce((SELECT true FROM (${wantedDeliveries(accountId, search, span, sql`candidates.id`)}) AS own LIMIT 1), false)`
}

/** The deliveries of an event that a search asks for, each by its last round, finished or not: event_id and hook_id. */
function wantedDeliveries(
  accountId: number,
  search: EventSearch,
  span: LedgerDay,
  eventId: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { hookId, state } = search
  const ofHook = hookId === undefined ? sql`true` : sql`own.hook_id = ${hookId}`
  const finished = sql`
    SELECT own.event_id, own.hook_id FROM deliveries AS own
    WHERE own.account_id = ${accountId} AND own.event_id = ${eventId} AND ${within(span, 'own.event_id')} AND ${ofHook}
      AND ${state === undefined ? sql`true` : ofState(state)}
      AND ${attempted(accountId, search, span, sql`own.reason`)} AND ${isLast(accountId, span)}`
  const open = sql`
    SELECT own.event_id, own.hook_id FROM work AS own
    WHERE own.account_id = ${accountId} AND own.event_id = ${eventId} AND ${ofHook}
      AND ${isOpen(state) ? sql`own.held = ${state === 'held'}` : sql`true`}
      AND ${attempted(accountId, search, span, sql`NULL`)}`
  if (state === undefined) return sql`${finished} UNION ALL ${open}`
  return isOpen(state) ? open : finished
}

/** That the delivery `own`, which has ended, was not sent again since. By keys, as in `lookedUp`. */
function isLast(accountId: number, span: LedgerDay): RawBuilder<unknown> {
  return sql`(
    SELECT true FROM deliveries AS later
    WHERE later.account_id = ${accountId} AND later.event_id = own.event_id AND later.hook_id = own.hook_id
      AND later.round > own.round AND ${within(span, 'later.event_id')}
    LIMIT 1) IS NULL
    AND (SELECT true FROM work AS later
         WHERE later.account_id = ${accountId} AND later.event_id = own.event_id AND later.hook_id = own.hook_id
         LIMIT 1) IS NULL`
}

/** Said so that the index of what is not delivered, which is small, can answer. */
function ofState(state: DeliveryState): RawBuilder<unknown> {
  return state === 'delivered'
    ? sql`own.state = 'delivered'`
    : sql`own.state = ${state} AND own.state <> 'delivered'`
}

/** That an attempt of the round `own` went as the search asks, or its end has the reason. */
function attempted(
  accountId: number,
  { status, reason }: EventSearch,
  span: LedgerDay,
  endReason: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (status === undefined && reason === undefined) return sql`true`
  const such = sql`coalesce((
    SELECT true FROM attempts
    WHERE attempts.account_id = ${accountId} AND attempts.event_id = own.event_id AND attempts.hook_id = own.hook_id
      AND attempts.round = own.round AND ${within(span, 'attempts.event_id')}
      AND ${status === undefined ? sql`true` : sql`attempts.status = ${status}`}
      AND ${reason === undefined ? sql`true` : sql`attempts.reason = ${reason}`}
    LIMIT 1), false)`
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
  for (const [day, ids] of byDay(eventIds, (id) => id)) {
    const { rows } = await sql<FoundDelivery>`
      SELECT own.event_id, own.hook_id FROM unnest(${ids}::uuid[]) AS given (id) CROSS JOIN LATERAL (
        ${wantedDeliveries(accountId, search, day, sql`given.id`)}
      ) AS own ORDER BY own.event_id DESC, own.hook_id
    `.execute(db)
    found.push(...rows)
  }
  return found
}

export function isOpen(state: DeliveryState | undefined): state is 'waiting' | 'held' {
  return state === 'waiting' || state === 'held'
}

function isFailure(status: number): boolean {
  return status < 200 || status > 299
}

function hookIdOf(text: string): number | undefined {
  return /^\d{1,10}$/.test(text) && Number(text) <= largestId ? Number(text) : undefined
}

/** Ids compare as texts in the same order. */
function least(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one < other ? one : other
}
