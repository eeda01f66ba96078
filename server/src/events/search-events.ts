/**
 * Searches events of an account, newest first. Goes from day to day, in each along the index of the most selective
 * criterion. All other criteria are looked up for each candidate. A call examines a limited number of candidates for
 * a limited time, and then returns where to continue, with or without enough results.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Database, Trx } from '../db/database.ts'
import { minEventId } from '../model/event-id.ts'
import { maxId } from '../model/hook.ts'
import { type NumberSearch, readNumber } from '../model/number-search.ts'
import { withIndexScans } from '../ledger/indexed-read.ts'
import { byDay, type LedgerDay, ledgerDays, within } from '../ledger/days.ts'
import { findNumbers, type IndexedNumbers, numberCandidates, numberCondition } from './search-numbers.ts'

export const deliveryStates = ['delivered', 'failed', 'expired', 'cancelled', 'waiting', 'held'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/**
 * All criteria must hold; hook, state, reason and status for the same delivery. Only the last round of a delivery
 * counts, finished or not: a failed delivery that was replayed successfully has not failed.
 */
export interface EventSearch {
  /** Any of: message id, number, foreign id, id of a hook. */
  text?: string | undefined
  messageId?: string | undefined
  /** Sender or recipient, in any notation, or their last digits. */
  number?: string | undefined
  /** For numbers in national form. */
  country?: string | undefined
  foreignId?: string | undefined
  type?: string | undefined
  hookId?: number | undefined
  state?: DeliveryState | undefined
  /** Response status of an attempt of the round. */
  status?: number | undefined
  /** Reason of an attempt of the round, or of the finished delivery. */
  reason?: string | undefined
  /** Acceptance time: `from` inclusive, `to` exclusive. */
  from?: Date | undefined
  to?: Date | undefined
}

interface Page {
  /** Only events with a smaller id: the end of the previous page. */
  before?: string | undefined
  limit: number
  budgetMs?: number
}

interface Found {
  /** At most `limit` ids. Fewer, or none, do not mean that there are no more. */
  ids: string[]
  /** Start of the next page; null if there is none. */
  next: string | null
}

const defaultBudgetMs = 300
const maxCandidates = 4_000

export function searchEvents(
  db: Database,
  accountId: number,
  search: EventSearch,
  page: Page,
): Promise<Found> {
  return withIndexScans(db, (trx) => scanDays(trx, accountId, search, page))
}

async function scanDays(
  trx: Trx,
  accountId: number,
  search: EventSearch,
  { before, limit, budgetMs = defaultBudgetMs }: Page,
): Promise<Found> {
  const endsAt = performance.now() + budgetMs
  const minId = search.from && minEventId(search.from)
  const maxIdExclusive = smaller(search.to && minEventId(search.to), before)
  const ids: string[] = []
  let max = limit
  let examined = 0
  const days = (await ledgerDays(trx)).filter(
    ({ low, high }) =>
      (maxIdExclusive === undefined || low < maxIdExclusive) && (minId === undefined || high > minId),
  )
  for (const span of spansOf(days)) {
    const low = minId !== undefined && minId > span.low ? minId : span.low
    let high = smaller(span.high, maxIdExclusive) ?? span.high
    while (low < high) {
      const step = await scanSpan(trx, accountId, search, { low, high }, { max, needed: limit - ids.length })
      ids.push(...step.matching)
      if (ids.length >= limit) return { ids, next: ids.at(-1) ?? null }
      high = step.examined < max || step.last === null ? low : step.last
      examined += step.examined
      // Estimates the candidates needed from the match ratio so far. Without a match in this step, examines four
      // times more.
      const expected = (1.25 * examined * (limit - ids.length)) / ids.length
      const requested = step.matching.length === 0 ? max * 4 : Math.max(Math.ceil(expected), limit)
      max = Math.min(requested, maxCandidates)
      if (performance.now() > endsAt) return { ids, next: high }
    }
  }
  return { ids, next: null }
}

/**
 * Starts with the newest day, which answers most searches; then two, four, eight days together. One statement over
 * several days costs less than one per day.
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
  matching: string[]
  examined: number
  last: string | null
}

async function scanSpan(
  trx: Trx,
  accountId: number,
  search: EventSearch,
  span: LedgerDay,
  { max, needed }: { max: number; needed: number },
): Promise<Step> {
  const numberSearch = numberSearchOf(search)
  const numbers = numberSearch && (await findNumbers(trx, accountId, numberSearch, span))
  const { rows } = await sql<Step>`
    WITH candidates AS MATERIALIZED (
      SELECT id, bool_or(matches) AS matches FROM (${candidates(accountId, search, span, max, numbers)}) AS found
      GROUP BY id ORDER BY id DESC LIMIT ${sql.lit(max)}
    )
    SELECT array(
             SELECT id FROM candidates WHERE matches AND ${deliveryCondition(accountId, search, span)}
             ORDER BY id DESC LIMIT ${sql.lit(needed)}
           )::text[] AS matching,
           (SELECT count(*)::integer FROM candidates) AS examined,
           (SELECT id FROM candidates ORDER BY id LIMIT 1)::text AS last
  `.execute(trx)
  return rows[0] ?? { matching: [], examined: 0, last: null }
}

/** Returns the number that candidates are looked up by: the free text may be one. */
function numberSearchOf({
  text,
  messageId,
  foreignId,
  number,
  country,
}: EventSearch): NumberSearch | undefined {
  if (text !== undefined) return readNumber(text, country)
  const isIndexed = messageId === undefined && foreignId === undefined && number !== undefined
  return isIndexed ? readNumber(number, country) : undefined
}

/**
 * Selects candidate events from one index, or from several that each have some. Limits their number. `matches` says
 * whether each matches, as far as the index row shows.
 */
function candidates(
  accountId: number,
  search: EventSearch,
  span: LedgerDay,
  max: number,
  numbers: IndexedNumbers | undefined,
): RawBuilder<unknown> {
  const { text, messageId, foreignId, number, status, reason, state, hookId, type } = search
  const condition = eventCondition(search)
  // Criteria that the index already guarantees are not checked again. If it guarantees all, no event row is read.
  const events = (
    indexed: RawBuilder<unknown>,
    guaranteed: Partial<EventSearch> = {},
    matches: RawBuilder<unknown> = eventCondition({ ...search, ...guaranteed }) ?? sql`true`,
  ): RawBuilder<unknown> => sql`
    (SELECT id, ${matches} AS matches FROM events
     WHERE account_id = ${accountId} AND ${indexed} AND ${within(span, 'id')}
     ORDER BY id DESC LIMIT ${sql.lit(max)})`
  const inTable = (
    table: 'deliveries' | 'attempts' | 'work',
    indexed: RawBuilder<unknown>,
    matches: RawBuilder<unknown> = sql`true`,
  ): RawBuilder<unknown> => sql`
    (SELECT event_id AS id, bool_or(${matches} AND ${lookUpEvent(accountId, condition, span)}) AS matches FROM ${sql.table(table)} AS candidate
     WHERE account_id = ${accountId} AND ${indexed} AND ${within(span, 'event_id')}
     GROUP BY event_id ORDER BY event_id DESC LIMIT ${sql.lit(max)})`
  const byNumber = (input: string, guaranteed?: Partial<EventSearch>): Array<RawBuilder<unknown>> =>
    numbers === undefined
      ? []
      : numberCandidates(
          numbers,
          (indexed) => events(indexed, guaranteed),
          (matches) => events(sql`true`, {}, sql`${matches} AND ${condition ?? sql`true`}`),
          readNumber(input, search.country),
        )
  const byHook = (input: number): Array<RawBuilder<unknown>> => [
    inTable('deliveries', sql`hook_id = ${input}`),
    inTable('work', sql`hook_id = ${input}`),
  ]

  if (text !== undefined) {
    const textHookId = parseHookId(text)
    return anyOf(
      events(sql`message_id = ${text}`),
      events(sql`foreign_id = ${text}`),
      ...byNumber(text),
      ...(textHookId === undefined ? [] : byHook(textHookId)),
    )
  }
  if (messageId !== undefined) return events(sql`message_id = ${messageId}`, { messageId: undefined })
  if (foreignId !== undefined) return events(sql`foreign_id = ${foreignId}`, { foreignId: undefined })
  if (number !== undefined) return anyOf(...byNumber(number, { number: undefined }))
  if (status !== undefined && isFailure(status))
    return inTable('attempts', sql`status = ${status} AND reason <> 'delivered'`)
  if (reason !== undefined && reason !== 'delivered')
    return anyOf(
      inTable('attempts', sql`reason = ${reason} AND reason <> 'delivered'`),
      inTable('deliveries', sql`reason = ${reason} AND state <> 'delivered'`),
    )
  if (hookId !== undefined && state === undefined) return anyOf(...byHook(hookId))
  if (hookId !== undefined && isUnfinished(state))
    return inTable('work', sql`hook_id = ${hookId}`, sql`held = ${state === 'held'}`)
  if (hookId !== undefined && state === 'delivered') return inTable('deliveries', sql`hook_id = ${hookId}`)
  if (isUnfinished(state))
    return unfinished(accountId, state, span, max, lookUpEvent(accountId, condition, span))
  if (state !== undefined && state !== 'delivered')
    return inTable(
      'deliveries',
      sql`${hookId === undefined ? sql`true` : sql`hook_id = ${hookId}`} AND ${stateCondition(state)}`,
    )
  return type === undefined ? events(sql`true`) : events(sql`type = ${type}`, { type: undefined })
}

const none = sql`SELECT NULL::uuid AS id, false AS matches WHERE false`

function anyOf(...parts: Array<RawBuilder<unknown>>): RawBuilder<unknown> {
  return parts.length === 0 ? none : sql.join(parts, sql` UNION ALL `)
}

/**
 * Selects the newest unfinished deliveries of each hook, hook by hook along the index: no hook's backlog is scanned
 * for another.
 */
function unfinished(
  accountId: number,
  state: 'waiting' | 'held',
  span: LedgerDay,
  max: number,
  matches: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    WITH RECURSIVE hooks AS (
      (SELECT hook_id FROM work WHERE account_id = ${accountId} ORDER BY hook_id LIMIT 1)
      UNION ALL
      SELECT (SELECT work.hook_id FROM work WHERE account_id = ${accountId} AND work.hook_id > hooks.hook_id
              ORDER BY work.hook_id LIMIT 1)
      FROM hooks WHERE hooks.hook_id IS NOT NULL
    )
    SELECT candidate.event_id AS id, ${matches} AS matches FROM hooks CROSS JOIN LATERAL (
      SELECT event_id FROM work
      WHERE account_id = ${accountId} AND work.hook_id = hooks.hook_id AND held = ${state === 'held'}
        AND ${within(span, 'event_id')}
      ORDER BY event_id DESC LIMIT ${sql.lit(max)}
    ) AS candidate`
}

/** Returns the criteria on the event itself, over the columns of `events`; undefined if there are none. */
function eventCondition({
  messageId,
  foreignId,
  number,
  country,
  type,
}: EventSearch): RawBuilder<unknown> | undefined {
  const parts = [
    messageId === undefined ? undefined : sql`message_id IS NOT DISTINCT FROM ${messageId}`,
    foreignId === undefined ? undefined : sql`foreign_id IS NOT DISTINCT FROM ${foreignId}`,
    number === undefined ? undefined : numberCondition(readNumber(number, country)),
    type === undefined ? undefined : sql`type = ${type}`,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : sql`(${sql.join(parts, sql` AND `)})`
}

/**
 * Checks the event criteria for a row found in another table, as `candidate`. By key: with EXISTS the planner may
 * scan a whole day.
 */
function lookUpEvent(
  accountId: number,
  condition: RawBuilder<unknown> | undefined,
  span: LedgerDay,
): RawBuilder<unknown> {
  if (condition === undefined) return sql`true`
  return sql`coalesce((
    SELECT ${condition} FROM events
    WHERE events.account_id = ${accountId} AND events.id = candidate.event_id AND ${within(span, 'events.id')} LIMIT 1), false)`
}

/** Returns the criteria on one delivery, unless the index already guarantees them. */
function deliveryCondition(accountId: number, search: EventSearch, span: LedgerDay): RawBuilder<unknown> {
  const { hookId, state, status, reason } = search
  const hasCriteria = [hookId, state, status, reason].some((part) => part !== undefined)
  const isFoundByEvent = [search.text, search.messageId, search.foreignId, search.number].some(
    (part) => part !== undefined,
  )
  // Unfinished deliveries are in their last round. For finished ones the index does not say which round it was.
  const isDecidedByIndex =
    status === undefined && reason === undefined && (state === undefined || isUnfinished(state))
  if (!hasCriteria || (isDecidedByIndex && !isFoundByEvent)) return sql`true`
  return sql`coalesce((SELECT true FROM (${requestedDeliveries(accountId, search, span, sql`candidates.id`)}) AS candidate LIMIT 1), false)`
}

/** Selects event_id and hook_id of the deliveries of an event that match a search, each by its last round. */
function requestedDeliveries(
  accountId: number,
  search: EventSearch,
  span: LedgerDay,
  eventId: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { hookId, state } = search
  const hookCondition = hookId === undefined ? sql`true` : sql`candidate.hook_id = ${hookId}`
  const finished = sql`
    SELECT candidate.event_id, candidate.hook_id FROM deliveries AS candidate
    WHERE candidate.account_id = ${accountId} AND candidate.event_id = ${eventId} AND ${within(span, 'candidate.event_id')} AND ${hookCondition}
      AND ${state === undefined ? sql`true` : stateCondition(state)}
      AND ${attemptCondition(accountId, search, span, sql`candidate.reason`)} AND ${isLastRound(accountId, span)}`
  const open = sql`
    SELECT candidate.event_id, candidate.hook_id FROM work AS candidate
    WHERE candidate.account_id = ${accountId} AND candidate.event_id = ${eventId} AND ${hookCondition}
      AND ${isUnfinished(state) ? sql`candidate.held = ${state === 'held'}` : sql`true`}
      AND ${attemptCondition(accountId, search, span, sql`NULL`)}`
  if (state === undefined) return sql`${finished} UNION ALL ${open}`
  return isUnfinished(state) ? open : finished
}

/** Whether the finished delivery `candidate` was not replayed since. By keys, as in `lookUpEvent`. */
function isLastRound(accountId: number, span: LedgerDay): RawBuilder<unknown> {
  return sql`(
    SELECT true FROM deliveries AS later
    WHERE later.account_id = ${accountId} AND later.event_id = candidate.event_id AND later.hook_id = candidate.hook_id
      AND later.round > candidate.round AND ${within(span, 'later.event_id')}
    LIMIT 1) IS NULL
    AND (SELECT true FROM work AS later
         WHERE later.account_id = ${accountId} AND later.event_id = candidate.event_id AND later.hook_id = candidate.hook_id
         LIMIT 1) IS NULL`
}

/** Written so that the small partial index of undelivered deliveries can be used. */
function stateCondition(state: DeliveryState): RawBuilder<unknown> {
  return state === 'delivered'
    ? sql`candidate.state = 'delivered'`
    : sql`candidate.state = ${state} AND candidate.state <> 'delivered'`
}

/** Whether an attempt of the round `candidate` matches the search, or the finished delivery has the reason. */
function attemptCondition(
  accountId: number,
  { status, reason }: EventSearch,
  span: LedgerDay,
  finalReason: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (status === undefined && reason === undefined) return sql`true`
  const hasAttempt = sql`coalesce((
    SELECT true FROM all_attempts AS attempts
    WHERE attempts.account_id = ${accountId} AND attempts.event_id = candidate.event_id AND attempts.hook_id = candidate.hook_id
      AND attempts.round = candidate.round AND ${within(span, 'attempts.event_id')}
      AND ${status === undefined ? sql`true` : sql`attempts.status = ${status}`}
      AND ${reason === undefined ? sql`true` : sql`attempts.reason = ${reason}`}
    LIMIT 1), false)`
  return status === undefined ? sql`(${finalReason} = ${reason} OR ${hasAttempt})` : hasAttempt
}

export interface FoundDelivery {
  eventId: string
  hookId: number
}

/** Returns the deliveries that match a search, of events that it has found. */
export async function findDeliveries(
  db: Database,
  accountId: number,
  search: EventSearch,
  eventIds: readonly string[],
): Promise<FoundDelivery[]> {
  const found: FoundDelivery[] = []
  for (const [day, ids] of byDay(eventIds, (id) => id)) {
    const { rows } = await sql<FoundDelivery>`
      SELECT candidate.event_id, candidate.hook_id FROM unnest(${ids}::uuid[]) AS input (id) CROSS JOIN LATERAL (
        ${requestedDeliveries(accountId, search, day, sql`input.id`)}
      ) AS candidate ORDER BY candidate.event_id DESC, candidate.hook_id
    `.execute(db)
    found.push(...rows)
  }
  return found
}

export function isUnfinished(state: DeliveryState | undefined): state is 'waiting' | 'held' {
  return state === 'waiting' || state === 'held'
}

function isFailure(status: number): boolean {
  return status < 200 || status > 299
}

function parseHookId(text: string): number | undefined {
  return /^\d{1,10}$/.test(text) && Number(text) <= maxId ? Number(text) : undefined
}

/** Ids have the same order as text. */
function smaller(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one < other ? one : other
}
