/** Describes deliveries: the last attempt, the outcome or the next attempt. Times are local. */
import type { AttemptReason, DeliveryReason, EventDelivery, HookProblem } from '../api/types.ts'
import { formatSecond } from '../lib/format-clock.ts'
import { textFor } from '../lib/text-for.ts'
import { describeAttempt } from './attempts.ts'

/** "Responded 500 in 212 ms. Next attempt at 12:05:00 (3 of 12). Backoff after attempt 2." */
export function describeDelivery(delivery: EventDelivery, now: Date): string {
  const last = delivery.attempts.at(-1)
  const outcome = describeOutcome(delivery, now)
  return last === undefined || isFinalReason(delivery.reason)
    ? outcome
    : `${describeAttempt(last)} ${outcome}`
}

/** Describes a delivery without its last attempt. */
export function describeOutcome(delivery: EventDelivery, now: Date): string {
  const { state, reason, attempts, max_attempts: max } = delivery
  switch (state) {
    case 'delivered':
      return attempts.length > 1 ? `Delivered on attempt ${attempts.length}.` : 'Delivered.'
    case 'failed':
      return attempts.length >= max && max > 1 ? `Failed after ${attempts.length} attempts.` : 'Not retried.'
    case 'expired':
    case 'cancelled':
      return isFinalReason(reason) ? finalReasons[reason] : 'Expired: the next attempt would be too late.'
    case 'held':
      return 'The webhook is disabled. On hold for up to 7 days, until you enable it.'
    case 'waiting':
      return describeWaiting(delivery, now)
  }
}

function describeWaiting(delivery: EventDelivery, now: Date): string {
  const { reason, problem, stop_reason: stop, next_reason: next, attempts, max_attempts: max } = delivery
  if (reason === 'quarantined') return quarantineText
  if (problem != null) return describeProblem(problem)
  if (stop != null) return describeStop(stop)
  if (next == null || delivery.next_attempt_at === null) return ''
  const number = `${attempts.length + 1} of ${max}`
  const nextTexts: Record<typeof next, string> = {
    in_flight: `Attempt ${number} is in progress.`,
    scheduled: 'Queued.',
    backoff: `Backoff after attempt ${attempts.length}.`,
    retry_after: 'Requested by your server (Retry-After).',
    circuit_open: 'Backing off after repeated failures.',
  }
  if (next === 'in_flight') return nextTexts.in_flight
  const at = new Date(delivery.next_attempt_at)
  const isDue = at.getTime() <= now.getTime()
  return `${isDue ? `Attempt ${number} is due now.` : `Next attempt at ${formatSecond(at, now)} (${number}).`} ${textFor(nextTexts, next, '')}`.trimEnd()
}

const quarantineText =
  'Quarantined: this delivery crashed the process that attempted it. The operator investigates. Other deliveries are not affected.'

type FinalReason = Exclude<DeliveryReason, AttemptReason>

/** Why a delivery finished without a deciding attempt. */
const finalReasons: Record<FinalReason, string> = {
  hook_deleted: 'Canceled: the webhook was deleted.',
  too_late: 'Expired: events of this type are valid for 30 s.',
  held_full: 'Dropped: the webhook was disabled and its hold limit was reached.',
  held_too_long: 'Expired: the event was 7 days old and the webhook was still disabled.',
  discarded: 'Discarded from hold when the webhook was enabled.',
  stopped_too_long: 'Expired: stopped by the operator for more than 7 days.',
  unloadable_too_long: 'Expired: the webhook could not be loaded for more than 7 days.',
  not_matched:
    'Canceled: the filter does not match. It was evaluated late because the webhook could not be loaded.',
  replay_cancelled: 'Canceled with its replay.',
  quarantined: 'Canceled by the operator: it crashed the process that attempted it.',
  retention: 'Expired: not delivered within the retention period of the event.',
}

function isFinalReason(reason: DeliveryReason | null): reason is FinalReason {
  return reason !== null && Object.hasOwn(finalReasons, reason)
}

/** The reason is the operator's text. */
export function describeStop(reason: string): string {
  return `Deliveries are stopped by the operator: ${reason.replace(/([^.!?])$/, '$1.')}`
}

const problemTexts: Record<HookProblem, string> = {
  filter: 'the filter cannot be read. Change the filter, or save it again.',
  headers: 'the custom headers cannot be decrypted. Enter them again.',
  secret: 'a signing secret cannot be decrypted. Rotate it.',
  target_url: 'the URL cannot be read. Enter it again.',
  settings: 'the settings are from an unknown version. Save the webhook again.',
}

/** Says why a webhook cannot be loaded, and that its deliveries are on hold, not lost. */
export function describeProblem(problem: HookProblem): string {
  return `Deliveries are on hold: ${textFor(problemTexts, problem, 'the webhook cannot be loaded.')}`
}
