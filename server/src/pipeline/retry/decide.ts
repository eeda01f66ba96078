/**
 * What follows from an outcome. Pure; its truth table is in docs/delivery.md and in its test.
 *
 *   waiting ── 2xx ──────────────────────────▶ delivered
 *           ── final failure, no attempts left ▶ failed
 *           ── next attempt would be too late ──▶ expired
 *           ── everything else ───────────────▶ waiting, due later
 *
 * A failure of ours is tried again soon and uses up no attempt.
 */
import { type DeliverableType, isUrgent } from '../../model/event.ts'
import { type Outcome, reasons } from '../../model/outcome.ts'

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
const afterOurFaultMs = 5 * second

export type Decision =
  | { state: 'delivered' | 'failed' | 'expired'; disableHook: boolean }
  | { state: 'waiting'; delayMs: number; isAsked: boolean; countsAsAttempt: boolean }

interface Situation {
  type: DeliverableType
  /** Attempts made, this one included. */
  attempts: number
  /** Since the event was accepted. */
  ageMs: number
  outcome: Outcome
  /** A test is attempted once: whoever asked for it looks at what came of it. */
  isTest?: boolean
  /** From 0 to 1; jitter only ever adds. */
  random: number
}

export function decide({ type, attempts, ageMs, outcome, isTest, random }: Situation): Decision {
  const { fault } = reasons[outcome.reason]
  if (fault === 'none') return { state: 'delivered', disableHook: false }
  if (fault === 'ours')
    return waiting(type, ageMs, { delayMs: afterOurFaultMs, isAsked: false, countsAsAttempt: false })
  if (outcome.reason === 'gone') return { state: 'failed', disableHook: true }
  if (outcome.reason === 'forbidden_address' || outcome.reason === 'address_too_long')
    return { state: 'failed', disableHook: false }

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
