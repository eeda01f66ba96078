/**
 * Jobs for isolated processes: an attempt at a receiver, and matching an event against filters. This file has both
 * ends: how a worker sends a job, and how the process runs it. Keys are sent as bytes, since key objects cannot be
 * serialized.
 */
import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Event } from '../model/event.ts'
import type { EventTraits } from '../model/event-traits.ts'
import { filterInput } from '../model/filter/event-filter.ts'
import type { Outcome } from '../model/delivery/outcome.ts'
import { attemptOnce, NoOutcome, type PlannedAttempt } from './attempt-once.ts'
import type { Send } from './transport/send.ts'
import type { JobEnd, Runner } from './isolation/runner.ts'
import type { Handlers } from './isolation/serve-jobs.ts'
import { currentForMs } from './queue/lease.ts'
import type { MatchableHook } from './matching/match.ts'
import { matchWithPauses } from './matching/match-hooks.ts'

interface AttemptJob extends Omit<PlannedAttempt, 'hook' | 'signingKeys'> {
  hook: Omit<PlannedAttempt['hook'], 'secrets'> & { secrets: Uint8Array[] }
  signingKeys: Uint8Array[]
  /** On the machine's monotonic clock. The hook is current only until then, so nothing is sent later. */
  notAfterMs: number
}

interface MatchJob {
  event: Event
  traits: EventTraits
  hooks: readonly MatchableHook[]
}

/** The clock is the same for all processes of a machine. */
function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n)
}

/** `createSend` receives the clock of the worker, as reported by the jobs. */
export function createHandlers(createSend: (now: () => number) => Send): Handlers {
  let offsetMs = 0
  const send = createSend(() => Date.now() + offsetMs)
  return {
    attempt(job) {
      offsetMs = (job as AttemptJob).startedAt - Date.now()
      return attemptIsolated(send, job as AttemptJob)
    },
    match: (job) => matchAll(job as MatchJob),
  }
}

/** Returns undefined if the job is too late to be attempted. */
async function attemptIsolated(send: Send, job: AttemptJob): Promise<Outcome | undefined> {
  if (monotonicMs() > job.notAfterMs) return undefined
  return attemptOnce(send, {
    ...job,
    hook: { ...job.hook, secrets: job.hook.secrets.map((secret) => createSecretKey(secret)) },
    signingKeys: job.signingKeys.map((key) => createSecretKey(key)),
  })
}

/** Matches as routing does, only to see whether the process survives. */
async function matchAll({ event, traits, hooks }: MatchJob): Promise<void> {
  await matchWithPauses(hooks, filterInput(event, traits))
}

/** Throws if the job threw. Any other end than success has no outcome. */
export async function attemptIn(
  runner: Runner,
  { hook, signingKeys, delivery, startedAt, deadlineMs, retryPolicy, traceparent }: PlannedAttempt,
): Promise<Outcome> {
  const {
    id,
    targetUrl,
    callUrl,
    requestMethod,
    headers,
    formFields,
    acceptHeader,
    traceHeader,
    signatureUrl,
  } = hook
  const options = { formFields, acceptHeader, traceHeader, signatureUrl }
  const secrets = hook.secrets.map(bytesOf)
  const job: AttemptJob = {
    hook: { id, targetUrl, callUrl, requestMethod, headers, ...options, secrets },
    signingKeys: signingKeys.map(bytesOf),
    delivery: { event: delivery.event, round: delivery.round, attempts: delivery.attempts },
    startedAt,
    deadlineMs,
    retryPolicy,
    traceparent,
    notAfterMs: monotonicMs() + currentForMs,
  }
  const end = await runner.run('attempt', job)
  if (end.state === 'failed') throw new Error(end.cause)
  if (end.state === 'crashed') throw new NoOutcome(end.cause)
  if (end.state === 'unknown' || end.result === undefined) throw new NoOutcome(undefined)
  return end.result as Outcome
}

export function matchIn(runner: Runner, { event, traits, hooks }: MatchJob): Promise<JobEnd> {
  const job: MatchJob = {
    event,
    traits,
    hooks: hooks.map(({ eventType, filter }) => ({ eventType, filter })),
  }
  return runner.run('match', job)
}

function bytesOf(key: KeyObject): Uint8Array {
  return new Uint8Array(key.export())
}
