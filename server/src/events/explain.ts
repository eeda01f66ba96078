/**
 * Explains what happened to an event, and why each hook received it or not.
 *   event → hooks as they were when it was routed → matcher on each → deliveries → descriptions
 * Verdicts come only from the hooks' versions and the matcher, never from the deliveries.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { readStopsOf } from '../db/stops.ts'
import { type HookSnapshot, hooksAt } from '../hooks/hook-history.ts'
import { defaultOptions } from '../model/delivery-options.ts'
import type { Event } from '../model/event.ts'
import type { EventCatalog } from '../model/event-type/catalog.ts'
import type { EventTraits } from '../model/event-traits.ts'
import { type FilterInput, filterInput } from '../model/filter/event-filter.ts'
import { maxUnitsPerSlice } from '../model/filter/budget.ts'
import { describeProblem, type HookProblem } from '../model/hook-problem.ts'
import {
  describeDelivery,
  describeNext,
  describeOutcome,
  type NextAttempt,
} from '../model/delivery/reasons.ts'
import { describeStop, indexStops } from '../model/stop.ts'
import type { Vault } from '../vault/vault.ts'
import { type DeliveryRecord, type EventRecord, readEventRecord } from './event-record.ts'
import { explainMatch, matchKinds, type Why } from '../delivery/matching/explain-match.ts'
import { budgetAmong } from '../delivery/matching/match.ts'
import { maxAttempts } from '../delivery/retry/retry-policy.ts'
import { type Visibility, type AttemptView, describeAttempts } from './describe-attempts.ts'

export const verdicts = ['matched', 'held', 'not_matched', 'created_later', 'deleted_before'] as const

/** Why a hook received an event or not. */
export const whyKinds = [...matchKinds, 'disabled', 'created_later', 'deleted_before', 'test'] as const

export interface ExplainedHook {
  /** The hook as it was when the event was routed. A hook that was created later is shown as created. */
  hook: HookSnapshot
  verdict: (typeof verdicts)[number]
  why: Omit<Why, 'kind'> & { kind: (typeof whyKinds)[number] }
  deliveries: ExplainedDelivery[]
}

interface ExplainedDelivery extends Pick<DeliveryRecord, 'round' | 'state' | 'reason' | 'finishedAt'> {
  message: string
  /** The message without the last attempt. */
  outcome: string
  attempts: AttemptView[]
  maxAttempts: number
  next: NextAttempt | undefined
  nextMessage: string | null
  hold: Hold | undefined
}

/** Why a pending delivery is on hold, other than its receiver: the hook cannot be loaded, or an operator stopped it. */
type Hold = { problem: HookProblem; stopReason?: never } | { problem?: never; stopReason: string }

export const timelineTypes = [
  'accepted',
  'parked',
  'waiting',
  'matched',
  'attempt',
  'finished',
  'next_attempt',
] as const

/** A step of the timeline. Hook and round are null for steps of the event itself. */
interface TimelineStep {
  at: Date
  type: (typeof timelineTypes)[number]
  hookId: number | null
  round: number | null
  attempt: number | null
  message: string
}

export interface Explained {
  record: EventRecord
  routed: { at: Date; hooksVersion: string } | null
  hooks: ExplainedHook[]
  timeline: TimelineStep[]
}

/** Returns undefined if the account has no such event. */
export async function explainEvent(
  deps: { db: Database; vault: Vault; now: () => number; catalog: EventCatalog },
  accountId: number,
  eventId: string,
  revealed: Visibility,
): Promise<Explained | undefined> {
  const record = await readEventRecord(deps.db, accountId, eventId)
  if (record === undefined) return undefined
  const now = new Date(deps.now())
  const event: Event = record
  const attempts = await describeAttempts(
    deps,
    accountId,
    record.attempts.map((attempt) => ({ attempt, event })),
    revealed,
  )
  const routed = routeOf(record)
  const isPending = record.deliveries.some(({ state }) => state === 'waiting')
  const stops = indexStops(isPending ? await readStopsOf(deps.db, accountId) : [])
  const holdOf = ({ state, hookId, callUrl, problem, isLeased }: DeliveryRecord): Hold | undefined => {
    if (state !== 'waiting') return undefined
    // Workers repeatedly lease such a delivery to check whether its hook loads. None of that is an attempt.
    if (problem !== null) return { problem }
    // A stop does not interrupt an attempt that is already running.
    if (isLeased) return undefined
    const stop = stops.find(accountId, { id: hookId, host: URL.parse(callUrl ?? '')?.host ?? '' })
    return stop && { stopReason: stop.reason }
  }
  const snapshots = routed === null ? [] : await hooksAt(deps.db, accountId, routed.hooksVersion, routed.at)
  const traits = deps.catalog.traitsOf(event.type)
  const evaluated = await evaluateHooks(snapshots, event, traits, revealed.data)
  const hooks = evaluated.map(({ hook, verdict, why }) => ({
    hook,
    verdict,
    why,
    deliveries: record.deliveries
      .filter((delivery) => delivery.hookId === hook.hookId)
      .map((delivery) => explainDelivery(delivery, event, traits, attempts, holdOf(delivery), now)),
  }))
  return { record, routed, hooks, timeline: timelineOf(record, routed, hooks, now) }
}

/** The route is stored with its results. Its time is that of the first trace of the event. */
function routeOf({
  hooksVersion,
  routedAt,
  deliveries,
  attempts,
  acceptedAt,
}: EventRecord): Explained['routed'] {
  if (hooksVersion === null) return null
  const traces = [
    ...attempts.map(({ startedAt }) => startedAt),
    ...deliveries.flatMap(({ finishedAt, dueAt }) => finishedAt ?? dueAt ?? []),
  ]
  const first = traces.toSorted((a, b) => a.getTime() - b.getTime())[0]
  return { at: routedAt ?? first ?? acceptedAt, hooksVersion }
}

type EvaluatedHook = Pick<ExplainedHook, 'hook' | 'verdict' | 'why'>

/** Evaluates with the budget that the filters had when the event was routed. Yields to other work by cost. */
async function evaluateHooks(
  hooks: readonly HookSnapshot[],
  event: Event,
  traits: EventTraits,
  isRevealed: boolean,
): Promise<EvaluatedHook[]> {
  const input = filterInput(event, traits)
  const present = hooks.filter((hook) => !hook.isLater && hook.change !== 'deleted')
  const maxUnits = budgetAmong(
    present.map(({ eventType, eventFilter: filter }) => ({ eventType, filter })),
    input,
  )
  const evaluated: EvaluatedHook[] = []
  let spent = 0
  for (const hook of hooks) {
    const { units, ...verdict } = evaluateHook(hook, event, input, maxUnits, isRevealed)
    evaluated.push({ hook, ...verdict })
    spent += units
    if (spent < maxUnitsPerSlice) continue
    await yieldToEventLoop()
    spent = 0
  }
  return evaluated
}

function evaluateHook(
  hook: HookSnapshot,
  event: Event,
  input: FilterInput,
  maxUnits: number,
  isRevealed: boolean,
): Pick<ExplainedHook, 'verdict' | 'why'> & { units: number } {
  if (hook.isLater) {
    const message = 'The webhook was created after this event.'
    return { verdict: 'created_later', why: { kind: 'created_later', message }, units: 0 }
  }
  if (hook.change === 'deleted')
    return {
      verdict: 'deleted_before',
      why: { kind: 'deleted_before', message: 'The webhook was deleted before this event.' },
      units: 0,
    }
  const { why, units } =
    event.testHookId == null && event.testConsumerId == null
      ? explainMatch(hook, input, maxUnits, isRevealed)
      : { why: reasonOfTest(hook, event), units: 0 }
  const since = changedSince(hook)
  if (why.kind === 'filter_unreadable')
    return { verdict: 'held', why: { ...why, message: `${why.message}${since}` }, units }
  if (why.kind !== 'matched')
    return { verdict: 'not_matched', why: { ...why, message: `${why.message}${since}` }, units }
  if (hook.enabled) return { verdict: 'matched', why: { ...why, message: `${why.message}${since}` }, units }
  const message = `${why.message} The webhook was disabled, so the event was put on hold.${since}`
  return { verdict: 'held', why: { kind: 'disabled', message }, units }
}

function reasonOfTest(hook: HookSnapshot, { testHookId, testConsumerId }: Event): ExplainedHook['why'] {
  if (testConsumerId != null)
    return { kind: 'test', message: `This event is a test of consumer ${testConsumerId}.` }
  return testHookId === hook.hookId
    ? { kind: 'matched', message: 'This event is a test of this webhook.' }
    : { kind: 'test', message: 'This event is a test of another webhook.' }
}

function changedSince({ laterChanges }: HookSnapshot): string {
  if (laterChanges.some(({ change }) => change === 'deleted')) return ' The webhook has been deleted since.'
  return laterChanges.length === 0
    ? ''
    : ' The webhook has changed since. Its settings at that time are shown.'
}

function explainDelivery(
  delivery: DeliveryRecord,
  event: Event,
  { isTimeSensitive }: EventTraits,
  all: readonly AttemptView[],
  hold: Hold | undefined,
  now: Date,
): ExplainedDelivery {
  const { hookId, round, state, reason, finishedAt } = delivery
  const attempts = all.filter((attempt) => attempt.hookId === hookId && attempt.round === round)
  const next = hold === undefined ? nextOf(delivery) : undefined
  // The current policy decides on a pending delivery. A finished one was decided by that of its last attempt.
  const retryPolicy = delivery.retryPolicy ?? attempts.at(-1)?.retryPolicy ?? defaultOptions.retryPolicy
  const max = event.testHookId == null ? maxAttempts(isTimeSensitive, retryPolicy) : 1
  const holdMessage = hold === undefined ? null : describeHold(hold)
  const described = { ...delivery, maxAttempts: max, last: attempts.at(-1), next, hold: holdMessage }
  return {
    round,
    state,
    reason,
    finishedAt,
    message: describeDelivery(described, now),
    outcome: describeOutcome(described, now),
    attempts,
    maxAttempts: max,
    next,
    nextMessage: next === undefined ? holdMessage : describeNext(next.reason, delivery.attempts),
    hold,
  }
}

function describeHold(hold: Hold): string {
  return hold.problem === undefined ? describeStop(hold.stopReason) : describeProblem(hold.problem)
}

function nextOf(delivery: DeliveryRecord): NextAttempt | undefined {
  const { state, dueAt, notBefore, isRetryAfter, isLeased, attempts } = delivery
  if (state !== 'waiting' || dueAt === null) return undefined
  if (isLeased) return { at: dueAt, reason: 'in_flight' }
  if (notBefore !== null && notBefore.getTime() > dueAt.getTime())
    return { at: notBefore, reason: 'circuit_open' }
  if (isRetryAfter) return { at: dueAt, reason: 'retry_after' }
  return { at: dueAt, reason: attempts === 0 ? 'scheduled' : 'backoff' }
}

function timelineOf(
  { acceptedAt, producer, parked, isInInbox, isTest }: EventRecord,
  routed: Explained['routed'],
  hooks: readonly ExplainedHook[],
  now: Date,
): Explained['timeline'] {
  const matched = hooks.filter(({ verdict }) => verdict === 'matched' || verdict === 'held').length
  const steps = [
    ofEvent('accepted', acceptedAt, describeAcceptance(producer, isTest)),
    ...(parked === null ? [] : [ofEvent('parked', parked.at, `Parked: ${parked.reason}.`)]),
    ...(isInInbox ? [ofEvent('waiting', now, 'Waiting to be matched.')] : []),
    ...(routed === null
      ? []
      : [ofEvent('matched', routed.at, `Matched ${matched === 1 ? '1 webhook' : `${matched} webhooks`}.`)]),
    ...hooks.flatMap(({ hook, deliveries }) =>
      deliveries.flatMap((delivery) => stepsOf(hook, delivery, now)),
    ),
  ]
  return steps.toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

/** A step of the event itself, before its deliveries. */
function ofEvent(type: TimelineStep['type'], at: Date, message: string): TimelineStep {
  return { at, type, hookId: null, round: null, attempt: null, message }
}

function describeAcceptance(producer: string | null, isTest: boolean): string {
  if (isTest) return 'Accepted: test event.'
  return producer === null ? 'Accepted.' : `Accepted from ${producer}.`
}

function stepsOf({ hookId }: HookSnapshot, delivery: ExplainedDelivery, now: Date): TimelineStep[] {
  const { round, state, attempts, finishedAt, next, outcome } = delivery
  const name = `Webhook ${hookId}${round > 1 ? `, replay ${round - 1}` : ''}`
  const of = { hookId, round, attempt: null }
  return [
    ...attempts.map(({ attempt, startedAt, message }) => ({
      ...of,
      type: 'attempt' as const,
      at: startedAt,
      attempt,
      message: `${name}, attempt ${attempt}: ${message}`,
    })),
    ...(finishedAt === null || state === 'delivered'
      ? []
      : [{ ...of, type: 'finished' as const, at: finishedAt, message: `${name}: ${outcome}` }]),
    ...(next === undefined || next.at.getTime() < now.getTime()
      ? []
      : [{ ...of, type: 'next_attempt' as const, at: next.at, message: `${name}: next attempt.` }]),
  ]
}
