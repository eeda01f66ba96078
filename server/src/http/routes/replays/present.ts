/** A replay as its owner sees it. */
import { z } from 'zod'
import type { Replay, ReplayState, Selection } from '../../../pipeline/replays/replay-store.ts'
import { selectedWords } from './selected.ts'

const count = z.int().min(0)

export const replayAnswer = z
  .object({
    id: z.int32().positive(),
    state: z.enum(['counting', 'running', 'paused', 'done', 'cancelled']),
    kind: z.enum(['deliveries', 'search', 'held']),
    event_id: z.uuid().nullable().meta({ description: 'Of the event, if only one delivery was selected.' }),
    hook_id: z.int32().positive().nullable().meta({
      description: 'Of the webhook, if only deliveries to one were selected or asked for.',
    }),
    selected: z.string().meta({ description: 'What is sent again, in words; numbers are masked.' }),
    created_at: z.iso.datetime(),
    created_by: z.string().meta({ description: 'Such as `key:12` or `login:3`.' }),
    most_per_second: z.int(),
    total: count.meta({ description: 'Deliveries that were selected; grows while the state is `counting`.' }),
    started: count,
    skipped: count.meta({
      description: 'Not sent again: still waiting, or its webhook is deleted or disabled.',
    }),
    delivered: count,
    failed: count.meta({ description: 'Ended in another way than delivered.' }),
    finished_at: z.iso.datetime().nullable(),
    sentence: z.string(),
  })
  .meta({ id: 'Replay' })

export const oneReplay = z.object({ replay: replayAnswer })

export function presentReplay(replay: Replay): z.infer<typeof replayAnswer> {
  return {
    id: replay.id,
    state: replay.state,
    kind: replay.selection.kind,
    ...placeOf(replay.selection),
    selected: selectedWords(replay.selection),
    created_at: replay.createdAt.toISOString(),
    created_by: replay.createdBy,
    most_per_second: replay.mostPerSecond,
    total: replay.total,
    started: replay.started,
    skipped: replay.skipped,
    delivered: replay.delivered,
    failed: replay.failed,
    finished_at: replay.finishedAt?.toISOString() ?? null,
    sentence: sentences[replay.state](replay),
  }
}

function placeOf(selection: Selection): { event_id: string | null; hook_id: number | null } {
  switch (selection.kind) {
    case 'deliveries': {
      const { deliveries } = selection
      const [first] = deliveries
      const isOneHook = deliveries.every(({ hook_id }) => hook_id === first?.hook_id)
      return {
        event_id: deliveries.length === 1 ? (first?.event_id ?? null) : null,
        hook_id: isOneHook ? (first?.hook_id ?? null) : null,
      }
    }
    case 'held':
      return { event_id: null, hook_id: selection.hook_id }
    case 'search':
      return { event_id: null, hook_id: Number(selection.search.hookId ?? 0) || null }
  }
}

const sentences: Record<ReplayState, (replay: Replay) => string> = {
  counting: ({ total }) => `Counting: ${many(total)} so far.`,
  running: (replay) => `${progress(replay)} ${waiting(replay)}`.trim(),
  paused: (replay) => `Paused. ${progress(replay)}`,
  done: ({ delivered, failed, skipped }) =>
    `Done: ${number(delivered)} delivered, ${number(failed)} failed${skipped === 0 ? '' : `, ${number(skipped)} not sent again`}.`,
  cancelled: (replay) =>
    `Cancelled${replay.finishedAt === null ? '; what is under way still ends' : ''}. ${progress(replay)}`,
}

function progress({ started, total, delivered, failed }: Replay): string {
  return `${number(started)} of ${many(total)} started, ${number(delivered)} delivered, ${number(failed)} failed.`
}

function waiting({ isRead, started, delivered, failed }: Replay): string {
  const open = started - delivered - failed
  return isRead && open > 0 ? `${many(open)} still ${open === 1 ? 'waits' : 'wait'} for their end.` : ''
}

function many(deliveries: number): string {
  return `${number(deliveries)} ${deliveries === 1 ? 'delivery' : 'deliveries'}`
}

function number(value: number): string {
  return value.toLocaleString('en')
}
