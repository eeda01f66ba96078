/**
 * Explain: what became of an event, and why it reached each hook or did not.
 *   the event → the hooks as they were when it was routed → the very matcher on each → deliveries → sentences
 * Verdicts come from the hooks' versions and the matcher alone, never from what was delivered.
 */
import { setImmediate as rest } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { readStopsOf } from '../db/stops.ts'
import { type HookThen, hooksAt } from '../hooks/hook-history.ts'
import type { Event } from '../model/event.ts'
import { type FilterInput, filterInput } from '../model/event-filter.ts'
import { maxUnitsPerSlice } from '../model/filter/budget.ts'
import { describeProblem } from '../model/hook-problem.ts'
import { deliverySentence, standingSentence } from '../model/reasons.ts'
import { describeStop, indexStops } from '../model/stop.ts'
import type { Vault } from '../vault/vault.ts'
import { type DeliveryRecord, type EventRecord, readEventRecord } from './ledger/event-record.ts'
import { explainMatch, type Why } from './matching/explain-match.ts'
import { budgetAmong } from './matching/match.ts'
import { mostAttempts } from './retry/decide.ts'
import { type Revealed, type ShownAttempt, showAttempts } from './show-attempts.ts'

type Verdict = 'matched' | 'held' | 'not_matched' | 'created_later' | 'deleted_before'

export interface ExplainedHook {
  /** As it was when the event was routed; one that was created later, as it was made. */
  hook: HookThen
  verdict: Verdict
  why: Omit<Why, 'kind'> & { kind: Why['kind'] | 'disabled' | 'created_later' | 'deleted_before' | 'test' }
  deliveries: ExplainedDelivery[]
}

interface ExplainedDelivery extends Pick<DeliveryRecord, 'round' | 'state' | 'reason' | 'finishedAt'> {
  sentence: string
  /** The sentence without how the last attempt went. */
  standing: string
  attempts: ShownAttempt[]
  nextAttemptAt: Date | null
  nextWhy: string | null
}

export interface Explained {
  record: EventRecord
  routed: { at: Date; hooksVersion: string } | null
  hooks: ExplainedHook[]
  timeline: Array<{ at: Date; sentence: string }>
}

/** Undefined: the account has no such event. */
export async function explain(
  parts: { db: Database; vault: Vault; now: () => number },
  accountId: number,
  eventId: string,
  revealed: Revealed,
): Promise<Explained | undefined> {
  const record = await readEventRecord(parts.db, accountId, eventId)
  if (record === undefined) return undefined
  const now = new Date(parts.now())
  const event: Event = record
  const attempts = await showAttempts(
    parts,
    accountId,
    record.attempts.map((attempt) => ({ attempt, event })),
    revealed,
  )
  const routed = routeOf(record)
  const isPending = record.deliveries.some(({ state }) => state === 'waiting')
  const stops = indexStops(isPending ? await readStopsOf(parts.db, accountId) : [])
  /** Why a delivery is on hold for another reason than its receiver. */
  const holdOf = ({ state, hookId, callUrl, problem, isLeased }: DeliveryRecord): string | null => {
    if (state !== 'waiting') return null
    // Workers lease such a delivery again and again to see if its webhook loads; none of that is an attempt.
    if (problem !== null) return describeProblem(problem)
    // A stop does not interrupt an attempt that is already running.
    if (isLeased) return null
    const stop = stops.find(accountId, { id: hookId, host: URL.parse(callUrl ?? '')?.host ?? '' })
    return stop === undefined ? null : describeStop(stop.reason)
  }
  const known = routed === null ? [] : await hooksAt(parts.db, accountId, routed.hooksVersion, routed.at)
  const judged = await judgeAll(known, event, revealed.data)
  const hooks = judged.map(({ hook, verdict, why }) => ({
    hook,
    verdict,
    why,
    deliveries: record.deliveries
      .filter((delivery) => delivery.hookId === hook.hookId)
      .map((delivery) => explainDelivery(delivery, event, attempts, holdOf(delivery), now)),
  }))
  return { record, routed, hooks, timeline: timelineOf(record, routed, hooks, now) }
}

/** That it was routed is kept with what it became; the time is that of the first thing that happened to it. */
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

type Judged = Pick<ExplainedHook, 'hook' | 'verdict' | 'why'>

/** With the budget that the filters had when the event was routed. Yields to others by what it has cost. */
async function judgeAll(hooks: readonly HookThen[], event: Event, isRevealed: boolean): Promise<Judged[]> {
  const input = filterInput(event)
  const present = hooks.filter((hook) => !hook.isLater && hook.change !== 'deleted')
  const maxUnits = budgetAmong(
    present.map(({ eventType, eventFilter: filter }) => ({ eventType, filter })),
    input,
  )
  const judged: Judged[] = []
  let spent = 0
  for (const hook of hooks) {
    const { units, ...verdict } = judge(hook, event, input, maxUnits, isRevealed)
    judged.push({ hook, ...verdict })
    spent += units
    if (spent < maxUnitsPerSlice) continue
    await rest()
    spent = 0
  }
  return judged
}

function judge(
  hook: HookThen,
  event: Event,
  input: FilterInput,
  maxUnits: number,
  isRevealed: boolean,
): Pick<ExplainedHook, 'verdict' | 'why'> & { units: number } {
  if (hook.isLater) {
    const sentence = 'It was created afterwards: only events that come later reach it.'
    return { verdict: 'created_later', why: { kind: 'created_later', sentence }, units: 0 }
  }
  if (hook.change === 'deleted')
    return {
      verdict: 'deleted_before',
      why: { kind: 'deleted_before', sentence: 'It had been deleted before.' },
      units: 0,
    }
  const { why, units } =
    event.testHookId == null
      ? explainMatch(hook, input, maxUnits, isRevealed)
      : { why: reasonOfTest(hook, event.testHookId), units: 0 }
  const since = changedSince(hook)
  if (why.kind === 'filter_unreadable')
    return { verdict: 'held', why: { ...why, sentence: `${why.sentence}${since}` }, units }
  if (why.kind !== 'matched')
    return { verdict: 'not_matched', why: { ...why, sentence: `${why.sentence}${since}` }, units }
  if (hook.enabled) return { verdict: 'matched', why: { ...why, sentence: `${why.sentence}${since}` }, units }
  const sentence = `${why.sentence} It was disabled then, so the event was held for it.${since}`
  return { verdict: 'held', why: { kind: 'disabled', sentence }, units }
}

function reasonOfTest(hook: HookThen, testHookId: number): ExplainedHook['why'] {
  return testHookId === hook.hookId
    ? { kind: 'matched', sentence: 'This event is a test of it.' }
    : { kind: 'test', sentence: 'This event is a test of another webhook.' }
}

function changedSince({ laterChanges }: HookThen): string {
  if (laterChanges.some(({ change }) => change === 'deleted')) return ' It has been deleted since.'
  return laterChanges.length === 0 ? '' : ' It has been changed since; this is how it was then.'
}

function explainDelivery(
  delivery: DeliveryRecord,
  event: Event,
  all: readonly ShownAttempt[],
  hold: string | null,
  now: Date,
): ExplainedDelivery {
  const { hookId, round, state, reason, finishedAt } = delivery
  const attempts = all.filter((attempt) => attempt.hookId === hookId && attempt.round === round)
  const next = hold === null ? nextOf(delivery) : undefined
  const most = event.testHookId == null ? mostAttempts(event.type) : 1
  const known = { ...delivery, mostAttempts: most, last: attempts.at(-1), next, hold }
  return {
    round,
    state,
    reason,
    finishedAt,
    sentence: deliverySentence(known, now),
    standing: standingSentence(known, now),
    attempts,
    nextAttemptAt: next?.at ?? null,
    nextWhy: next?.why ?? hold,
  }
}

function nextOf({ state, dueAt, notBefore, isAsked, isLeased, attempts }: DeliveryRecord) {
  if (state !== 'waiting' || dueAt === null) return undefined
  const isPaused = notBefore !== null && notBefore.getTime() > dueAt.getTime()
  return {
    at: isPaused ? notBefore : dueAt,
    isUnderWay: isLeased,
    why: isPaused
      ? 'Most of the latest attempts at your server have failed, so deliveries pause until then.'
      : isAsked
        ? 'Your server asked us to wait until then.'
        : attempts === 0
          ? 'It waits for its turn.'
          : `That is the pause after attempt ${attempts}.`,
  }
}

function timelineOf(
  { acceptedAt, producer, parked, isInInbox, testHookId }: EventRecord,
  routed: Explained['routed'],
  hooks: readonly ExplainedHook[],
  now: Date,
): Explained['timeline'] {
  const took = hooks.filter(({ verdict }) => verdict === 'matched' || verdict === 'held').length
  const steps = [
    { at: acceptedAt, sentence: acceptedSentence(producer, testHookId !== null) },
    ...(parked === null ? [] : [{ at: parked.at, sentence: `It was set aside by us: ${parked.reason}.` }]),
    ...(isInInbox ? [{ at: now, sentence: 'It waits to be matched against your webhooks.' }] : []),
    ...(routed === null
      ? []
      : [{ at: routed.at, sentence: `It matched ${took === 1 ? '1 webhook' : `${took} webhooks`}.` }]),
    ...hooks.flatMap(({ hook, deliveries }) =>
      deliveries.flatMap((delivery) => stepsOf(hook, delivery, now)),
    ),
  ]
  return steps.toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

function acceptedSentence(producer: string | null, isTest: boolean): string {
  if (isTest) return 'Accepted: a test that you have asked for.'
  return producer === null ? 'Accepted.' : `Accepted from ${producer}.`
}

function stepsOf(hook: HookThen, delivery: ExplainedDelivery, now: Date): Explained['timeline'] {
  const name = `Webhook ${hook.hookId}${delivery.round > 1 ? `, sent again (${delivery.round - 1})` : ''}`
  const { state, attempts, finishedAt, nextAttemptAt, standing } = delivery
  return [
    ...attempts.map((attempt) => ({
      at: attempt.startedAt,
      sentence: `${name}, attempt ${attempt.attempt}: ${attempt.sentence}`,
    })),
    ...(finishedAt === null || state === 'delivered'
      ? []
      : [{ at: finishedAt, sentence: `${name}: ${standing}` }]),
    ...(nextAttemptAt === null || nextAttemptAt.getTime() < now.getTime()
      ? []
      : [{ at: nextAttemptAt, sentence: `${name}: next attempt.` }]),
  ]
}
