/**
 * Replays: jobs that send deliveries again and outlive every process.
 *
 *   counting ─▶ running ─▶ done                    counting: counts the deliveries; only for a search
 *               running ◀─▶ paused                 running: starts a batch at a time, until each is finished
 *   counting, running, paused ─▶ cancelled         cancelled: attempts in flight still finish
 *
 * A step claims the job by advancing its time, in its own commit: whatever happens to the step, the next job gets its
 * turn. The results of a step count only if the job has not changed since.
 */
import { type Selectable, sql } from 'kysely'
import type { Actor } from '../db/audit.ts'
import type { Database, Trx } from '../db/database.ts'
import type { Replays } from '../db/types.ts'
import type { Failure, Waiting } from '../delivery/queue/replay-counts.ts'
import { ApiError } from '../model/errors.ts'

export type ReplayState = 'counting' | 'running' | 'paused' | 'done' | 'cancelled'

/** Search criteria are opaque here; they are only stored. */
export type Selection =
  | { kind: 'deliveries'; deliveries: ReadonlyArray<{ event_id: string; hook_id: number }> }
  | { kind: 'search'; search: SearchText }
  | { kind: 'held'; hook_id: number }

/** A serialized search. */
export type SearchText = Readonly<Record<string, string | number>>

export type Replay = Omit<Selectable<Replays>, 'kind' | 'selection' | 'state' | 'waiting' | 'outcomes'> & {
  state: ReplayState
  selection: Selection
  /** Why deliveries are pending, as of the last step. */
  waiting: readonly Waiting[]
  /** Finished deliveries that were not delivered, as of the last count. */
  failures: readonly Failure[]
}

interface NewReplay {
  accountId: number
  actor: Actor
  selection: Selection
  maxPerSecond: number
  total: number
}

const maxUnfinished = 10
/** Longer than a step takes. After a step that failed, or whose process died, the job waits this long. */
const claimSeconds = 20

export async function createReplay(trx: Trx, requested: NewReplay): Promise<Replay> {
  const { selection } = requested
  const created = await trx
    .insertInto('replays')
    .values({
      accountId: requested.accountId,
      kind: selection.kind,
      selection: JSON.stringify(selection),
      state: selection.kind === 'search' ? 'counting' : 'running',
      maxPerSecond: requested.maxPerSecond,
      createdBy: requested.actor,
      isCounted: selection.kind !== 'search',
      total: requested.total,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toReplay(created)
}

/** Hides jobs for held deliveries that never had any: no user started them. */
const isVisible = sql<boolean>`NOT (kind = 'held' AND total = 0 AND started = 0)`

/** Limits replays that callers start. Jobs for held deliveries have no limit, so none are lost. */
export async function rejectTooMany(trx: Trx, accountId: number): Promise<void> {
  await lockCreating(trx, accountId)
  const { unfinished } = await trx
    .selectFrom('replays')
    .select((select) => select.fn.countAll<string>().as('unfinished'))
    .where('accountId', '=', accountId)
    .where('finishedAt', 'is', null)
    .where(isVisible)
    .executeTakeFirstOrThrow()
  if (Number(unfinished) >= maxUnfinished)
    throw new ApiError(
      'tooManyReplays',
      `Replay limit of ${maxUnfinished} reached. Wait for one to finish.`,
      {
        details: { limit: maxUnfinished },
      },
    )
}

/** Serializes concurrent creation. */
async function lockCreating(trx: Trx, accountId: number): Promise<void> {
  await sql`SELECT FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE`.execute(trx)
}

export async function readReplay(db: Database | Trx, accountId: number, id: number): Promise<Replay> {
  return toReplay(
    await db
      .selectFrom('replays')
      .selectAll()
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow(() => replayNotFound(id)),
  )
}

/** Lists replays, newest first. */
export async function listReplays(db: Database, accountId: number, max: number): Promise<Replay[]> {
  const rows = await db
    .selectFrom('replays')
    .selectAll()
    .where('accountId', '=', accountId)
    .where(isVisible)
    .orderBy('id', 'desc')
    .limit(max)
    .execute()
  return rows.map(toReplay)
}

/** Locks a replay, so no step runs while it is changed. */
export async function lockReplay(trx: Trx, accountId: number, id: number): Promise<Replay> {
  return toReplay(
    await trx
      .selectFrom('replays')
      .selectAll()
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow(() => replayNotFound(id)),
  )
}

/**
 * Returns the unfinished job for a hook's held deliveries, running or paused. Locks it, and prevents the creation of
 * another.
 */
export async function lockHeldReplay(
  trx: Trx,
  accountId: number,
  hookId: number,
): Promise<Replay | undefined> {
  await lockCreating(trx, accountId)
  const existing = await trx
    .selectFrom('replays')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('finishedAt', 'is', null)
    .where('kind', '=', 'held')
    .where('state', 'in', ['running', 'paused'])
    .where(hookCondition(hookId))
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  return existing && toReplay(existing)
}

/** Whether a canceled job still has attempts in flight at the hook: undelivered ones return to hold. */
export async function isReturningToHeld(trx: Trx, accountId: number, hookId: number): Promise<boolean> {
  const cancelled = await trx
    .selectFrom('replays')
    .select('id')
    .where('accountId', '=', accountId)
    .where('finishedAt', 'is', null)
    .where('kind', '=', 'held')
    .where('state', '=', 'cancelled')
    .where(hookCondition(hookId))
    .limit(1)
    .executeTakeFirst()
  return cancelled !== undefined
}

function hookCondition(hookId: number) {
  return sql<boolean>`(selection->>'hook_id')::integer = ${hookId}`
}

/** Times are database times; `until` is text, which keeps its microseconds. */
export type ClaimedReplay = Replay & { claimedAt: Date; until: string }

/** Claims a job with a due step, of an account not in `excludedAccounts`. */
export async function claimReplay(
  db: Database,
  excludedAccounts: readonly number[],
): Promise<ClaimedReplay | undefined> {
  // Usually none is due, and this takes no lock and is not planned each time.
  const due = await sql`/* prepared */
    SELECT FROM replays WHERE finished_at IS NULL AND next_at <= now() ORDER BY next_at LIMIT 1
  `.execute(db)
  if (due.rows.length === 0) return undefined
  const claimed = await db
    .with('due', (query) =>
      query
        .selectFrom('replays')
        .select(['accountId', 'id'])
        .where('finishedAt', 'is', null)
        .where(sql<boolean>`next_at <= now() AND account_id <> ALL (${[...excludedAccounts]}::integer[])`)
        .orderBy('nextAt')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('replays')
    .from('due')
    .set({ nextAt: sql<Date>`now() + make_interval(secs => ${claimSeconds})` })
    .whereRef('replays.accountId', '=', 'due.accountId')
    .whereRef('replays.id', '=', 'due.id')
    .returningAll('replays')
    .returning([sql<Date>`now()`.as('claimedAt'), sql<string>`next_at::text`.as('until')])
    .executeTakeFirst()
  return claimed && { ...toReplay(claimed), claimedAt: claimed.claimedAt, until: claimed.until }
}

/** Locks the job. Returns false if it was claimed or changed since, so data read from it is outdated. */
export async function isStillClaimed(trx: Trx, { accountId, id, until }: ClaimedReplay): Promise<boolean> {
  const row = await trx
    .selectFrom('replays')
    .select('id')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .where(sql<boolean>`next_at = ${until}::timestamptz`)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

type Progress = Partial<
  Pick<
    Replay,
    | 'state'
    | 'position'
    | 'isCounted'
    | 'isRead'
    | 'total'
    | 'started'
    | 'skipped'
    | 'skippedDisabled'
    | 'skippedDeleted'
    | 'skippedPending'
    | 'delivered'
    | 'failed'
    | 'failures'
    | 'waiting'
    | 'perSecond'
    | 'countedAt'
    | 'endedByDisabling'
  >
>

/** Saves progress. `next` is the delay before the next step in milliseconds; `finished`: there is none. */
export async function saveReplay(
  trx: Trx,
  { accountId, id }: Pick<Replay, 'accountId' | 'id'>,
  { waiting, failures, ...progress }: Progress,
  next: number | 'finished',
): Promise<Replay> {
  return toReplay(
    await trx
      .updateTable('replays')
      .set({
        ...progress,
        ...(waiting !== undefined && { waiting: JSON.stringify(waiting) }),
        ...(failures !== undefined && { outcomes: JSON.stringify(failures) }),
        // Nothing waits any more, and the rate is over.
        ...(next === 'finished' && { waiting: '[]', perSecond: null }),
        ...(progress.delivered !== undefined && { countedAt: sql<Date>`clock_timestamp()` }),
        nextAt: sql<Date>`clock_timestamp() + make_interval(secs => ${next === 'finished' ? 0 : next / 1_000})`,
        ...(next === 'finished' && { finishedAt: sql<Date>`now()` }),
      })
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

function replayNotFound(id: number): ApiError {
  return new ApiError('notFound', `Replay ${id} not found.`)
}

function toReplay(record: Selectable<Replays>): Replay {
  const { kind: _, selection, waiting, outcomes, ...row } = record
  // Only this module writes these columns, and only from these types.
  return {
    ...row,
    state: row.state as ReplayState,
    selection: selection as unknown as Selection,
    waiting: waiting as unknown as Waiting[],
    failures: outcomes as unknown as Failure[],
  }
}

/** Deletes replays that finished before the ledger begins. */
export async function pruneReplays(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('replays').where('finishedAt', '<', before).execute()
}
