/**
 * Replays: deliveries that are sent again, as jobs that outlive every process.
 *
 *   counting ─▶ running ─▶ done                    counting: how many there are; only of a search
 *               running ◀─▶ paused                 running: started a batch at a time, until each has ended
 *   counting, running, paused ─▶ cancelled         cancelled: what is under way still ends
 *
 * A step takes the job for a while by moving its time on, in a commit of its own: whatever becomes of the step, the next job
 * has its turn. What it has read counts only if nobody has changed the job since.
 */
import { type Selectable, sql } from 'kysely'
import type { Actor } from '../../db/audit.ts'
import type { Database, Trx } from '../../db/database.ts'
import type { Replays } from '../../db/types.ts'
import { Refusal } from '../../model/errors.ts'

export type ReplayState = 'counting' | 'running' | 'paused' | 'done' | 'cancelled'

/** What a search asks for is known to the search alone; here it is only kept. */
export type Selection =
  | { kind: 'deliveries'; deliveries: ReadonlyArray<{ event_id: string; hook_id: number }> }
  | { kind: 'search'; search: SearchText }
  | { kind: 'held'; hook_id: number }

/** As JSON keeps it. */
export type SearchText = Readonly<Record<string, string | number>>

export type Replay = Omit<Selectable<Replays>, 'kind' | 'selection' | 'state'> & {
  state: ReplayState
  selection: Selection
}

interface NewReplay {
  accountId: number
  actor: Actor
  selection: Selection
  mostPerSecond: number
  total: number
}

const mostOpen = 10
/** Longer than a step takes. After one that failed, or whose process died, the job waits so long. */
const takenSeconds = 20

export async function createReplay(trx: Trx, wanted: NewReplay): Promise<Replay> {
  const { selection } = wanted
  const made = await trx
    .insertInto('replays')
    .values({
      accountId: wanted.accountId,
      kind: selection.kind,
      selection: JSON.stringify(selection),
      state: selection.kind === 'search' ? 'counting' : 'running',
      mostPerSecond: wanted.mostPerSecond,
      createdBy: wanted.actor,
      isCounted: selection.kind !== 'search',
      total: wanted.total,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toReplay(made)
}

/** A job for what a hook may come to hold, and held nothing: nobody started it, and nobody is told of it. */
const isWorthNoting = sql<boolean>`NOT (kind = 'held' AND total = 0 AND started = 0)`

/** What a person or a program starts is bounded; what a webhook held must not be lost to a bound. */
export async function refuseTooMany(trx: Trx, accountId: number): Promise<void> {
  await lockCreating(trx, accountId)
  const { open } = await trx
    .selectFrom('replays')
    .select((select) => select.fn.countAll<string>().as('open'))
    .where('accountId', '=', accountId)
    .where('finishedAt', 'is', null)
    .where(isWorthNoting)
    .executeTakeFirstOrThrow()
  if (Number(open) >= mostOpen)
    throw new Refusal('tooManyReplays', `An account can have ${mostOpen} replays under way. Wait for one.`)
}

/** Those who create at the same time wait for each other. */
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
      .executeTakeFirstOrThrow(() => noSuchReplay(id)),
  )
}

/** Newest first. */
export async function listReplays(db: Database, accountId: number, most: number): Promise<Replay[]> {
  const rows = await db
    .selectFrom('replays')
    .selectAll()
    .where('accountId', '=', accountId)
    .where(isWorthNoting)
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  return rows.map(toReplay)
}

/** Locks it, so that no step of it is under way while it is changed. */
export async function lockReplay(trx: Trx, accountId: number, id: number): Promise<Replay> {
  return toReplay(
    await trx
      .selectFrom('replays')
      .selectAll()
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow(() => noSuchReplay(id)),
  )
}

/** The job that delivers what a hook holds, if one goes on or is paused: locked, and no other is made meanwhile. */
export async function lockHeldReplay(
  trx: Trx,
  accountId: number,
  hookId: number,
): Promise<Replay | undefined> {
  await lockCreating(trx, accountId)
  const known = await trx
    .selectFrom('replays')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('finishedAt', 'is', null)
    .where('kind', '=', 'held')
    .where('state', 'in', ['running', 'paused'])
    .where(ofHook(hookId))
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  return known && toReplay(known)
}

/** Whether a cancelled job still waits for attempts at that hook: what they do not deliver is held again. */
export async function isHoldingAgain(trx: Trx, accountId: number, hookId: number): Promise<boolean> {
  const winding = await trx
    .selectFrom('replays')
    .select('id')
    .where('accountId', '=', accountId)
    .where('finishedAt', 'is', null)
    .where('kind', '=', 'held')
    .where('state', '=', 'cancelled')
    .where(ofHook(hookId))
    .limit(1)
    .executeTakeFirst()
  return winding !== undefined
}

function ofHook(hookId: number) {
  return sql<boolean>`(selection->>'hook_id')::integer = ${hookId}`
}

/** By the database's clock, as are all its other times; `until` as text, which keeps its microseconds. */
export type TakenReplay = Replay & { takenAt: Date; until: string }

/** One whose next step is due, of an account that is none of these: taken, so that nobody else works on it. */
export async function takeReplay(
  db: Database,
  otherThan: readonly number[],
): Promise<TakenReplay | undefined> {
  const taken = await db
    .with('due', (query) =>
      query
        .selectFrom('replays')
        .select(['accountId', 'id'])
        .where('finishedAt', 'is', null)
        .where(sql<boolean>`next_at <= now() AND account_id <> ALL (${[...otherThan]}::integer[])`)
        .orderBy('nextAt')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('replays')
    .from('due')
    .set({ nextAt: sql<Date>`now() + make_interval(secs => ${takenSeconds})` })
    .whereRef('replays.accountId', '=', 'due.accountId')
    .whereRef('replays.id', '=', 'due.id')
    .returningAll('replays')
    .returning([sql<Date>`now()`.as('takenAt'), sql<string>`next_at::text`.as('until')])
    .executeTakeFirst()
  return taken && { ...toReplay(taken), takenAt: taken.takenAt, until: taken.until }
}

/** Locks it. False: somebody else has taken or changed it since, and what was read of it is no longer so. */
export async function isStillTaken(trx: Trx, { accountId, id, until }: TakenReplay): Promise<boolean> {
  const own = await trx
    .selectFrom('replays')
    .select('id')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .where(sql<boolean>`next_at = ${until}::timestamptz`)
    .forUpdate()
    .executeTakeFirst()
  return own !== undefined
}

type Progress = Partial<
  Pick<
    Replay,
    'state' | 'position' | 'isCounted' | 'isRead' | 'total' | 'started' | 'skipped' | 'delivered' | 'failed'
  >
>

/** The next step comes after so many milliseconds; `over`: there is none. */
export async function saveReplay(
  trx: Trx,
  { accountId, id }: Pick<Replay, 'accountId' | 'id'>,
  progress: Progress,
  next: number | 'over',
): Promise<Replay> {
  return toReplay(
    await trx
      .updateTable('replays')
      .set({
        ...progress,
        ...(progress.delivered !== undefined && { countedAt: sql<Date>`clock_timestamp()` }),
        nextAt: sql<Date>`clock_timestamp() + make_interval(secs => ${next === 'over' ? 0 : next / 1_000})`,
        ...(next === 'over' && { finishedAt: sql<Date>`now()` }),
      })
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

function noSuchReplay(id: number): Refusal {
  return new Refusal('notFound', `There is no replay with the id ${id}.`)
}

function toReplay(record: Selectable<Replays>): Replay {
  const { kind: _, ...row } = record
  // Only this part writes these columns, and only from these types.
  return { ...row, state: row.state as ReplayState, selection: row.selection as unknown as Selection }
}

/** Those that ended longer ago than the ledger reaches. */
export async function forgetReplays(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('replays').where('finishedAt', '<', before).execute()
}
