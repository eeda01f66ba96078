/** Describes replays: their selection and progress. Times are local. */
import type { Replay, ReplayState } from '../api/types.ts'
import { formatMinute } from '../lib/format-clock.ts'
import { formatNumber, plural } from '../lib/format-number.ts'
import { textFor } from '../lib/text-for.ts'
import { webhookName } from './webhook-name.ts'

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
  done: ({ delivered, failed, skipped }) =>
    `Done: ${formatNumber(delivered)} delivered, ${formatNumber(failed)} failed${skipped === 0 ? '' : `, ${formatNumber(skipped)} skipped`}.`,
  cancelled: (replay) =>
    `Canceled${replay.finished_at === null ? ', attempts in flight complete' : ''}. ${describeProgress(replay)}`,
}

function describeProgress({ started, total, delivered, failed }: Replay): string {
  return `${formatNumber(started)} of ${plural(total, 'delivery', 'deliveries')} started, ${formatNumber(delivered)} delivered, ${formatNumber(failed)} failed.`
}

/** Once all deliveries are started, the rest waits for responses and retries. */
function describeRemaining({ total, started, skipped, delivered, failed }: Replay): string {
  const pending = started - delivered - failed
  return started + skipped >= total && pending > 0 ? ` ${formatNumber(pending)} pending.` : ''
}
