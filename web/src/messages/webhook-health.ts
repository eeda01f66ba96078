/** Describes the state of a webhook with its counts and times. Times are local. */
import type { DisabledReason, HealthState, WebhookCounters } from '../api/types.ts'
import { formatSecond } from '../lib/format-clock.ts'
import { formatNumber, plural } from '../lib/format-number.ts'
import { textFor } from '../lib/text-for.ts'
import { describeProblem, describeStop } from './deliveries.ts'

const disabledTexts: Record<DisabledReason, string> = {
  owner: 'You disabled this webhook.',
  operator: 'The operator disabled this webhook.',
  failing: 'Hookline disabled this webhook after 5 days of failures.',
  gone: 'Hookline disabled this webhook because your server responded 410 Gone.',
}

const unknownReason = 'This webhook is disabled.'

export function describeDisabled(reason: DisabledReason | null): string {
  return reason === null ? unknownReason : textFor(disabledTexts, reason, unknownReason)
}

export function describeHealth(
  state: HealthState,
  disabledReason: DisabledReason | null,
  counters: WebhookCounters,
  now: Date,
): string {
  const { waiting, held, delivered_24h: delivered, failed_24h: failed, stop, problem } = counters
  const time = (at: string): string => formatSecond(new Date(at), now)
  const since = counters.failing_since === null ? '' : ` since ${time(counters.failing_since)}`
  const pending = `${plural(waiting, 'delivery', 'deliveries')} pending.`
  switch (state) {
    case 'disabled':
      return `${describeDisabled(disabledReason)} ${held === 0 ? 'No events on hold.' : `${plural(held, 'event')} on hold.`}`
    case 'stopped':
      return `${describeStop(stop?.reason ?? '')} ${pending}`
    case 'unloadable':
      return `${problem === null ? 'The webhook cannot be loaded.' : describeProblem(problem)} ${pending}`
    case 'backing_off': {
      const next = counters.next_probe_at
      return `Most recent attempts failed.${since === '' ? '' : ` Failing${since}.`} ${next === null ? 'One attempt is in progress.' : `Next attempt at ${time(next)}.`} ${pending}`
    }
    case 'failing':
      return `All attempts${since} failed. ${pending}`
    case 'degraded':
      return `${formatNumber(failed)} of ${plural(delivered + failed, 'delivery', 'deliveries')} in the last 24 hours failed or expired.`
    case 'delayed': {
      const oldest = counters.oldest_waiting_at
      return `${pending}${oldest === null ? '' : ` The oldest event is from ${time(oldest)}.`}`
    }
    case 'idle':
      return 'No deliveries in the last 24 hours.'
    case 'healthy':
      return `${plural(delivered, 'delivery', 'deliveries')} in the last 24 hours.`
    default:
      return pending
  }
}

/** Names every count of the success rate. */
export function describeCounted({
  delivered_24h: delivered,
  failed_24h: failed,
  overdue,
}: Pick<WebhookCounters, 'delivered_24h' | 'failed_24h' | 'overdue'>): string {
  return [
    `${formatNumber(delivered)} delivered`,
    ...(failed > 0 || overdue === 0 ? [`${formatNumber(failed)} failed`] : []),
    ...(overdue > 0 ? [`${formatNumber(overdue)} overdue`] : []),
  ].join(', ')
}
