/** API representation of a replay. */
import { z } from 'zod'
import type { Database } from '../../../db/database.ts'
import { type Caller, hasScope } from '../../../model/caller.ts'
import type { Replay, ReplayState, Selection } from '../../../replays/replay-store.ts'
import { namedHookResponse, readNames } from '../hooks/names.ts'
import { describeSelection, presentSelection, selectionResponse } from './describe-selection.ts'

const count = z.int().min(0)

export const replayResponse = z
  .object({
    id: z.int32().positive(),
    state: z.enum(['counting', 'running', 'paused', 'done', 'cancelled']),
    kind: z.enum(['deliveries', 'search', 'held']),
    event_id: z.uuid().nullable().meta({ description: 'Event, if a single delivery is selected.' }),
    hook_id: z.int32().positive().nullable().meta({
      description: 'Webhook, if the selection contains a single webhook.',
    }),
    webhook: namedHookResponse.nullable().meta({
      description: 'The webhook of `hook_id`. Null without the scope `hooks:read`.',
    }),
    selected: z.string().meta({ description: 'Description of the selection. Numbers are masked.' }),
    selection: selectionResponse,
    created_at: z.iso.datetime(),
    created_by: z.string().meta({ description: 'Actor such as `key:12` or `login:3`.' }),
    max_per_second: z.int(),
    total: count.meta({ description: 'Selected deliveries. Grows while the state is `counting`.' }),
    started: count,
    skipped: count.meta({
      description: 'Deliveries not replayed: still pending, or the webhook is deleted or disabled.',
    }),
    delivered: count,
    failed: count.meta({ description: 'Finished deliveries that were not delivered.' }),
    finished_at: z.iso.datetime().nullable(),
    message: z.string(),
  })
  .meta({ id: 'Replay' })

export const oneReplay = z.object({ replay: replayResponse })

type ReplayCaller = Pick<Caller, 'accountId' | 'scopes'>

export async function presentReplay(
  db: Database,
  caller: ReplayCaller,
  replay: Replay,
): Promise<z.infer<typeof oneReplay>> {
  return { replay: present(replay, await readNamesOf(db, caller, [replay])) }
}

export async function presentReplays(
  db: Database,
  caller: ReplayCaller,
  replays: readonly Replay[],
): Promise<{ replays: Array<z.infer<typeof replayResponse>> }> {
  const names = await readNamesOf(db, caller, replays)
  return { replays: replays.map((replay) => present(replay, names)) }
}

function readNamesOf(db: Database, { accountId, scopes }: ReplayCaller, replays: readonly Replay[]) {
  const mayRead = hasScope(scopes, 'hooks:read')
  const hookIds = replays.flatMap(({ selection }) => hookOf(presentSelection(selection)) ?? [])
  return readNames(db, accountId, mayRead ? hookIds : [])
}

function present(
  replay: Replay,
  names: Awaited<ReturnType<typeof readNames>>,
): z.infer<typeof replayResponse> {
  const selection = presentSelection(replay.selection)
  return {
    id: replay.id,
    state: replay.state,
    kind: selection.kind,
    event_id: eventOf(replay.selection),
    hook_id: hookOf(selection),
    webhook: names.find(hookOf(selection)),
    selected: describeSelection(selection),
    selection,
    created_at: replay.createdAt.toISOString(),
    created_by: replay.createdBy,
    max_per_second: replay.maxPerSecond,
    total: replay.total,
    started: replay.started,
    skipped: replay.skipped,
    delivered: replay.delivered,
    failed: replay.failed,
    finished_at: replay.finishedAt?.toISOString() ?? null,
    message: messages[replay.state](replay),
  }
}

/** The only hook of a selection; null if it has several. */
function hookOf(selection: ReturnType<typeof presentSelection>): number | null {
  return (selection.kind === 'search' ? selection.search.hook_id : selection.hook_id) ?? null
}

/** The only event of a selection; null if it has several or is a search. */
function eventOf(selection: Selection): string | null {
  const [first, ...others] = selection.kind === 'deliveries' ? selection.deliveries : []
  return first === undefined || others.length > 0 ? null : first.event_id
}

const messages: Record<ReplayState, (replay: Replay) => string> = {
  counting: ({ total }) => `Counting: ${formatDeliveries(total)} so far.`,
  running: (replay) => `${progress(replay)} ${pending(replay)}`.trim(),
  paused: (replay) => `Paused. ${progress(replay)}`,
  done: ({ delivered, failed, skipped }) =>
    `Done: ${formatNumber(delivered)} delivered, ${formatNumber(failed)} failed${skipped === 0 ? '' : `, ${formatNumber(skipped)} skipped`}.`,
  cancelled: (replay) =>
    `Canceled${replay.finishedAt === null ? ', attempts in flight complete' : ''}. ${progress(replay)}`,
}

function progress({ started, total, delivered, failed }: Replay): string {
  return `${formatNumber(started)} of ${formatDeliveries(total)} started, ${formatNumber(delivered)} delivered, ${formatNumber(failed)} failed.`
}

function pending({ isRead, started, delivered, failed }: Replay): string {
  const open = started - delivered - failed
  return isRead && open > 0 ? `${formatNumber(open)} pending.` : ''
}

function formatDeliveries(deliveries: number): string {
  return `${formatNumber(deliveries)} ${deliveries === 1 ? 'delivery' : 'deliveries'}`
}

function formatNumber(value: number): string {
  return value.toLocaleString('en')
}
