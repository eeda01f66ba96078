/** API representation of a replay. */
import { z } from 'zod'
import type { Database } from '../../../db/database.ts'
import { type Caller, hasScope } from '../../../model/caller.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Replay, ReplayState, Selection } from '../../../replays/replay-store.ts'
import { namedHookResponse, readNames } from '../hooks/names.ts'
import { type Waiting, waitReasons } from '../../../delivery/queue/replay-counts.ts'
import { estimate } from '../../../replays/replay-rate.ts'
import { describeSelection, presentSelection, selectionResponse } from './describe-selection.ts'

const count = z.int().min(0)

export const skippedReasons = z
  .object({
    disabled: count.meta({ description: 'The webhook is disabled.' }),
    deleted: count.meta({ description: 'The webhook is deleted.' }),
    pending: count.meta({ description: 'The delivery is still pending.' }),
    missing: count.meta({ description: 'The delivery does not exist or is about to leave the ledger.' }),
  })
  .meta({ id: 'ReplaySkipped' })

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
    skipped: count.meta({ description: 'Deliveries not replayed. `skipped_reasons` has the reasons.' }),
    skipped_reasons: skippedReasons,
    delivered: count,
    failed: count.meta({ description: 'Finished deliveries that were not delivered.' }),
    failures: z
      .array(z.object({ state: z.string(), reason: z.string(), count }))
      .meta({ description: 'Deliveries in `failed` by state and reason, most frequent first, up to 10.' }),
    waiting: z
      .array(
        z.object({
          reason: z.enum([...waitReasons, 'no_worker']),
          count,
          hook_id: z.int().nullable().meta({ description: 'One of the webhooks.' }),
        }),
      )
      .meta({
        description:
          'Why pending deliveries are not sent now. `disabled`: the webhook is disabled. `stopped`: the operator has stopped sending. `circuit_open`: the circuit breaker is open. `quarantined`: the operator decides. `rate_limit`: the rate limit of the webhook. `retrying`: an attempt failed, the next one is scheduled. `no_worker`: no worker continues the replay.',
      }),
    per_second: z
      .number()
      .nullable()
      .meta({ description: 'Finished deliveries per second, as a moving average. Null if unknown.' }),
    seconds_left: z.int().nullable().meta({
      description: 'Estimated time left at this rate. Null if unknown or if the rest cannot be sent now.',
    }),
    ended_by_disabling: z.boolean().meta({
      description: 'The replay of held events ended because the webhook was disabled again.',
    }),
    finished_at: z.iso.datetime().nullable(),
    message: z.string(),
  })
  .meta({ id: 'Replay' })

export const oneReplay = z.object({ replay: replayResponse })

type ReplayCaller = Pick<Caller, 'accountId' | 'scopes'>

interface PresentDeps {
  db: Database
  clock: Pick<Clock, 'now'>
}

export async function presentReplay(
  { db, clock }: PresentDeps,
  caller: ReplayCaller,
  replay: Replay,
): Promise<z.infer<typeof oneReplay>> {
  return { replay: present(replay, await readNamesOf(db, caller, [replay]), clock.now()) }
}

export async function presentReplays(
  { db, clock }: PresentDeps,
  caller: ReplayCaller,
  replays: readonly Replay[],
): Promise<{ replays: Array<z.infer<typeof replayResponse>> }> {
  const names = await readNamesOf(db, caller, replays)
  return { replays: replays.map((replay) => present(replay, names, clock.now())) }
}

function readNamesOf(db: Database, { accountId, scopes }: ReplayCaller, replays: readonly Replay[]) {
  const mayRead = hasScope(scopes, 'hooks:read')
  const hookIds = replays.flatMap(({ selection }) => hookOf(presentSelection(selection)) ?? [])
  return readNames(db, accountId, mayRead ? hookIds : [])
}

function present(
  replay: Replay,
  names: Awaited<ReturnType<typeof readNames>>,
  now: number,
): z.infer<typeof replayResponse> {
  const selection = presentSelection(replay.selection)
  const { perSecond, secondsLeft } = estimate(replay, now)
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
    skipped_reasons: reasonsOf(replay),
    delivered: replay.delivered,
    failed: replay.failed,
    failures: [...replay.failures],
    waiting: waitingOf(replay, now),
    per_second: perSecond,
    seconds_left: secondsLeft,
    ended_by_disabling: replay.endedByDisabling,
    finished_at: replay.finishedAt?.toISOString() ?? null,
    message: messages[replay.state](replay),
  }
}

/** The only hook of a selection; null if it has several. */
function hookOf(selection: ReturnType<typeof presentSelection>): number | null {
  return (selection.kind === 'search' ? selection.search.hook_id : selection.hook_id) ?? null
}

function reasonsOf(replay: Replay): z.infer<typeof skippedReasons> {
  const { skipped, skippedDisabled: disabled, skippedDeleted: deleted, skippedPending: pending } = replay
  return { disabled, deleted, pending, missing: skipped - disabled - deleted - pending }
}

/** Any worker continues a replay. One whose next step is overdue for longer has none. */
const overdueMs = 10_000

function waitingOf(replay: Replay, now: number): z.infer<typeof replayResponse>['waiting'] {
  const { finishedAt, nextAt, total, delivered, failed, skipped } = replay
  if (finishedAt === null && now - nextAt.getTime() > overdueMs)
    return [{ reason: 'no_worker', count: Math.max(0, total - delivered - failed - skipped), hook_id: null }]
  return replay.waiting.map(({ reason, count: deliveries, hookId }) => ({
    reason,
    count: deliveries,
    hook_id: hookId,
  }))
}

/** The only event of a selection; null if it has several or is a search. */
function eventOf(selection: Selection): string | null {
  const [first, ...others] = selection.kind === 'deliveries' ? selection.deliveries : []
  return first === undefined || others.length > 0 ? null : first.event_id
}

const messages: Record<ReplayState, (replay: Replay) => string> = {
  counting: ({ total }) => `Counting: ${formatDeliveries(total)} so far.`,
  running: (replay) => `${progress(replay)} ${remaining(replay)} ${obstacles(replay)}`.trim(),
  paused: (replay) => `Paused. ${progress(replay)}`,
  done: (replay) =>
    replay.started === 0
      ? `Nothing sent. ${skippedText(replay)}`.trim()
      : `Done: ${formatNumber(replay.delivered)} delivered, ${formatNumber(replay.failed)} failed. ${skippedText(replay)}`.trim(),
  cancelled: (replay) =>
    `${replay.endedByDisabling ? 'Ended because the webhook was disabled' : 'Canceled'}${replay.finishedAt === null ? ', attempts in flight complete' : ''}. ${progress(replay)}`,
}

function progress({ started, total, delivered, failed }: Replay): string {
  return `${formatNumber(started)} of ${formatDeliveries(total)} started, ${formatNumber(delivered)} delivered, ${formatNumber(failed)} failed.`
}

function remaining({ isRead, started, delivered, failed }: Replay): string {
  const open = started - delivered - failed
  return isRead && open > 0 ? `${formatNumber(open)} pending.` : ''
}

const waitTexts: Record<Waiting['reason'], string> = {
  disabled: 'for the webhook to be enabled',
  stopped: 'for the operator to resume sending',
  circuit_open: 'for the circuit breaker',
  quarantined: 'for the operator, quarantined',
  rate_limit: 'for the rate limit of the webhook',
  retrying: 'for the next attempt',
}

function obstacles({ waiting }: Replay): string {
  if (waiting.length === 0) return ''
  return `Waiting: ${waiting.map(({ reason, count: deliveries }) => `${formatNumber(deliveries)} ${waitTexts[reason]}`).join(', ')}.`
}

const skipTexts: Record<keyof z.infer<typeof skippedReasons>, string> = {
  disabled: 'webhook disabled',
  deleted: 'webhook deleted',
  pending: 'still pending',
  missing: 'no longer available',
}

function skippedText(replay: Replay): string {
  if (replay.skipped === 0) return ''
  const reasons = reasonsOf(replay)
  const parts = (['disabled', 'deleted', 'pending', 'missing'] as const)
    .filter((reason) => reasons[reason] > 0)
    .map((reason) => `${formatNumber(reasons[reason])} ${skipTexts[reason]}`)
  return `${formatNumber(replay.skipped)} skipped: ${parts.join(', ')}.`
}

function formatDeliveries(deliveries: number): string {
  return `${formatNumber(deliveries)} ${deliveries === 1 ? 'delivery' : 'deliveries'}`
}

function formatNumber(value: number): string {
  return value.toLocaleString('en')
}
