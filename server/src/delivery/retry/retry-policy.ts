/**
 * Decides the next step after an outcome. Pure; its truth tables are in docs/retries.md and in its test.
 *
 *   waiting ── 2xx ──────────────────────────▶ delivered
 *           ── final failure, no attempts left ▶ failed
 *           ── next attempt would be too late ──▶ expired
 *           ── everything else ───────────────▶ waiting, due later
 *
 * A service fault uses up no attempt. In an outage of the service (no resolver, no sockets) the delivery waits as
 * long as the outage lasts. A fault that affects only this delivery fails it in the end.
 *
 * A hook with the policy `original` has the rules of the original service, for receivers that rely on them: 3xx is a
 * success, few statuses are retried, and 410 disables nothing.
 */
import { retryPolicies, type RetryPolicy } from '../../model/delivery-options.ts'
import { type Outcome, type AttemptReason, attemptReasons } from '../../model/delivery/outcome.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** 12 attempts over 70.7 hours: frequent while a restart is likely, then long enough to outlast a weekend. */
const standardSchedule = [
  0,
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  1 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
  24 * hour,
]
/** 14 attempts over 75.7 to 90.9 hours, on average 3.5 days. */
const originalSchedule = [
  0,
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  1 * hour,
  2 * hour,
  4 * hour,
  8 * hour,
  12 * hour,
  16 * hour,
  16 * hour,
  16 * hour,
]
const schedules: Record<RetryPolicy, readonly number[]> = {
  standard: standardSchedule,
  original: originalSchedule,
}
/** Time-sensitive events expire after 30 seconds. */
const timeSensitiveSchedule = [0, 1 * second, 3 * second, 10 * second]
const timeSensitiveExpiryMs = 30 * second

/** Shorter with more attempts, so that the policy does not lengthen the time for which events must be stored. */
const maxRetryAfterMs: Record<RetryPolicy, number> = { standard: 24 * hour, original: 16 * hour }
const jitterRatio = 0.2
/** The longest time from the first attempt to the last: every Retry-After is at its maximum. */
export const maxRetryMs = Math.max(...retryPolicies.map(maxRetryMsOf))
/** Doubles with each consecutive service fault. */
const serviceFaultDelayMs = 5 * second
const maxServiceFaultDelayMs = 10 * minute
/** 50 minutes with the delays between them: enough to roll back a version that cannot build a request. */
const maxInternalFaults = 12

/** The original service retries these statuses. All others below 200 and from 400 are final. */
const originalRetriedStatuses: ReadonlySet<number | undefined> = new Set([429, 500, 502, 503, 504])

/** Another attempt would fail the same way. */
const notRetried: ReadonlySet<AttemptReason> = new Set([
  'gone',
  'forbidden_address',
  'own_address',
  'address_too_long',
  'body_too_large',
])

export type Decision =
  | { state: 'delivered' | 'failed' | 'expired' }
  | { state: 'waiting'; delayMs: number; isRetryAfter: boolean; countsAsAttempt: boolean }

interface Situation {
  isTimeSensitive: boolean
  retryPolicy: RetryPolicy
  /** Attempts so far, including this one. */
  attempts: number
  /** Consecutive service faults of this delivery, including this one. */
  faults?: number
  /** Other deliveries cannot be sent either, so this delivery is not the cause. */
  isOutage?: boolean
  /** Time since the event was accepted. */
  ageMs: number
  /** As classified by the policy. */
  outcome: Outcome
  /** A test is attempted once: its sender sees the outcome immediately. */
  isTest?: boolean
  /** From 0 to 1. Jitter only lengthens the delay. */
  random: number
}

/**
 * Returns the outcome as the policy sees it. With `original`, a redirect is a success, and 410 is a status like others:
 * it does not disable the hook. The attempt is stored with this reason, so the breaker and all counts follow it.
 */
export function classifyOutcome(retryPolicy: RetryPolicy, outcome: Outcome): Outcome {
  if (retryPolicy === 'standard') return outcome
  if (outcome.reason === 'redirect') return { ...outcome, reason: 'delivered' }
  if (outcome.reason === 'gone') return { ...outcome, reason: 'status' }
  return outcome
}

export function decideNextStep(situation: Situation): Decision {
  const { isTimeSensitive, retryPolicy, attempts, ageMs, outcome, isTest, random } = situation
  const { fault } = attemptReasons[outcome.reason]
  if (fault === 'none') return { state: 'delivered' }
  if (fault === 'service') return decideAfterServiceFault(situation)
  if (notRetried.has(outcome.reason) || isFinalStatus(retryPolicy, outcome)) return { state: 'failed' }

  const planned = isTest ? undefined : scheduleOf(isTimeSensitive, retryPolicy)[attempts]
  if (planned === undefined) return { state: 'failed' }
  const jittered = planned * (1 + random * jitterRatio)
  const retryAfterMs = Math.min(outcome.retryAfterMs ?? 0, maxRetryAfterMs[retryPolicy])
  return waiting(isTimeSensitive, ageMs, {
    delayMs: Math.max(jittered, retryAfterMs),
    isRetryAfter: retryAfterMs > jittered,
    countsAsAttempt: true,
  })
}

function isFinalStatus(retryPolicy: RetryPolicy, { reason, status }: Outcome): boolean {
  return retryPolicy === 'original' && reason === 'status' && !originalRetriedStatuses.has(status)
}

function decideAfterServiceFault({
  isTimeSensitive,
  ageMs,
  outcome,
  faults = 1,
  isOutage = false,
}: Situation): Decision {
  if (outcome.reason === 'internal' && faults >= maxInternalFaults && !isOutage) return { state: 'failed' }
  // No backoff for the resolver: it limits lookups itself, and pending deliveries continue as soon as it is back.
  const doublings = outcome.reason === 'resolver_down' ? 0 : faults - 1
  const delayMs = Math.min(maxServiceFaultDelayMs, serviceFaultDelayMs * 2 ** doublings)
  return waiting(isTimeSensitive, ageMs, { delayMs, isRetryAfter: false, countsAsAttempt: false })
}

/** Returns the age at which an event expires; undefined if it never does. */
export function expiryMs(isTimeSensitive: boolean): number | undefined {
  return isTimeSensitive ? timeSensitiveExpiryMs : undefined
}

export function deadlineMs(isTimeSensitive: boolean, retryPolicy: RetryPolicy): number {
  return isTimeSensitive || retryPolicy === 'original' ? 5 * second : 15 * second
}

/** Returns the number of attempts before a delivery fails. */
export function maxAttempts(isTimeSensitive: boolean, retryPolicy: RetryPolicy): number {
  return scheduleOf(isTimeSensitive, retryPolicy).length
}

/** Returns the delay before each attempt. */
function scheduleOf(isTimeSensitive: boolean, retryPolicy: RetryPolicy): readonly number[] {
  return isTimeSensitive ? timeSensitiveSchedule : schedules[retryPolicy]
}

function maxRetryMsOf(retryPolicy: RetryPolicy): number {
  return schedules[retryPolicy]
    .slice(1)
    .reduce((sum, delay) => sum + Math.max(delay * (1 + jitterRatio), maxRetryAfterMs[retryPolicy]), 0)
}

function waiting(
  isTimeSensitive: boolean,
  ageMs: number,
  next: Pick<Extract<Decision, { state: 'waiting' }>, 'delayMs' | 'isRetryAfter' | 'countsAsAttempt'>,
): Decision {
  const expiry = expiryMs(isTimeSensitive)
  if (expiry !== undefined && ageMs + next.delayMs >= expiry) return { state: 'expired' }
  return { state: 'waiting', ...next }
}
