/**
 * What follows from an outcome. Pure; its truth table is in docs/delivery.md and in its test.
 *
 *   waiting ── 2xx ──────────────────────────▶ delivered
 *           ── final failure, no attempts left ▶ failed
 *           ── next attempt would be too late ──▶ expired
 *           ── everything else ───────────────▶ waiting, due later
 *
 * A failure of ours uses up no attempt. In an outage of ours (no resolver, no sockets) the delivery waits for as long as
 * it takes; a fault that this delivery alone meets fails it in the end.
 */
import { type DeliverableType, isUrgent } from '../../model/event.ts'
import { type Outcome, type Reason, reasons } from '../../model/outcome.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** 12 attempts over 70.7 hours: quick while a restart is likely, then long enough to outlast a weekend. */
const schedule = [
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
/** Worthless after half a minute. */
const urgentSchedule = [0, 1 * second, 3 * second, 10 * second]
const urgentExpiryMs = 30 * second

const longestRetryAfterMs = 24 * hour
const jitterShare = 0.2
/** From the first attempt to the last, where the receiver asks to wait as long as it can each time. */
export const maxRetryMs = schedule
  .slice(1)
  .reduce((sum, delay) => sum + Math.max(delay * (1 + jitterShare), longestRetryAfterMs), 0)
/** Doubled with each fault of ours in a row. */
const afterOurFaultMs = 5 * second
const maxAfterOurFaultMs = 10 * minute
/** 50 minutes with the delays between them: long enough to roll back a version that cannot build a request. */
const maxInternalFaults = 12

/** Another attempt would end the same way. */
const endsAtOnce: ReadonlySet<Reason> = new Set([
  'forbidden_address',
  'own_address',
  'address_too_long',
  'body_too_large',
])

export type Decision =
  | { state: 'delivered' | 'failed' | 'expired'; disableHook: boolean }
  | { state: 'waiting'; delayMs: number; isAsked: boolean; countsAsAttempt: boolean }

interface Situation {
  type: DeliverableType
  /** Attempts made, this one included. */
  attempts: number
  /** Faults of ours in a row at this delivery, this one included if it is one. */
  faults?: number
  /** Other deliveries cannot be sent either, so a fault of ours is not this delivery's. */
  isOutage?: boolean
  /** Since the event was accepted. */
  ageMs: number
  outcome: Outcome
  /** A test is attempted once: whoever asked for it looks at what came of it. */
  isTest?: boolean
  /** From 0 to 1; jitter only ever adds. */
  random: number
}

export function decide(situation: Situation): Decision {
  const { type, attempts, ageMs, outcome, isTest, random } = situation
  const { fault } = reasons[outcome.reason]
  if (fault === 'none') return { state: 'delivered', disableHook: false }
  if (fault === 'ours') return afterOurFault(situation)
  if (outcome.reason === 'gone') return { state: 'failed', disableHook: true }
  if (endsAtOnce.has(outcome.reason)) return { state: 'failed', disableHook: false }

  const planned = isTest ? undefined : delayBefore(type, attempts + 1)
  if (planned === undefined) return { state: 'failed', disableHook: false }
  const jittered = planned * (1 + random * jitterShare)
  const asked = Math.min(outcome.retryAfterMs ?? 0, longestRetryAfterMs)
  return waiting(type, ageMs, {
    delayMs: Math.max(jittered, asked),
    isAsked: asked > jittered,
    countsAsAttempt: true,
  })
}

function afterOurFault({ type, ageMs, outcome, faults = 1, isOutage = false }: Situation): Decision {
  if (outcome.reason === 'internal' && faults >= maxInternalFaults && !isOutage)
    return { state: 'failed', disableHook: false }
  // The resolver limits what is asked of it by itself, and what waits for it goes on at once when it is back.
  const doublings = outcome.reason === 'resolver_down' ? 0 : faults - 1
  const delayMs = Math.min(maxAfterOurFaultMs, afterOurFaultMs * 2 ** doublings)
  return waiting(type, ageMs, { delayMs, isAsked: false, countsAsAttempt: false })
}

/** When an event is too old to be delivered at all; undefined: only its attempts count. */
export function expiryMs(type: DeliverableType): number | undefined {
  return isUrgent(type) ? urgentExpiryMs : undefined
}

export function deadlineMs(type: DeliverableType): number {
  return isUrgent(type) ? 5 * second : 15 * second
}

/** How often a delivery is tried before it has failed. */
export function mostAttempts(type: DeliverableType): number {
  return (isUrgent(type) ? urgentSchedule : schedule).length
}

/** The planned delay before the nth attempt; undefined: there is no such attempt. */
function delayBefore(type: DeliverableType, attempt: number): number | undefined {
  return (isUrgent(type) ? urgentSchedule : schedule)[attempt - 1]
}

function waiting(
  type: DeliverableType,
  ageMs: number,
  next: Pick<Extract<Decision, { state: 'waiting' }>, 'delayMs' | 'isAsked' | 'countsAsAttempt'>,
): Decision {
  const expiry = expiryMs(type)
  if (expiry !== undefined && ageMs + next.delayMs >= expiry) return { state: 'expired', disableHook: false }
  return { state: 'waiting', ...next }
}
