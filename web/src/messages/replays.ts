/** Describes replays: their selection and progress. Times are local. */
import type { Replay, ReplayState } from '../api/types.ts'
import { formatMinute } from '../lib/format-clock.ts'
import { formatNumber, plural } from '../lib/format-number.ts'
import { textFor } from '../lib/text-for.ts'
import { webhookName } from './webhook-name.ts'
import type { Tone } from '../lib/tone.ts'
import { replayStateText } from './states.ts'

type Selection = Replay['selection']
type Search = Extract<Selection, { kind: 'search' }>['search']

export function describeSelection({ selection, webhook }: Pick<Replay, 'selection' | 'webhook'>): string {
  switch (selection.kind) {
    case 'deliveries':
      return selection.count === 1
        ? `One delivery to ${webhookName(webhook)}.`
        : `${formatNumber(selection.count)} selected deliveries.`
    case 'held':
      return `Held events of ${webhookName(webhook)}.`
    case 'search': {
      const terms = Object.entries(selection.search).map(([name, value]) =>
        name === 'hook_id'
          ? webhookName(webhook)
          : textFor(describeTerm, name as Term, (other) => `${name} ${other}`)(String(value)),
      )
      return `All results of a search: ${terms.join(', ')}.`
    }
  }
}

type Term = Exclude<keyof Search, 'hook_id'>

const describeTerm: Record<Term, (value: string) => string> = {
  state: (state) => state,
  type: (type) => `type ${type}`,
  status: (status) => `status ${status}`,
  reason: (reason) => `reason ${reason}`,
  q: (text) => `text ${text}`,
  message_id: (id) => `message ${id}`,
  number: (number) => `number ${number}`,
  foreign_id: (id) => `foreign id ${id}`,
  from: (time) => `from ${formatMinute(new Date(time))}`,
  to: (time) => `before ${formatMinute(new Date(time))}`,
}

export function describeReplay(replay: Replay): string {
  return textFor(stateTexts, replay.state, describeProgress)(replay)
}

const stateTexts: Record<ReplayState, (replay: Replay) => string> = {
  counting: ({ total }) => `Counting: ${plural(total, 'delivery', 'deliveries')} so far.`,
  running: (replay) => `${describeProgress(replay)}${describeRemaining(replay)}`,
  paused: (replay) => `Paused. ${describeProgress(replay)}`,
  done: ({ started, delivered, failed, skipped }) =>
    started === 0
      ? `Nothing sent${skipped === 0 ? '' : `: ${formatNumber(skipped)} skipped`}.`
      : `Done: ${formatNumber(delivered)} delivered, ${formatNumber(failed)} failed${skipped === 0 ? '' : `, ${formatNumber(skipped)} skipped`}.`,
  cancelled: (replay) =>
    `${replay.ended_by_disabling ? 'Ended because the webhook was disabled' : 'Canceled'}${replay.finished_at === null ? ', attempts in flight complete' : ''}. ${describeProgress(replay)}`,
}

function describeProgress({ started, total, delivered, failed }: Replay): string {
  return `${formatNumber(started)} of ${plural(total, 'delivery', 'deliveries')} started, ${formatNumber(delivered)} delivered, ${formatNumber(failed)} failed.`
}

/** Started deliveries without a result. */
export function pendingCount({ started, delivered, failed }: Replay): number {
  return Math.max(0, started - delivered - failed)
}

/** Once all deliveries are started, the rest waits for responses and retries. */
function describeRemaining(replay: Replay): string {
  const pending = pendingCount(replay)
  return replay.started + replay.skipped >= replay.total && pending > 0
    ? ` ${formatNumber(pending)} pending.`
    : ''
}

type SkippedReasons = Replay['skipped_reasons']

const skippedTexts: Record<keyof SkippedReasons, string> = {
  disabled: 'webhook disabled',
  deleted: 'webhook deleted',
  pending: 'still pending',
  missing: 'no longer available',
}

/** "2 webhook disabled, 1 still pending"; with a single reason only its text. Empty if none is skipped. */
export function describeSkipped(reasons: SkippedReasons): string {
  const found = (Object.keys(skippedTexts) as Array<keyof SkippedReasons>).filter(
    (reason) => reasons[reason] > 0,
  )
  const [only] = found
  if (only !== undefined && found.length === 1) return capitalize(skippedTexts[only])
  return found.map((reason) => `${formatNumber(reasons[reason])} ${skippedTexts[reason]}`).join(', ')
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

type Waiting = Replay['waiting'][number]

/** Why deliveries are pending, and the fix. */
const waitingTexts: Record<Waiting['reason'], (deliveries: string) => string> = {
  disabled: (deliveries) => `${deliveries} on hold: the webhook is disabled. Enable it to continue.`,
  stopped: (deliveries) => `${deliveries} on hold: the operator has stopped sending.`,
  circuit_open: (deliveries) => `${deliveries} pending: the webhook is failing, and Hookline backs off.`,
  quarantined: (deliveries) => `${deliveries} quarantined. The operator decides about them.`,
  rate_limit: (deliveries) => `${deliveries} pending: limited by the rate limit of the webhook.`,
  retrying: (deliveries) => `${deliveries} failed and will be retried.`,
  no_worker: (deliveries) => `${deliveries} pending: no worker is running. Contact the operator.`,
}

export function describeWaiting({ reason, count }: Waiting): string {
  const deliveries = plural(count, 'delivery', 'deliveries')
  return textFor(waitingTexts, reason, (text: string) => `${text} pending.`)(deliveries)
}

/** Reasons that need an action or time, not only the rate of the replay. */
export function isBlocked({ waiting }: Replay): boolean {
  return waiting.some(({ reason }) => reason !== 'rate_limit' && reason !== 'retrying')
}

/** Label and tone of a replay. A replay that delivered nothing is no success. */
export function replayStatus(replay: Replay): { label: string; tone: Tone } {
  const { state, started, delivered, failed, skipped } = replay
  if (state === 'done') {
    if (started === 0) return { label: 'Nothing sent', tone: 'warning' }
    if (delivered === 0) return { label: 'Failed', tone: 'danger' }
    return { label: 'Done', tone: failed + skipped > 0 ? 'warning' : 'success' }
  }
  if (state === 'running' && isBlocked(replay)) return { label: 'Waiting', tone: 'warning' }
  return replayStateText[state]
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** "about 3 minutes left" */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 10) return 'a few seconds left'
  if (seconds < minute) return `about ${Math.ceil(seconds / 10) * 10} seconds left`
  if (seconds < hour) return `about ${plural(Math.round(seconds / minute), 'minute')} left`
  if (seconds < 2 * day) return `about ${plural(Math.round(seconds / hour), 'hour')} left`
  return `about ${plural(Math.round(seconds / day), 'day')} left`
}

/** "12.5 per second, about 3 minutes left". Empty if unknown. */
export function describeRate({ per_second: rate, seconds_left: left }: Replay): string {
  if (rate === null) return ''
  const speed = rate < 0.1 ? 'Less than 0.1 per second' : `${formatNumber(rate)} per second`
  return left === null ? speed : `${speed}, ${formatTimeLeft(left)}`
}
