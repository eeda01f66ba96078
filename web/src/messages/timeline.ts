/** Describes the steps of an event. */
import type { EventDetail } from '../api/types.ts'
import { plural } from '../lib/format-number.ts'
import { textFor } from '../lib/text-for.ts'
import { describeAttempt } from './attempts.ts'
import { describeOutcome } from './deliveries.ts'
import { webhookName } from './webhook-name.ts'

type Step = EventDetail['timeline'][number]

export function describeStep(step: Step, detail: EventDetail, now: Date): string {
  return textFor(texts, step.type, nameOf)(step, detail, now)
}

const texts: Record<Step['type'], (step: Step, detail: EventDetail, now: Date) => string> = {
  accepted(_step, { event }) {
    if (event.is_test) return 'Accepted: test event.'
    return event.producer === null ? 'Accepted.' : `Accepted from ${event.producer}.`
  },
  parked: () => 'Parked: the event was not matched.',
  waiting: () => 'Waiting to be matched.',
  matched(_step, { hooks }) {
    const matched = hooks.filter(({ verdict }) => verdict === 'matched' || verdict === 'held')
    return `Matched ${plural(matched.length, 'webhook')}.`
  },
  attempt(step, detail) {
    const attempt = findDelivery(step, detail)?.attempts.find(
      ({ attempt: number }) => number === step.attempt,
    )
    return `${nameOf(step, detail)}, attempt ${step.attempt}: ${attempt === undefined ? '' : describeAttempt(attempt)}`
  },
  finished(step, detail, now) {
    const delivery = findDelivery(step, detail)
    return `${nameOf(step, detail)}: ${delivery === undefined ? '' : describeOutcome(delivery, now)}`
  },
  next_attempt: (step, detail) => `${nameOf(step, detail)}: next attempt.`,
}

function findDelivery({ hook_id: id, round }: Step, { hooks }: EventDetail) {
  return hooks
    .find(({ hook_id: hookId }) => hookId === id)
    ?.deliveries.find((delivery) => delivery.round === round)
}

function nameOf({ hook_id: id, round }: Step, { hooks }: EventDetail): string {
  const webhook = hooks.find(({ hook_id: hookId }) => hookId === id)?.webhook ?? null
  return `${webhookName(webhook)}${round !== null && round > 1 ? `, replay ${round - 1}` : ''}`
}
