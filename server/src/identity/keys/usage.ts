/**
 * Tracks the last use of keys and apps, and counts deprecated credentials. Data is collected in memory and written every
 * two seconds, because a write per call would cost more than the call. A crash loses at most one interval.
 */
import { sql } from 'kysely'
import { type Database, isRejected } from '../../db/database.ts'
import { type Caller, type CallerKind, deprecatedKinds } from '../../model/caller.ts'
import { runIsolated } from '../../runtime/batch.ts'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { startInterval } from '../../runtime/every.ts'

export interface Usage {
  record: (caller: Caller) => void
  /** Writes the collected data and stops. */
  stop: () => Promise<void>
}

interface DeprecatedUse {
  accountId: number
  kind: CallerKind
  uses: number
}

interface AppUse {
  accountId: number
  appId: string
  at: Date
}

const flushIntervalMs = 2_000

export function createUsageTracker(
  db: Database,
  onError: (error: unknown) => void,
  { now }: Pick<Clock, 'now'> = systemClock,
): Usage {
  let lastUses = new Map<number, { at: Date; kind: CallerKind }>()
  let appUses = new Map<string, AppUse>()
  let deprecatedUses = new Map<string, DeprecatedUse>()

  async function flush(): Promise<void> {
    const uses = lastUses
    const ofApps = appUses
    const deprecated = deprecatedUses
    lastUses = new Map()
    await write([...uses], writeLastUses, ([id, use]) => lastUses.has(id) || lastUses.set(id, use))
    appUses = new Map()
    await write([...ofApps], writeAppUses, ([name, use]) => appUses.has(name) || appUses.set(name, use))
    deprecatedUses = new Map()
    await write([...deprecated.values()], addDeprecatedUses, countDeprecated)
  }

  /** Keeps uses for the next flush if the database is unavailable. Reports and drops rows that the database rejects. */
  async function write<Use>(
    uses: Use[],
    run: (db: Database, uses: Use[]) => Promise<void>,
    requeue: (use: Use) => unknown,
  ): Promise<void> {
    if (uses.length === 0) return
    const written = await runIsolated(
      async (batch) => {
        await run(db, batch)
        return batch
      },
      uses,
      isRejected,
    )
    const errors = new Set<unknown>()
    for (const [index, result] of written.entries())
      if (result.status === 'rejected') {
        const use = uses[index]
        if (use !== undefined && !isRejected(result.reason)) requeue(use)
        errors.add(result.reason)
      }
    for (const error of errors) onError(error)
  }

  function countDeprecated({ accountId, kind, uses }: DeprecatedUse): void {
    const name = `${accountId} ${kind}`
    deprecatedUses.set(name, { accountId, kind, uses: (deprecatedUses.get(name)?.uses ?? 0) + uses })
  }

  const stopFlushing = startInterval(flushIntervalMs, flush, onError)

  return {
    record(caller) {
      const at = new Date(now())
      if (caller.keyId !== undefined) lastUses.set(caller.keyId, { at, kind: caller.kind })
      const { accountId, appId } = caller
      if (appId !== undefined) appUses.set(`${accountId} ${appId}`, { accountId, appId, at })
      if (!deprecatedKinds.has(caller.kind)) return
      countDeprecated({ accountId: caller.accountId, kind: caller.kind, uses: 1 })
    },
    async stop() {
      await stopFlushing()
      await flush().catch(onError)
    },
  }
}

async function writeLastUses(
  db: Database,
  uses: Array<[id: number, use: { at: Date; kind: CallerKind }]>,
): Promise<void> {
  // Locks rows in the order of ids, so that two processes never deadlock.
  const entries = uses.toSorted(([a], [b]) => a - b)
  await sql`
    WITH used AS (
      SELECT * FROM unnest(
        ${entries.map(([id]) => id)}::integer[],
        ${entries.map(([, use]) => use.at)}::timestamptz[],
        ${entries.map(([, use]) => use.kind)}::text[]
      ) AS used (id, at, kind)
    ), locked AS (
      SELECT keys.id FROM keys JOIN used USING (id) ORDER BY keys.id FOR UPDATE OF keys
    )
    UPDATE keys SET last_used_at = used.at, last_used_method = used.kind
    FROM used JOIN locked USING (id)
    WHERE keys.id = used.id AND (keys.last_used_at IS NULL OR keys.last_used_at < used.at)
  `.execute(db)
}

/** Locks rows in a fixed order, as above. A use by any account also counts as a use of the app. */
async function writeAppUses(db: Database, entries: Array<[name: string, use: AppUse]>): Promise<void> {
  const uses = entries.map(([, use]) => use)
  const used = sql`(
    SELECT * FROM unnest(
      ${uses.map((use) => use.accountId)}::integer[],
      ${uses.map((use) => use.appId)}::text[],
      ${uses.map((use) => use.at)}::timestamptz[]
    ) AS used (account_id, app_id, at)
  )`
  await sql`
    WITH used AS ${used}, locked AS (
      SELECT grants.digest, used.at FROM grants JOIN used USING (account_id, app_id)
      ORDER BY grants.digest FOR UPDATE OF grants
    )
    UPDATE grants SET last_used_at = greatest(grants.last_used_at, locked.at)
    FROM locked WHERE grants.digest = locked.digest
  `.execute(db)
  await sql`
    WITH used AS (SELECT app_id, max(at) AS at FROM ${used} AS uses GROUP BY app_id), locked AS (
      SELECT apps.id, used.at FROM apps JOIN used ON apps.id = used.app_id ORDER BY apps.id FOR UPDATE OF apps
    )
    UPDATE apps SET last_used_at = greatest(apps.last_used_at, locked.at)
    FROM locked WHERE apps.id = locked.id
  `.execute(db)
}

async function addDeprecatedUses(db: Database, uses: DeprecatedUse[]): Promise<void> {
  const sorted = uses.toSorted((a, b) => a.accountId - b.accountId || a.kind.localeCompare(b.kind))
  await db
    .insertInto('deprecatedUses')
    .values(sorted.map((use) => ({ ...use, day: sql<Date>`current_date` })))
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'kind', 'day'])
        .doUpdateSet({ uses: sql`deprecated_uses.uses + excluded.uses` }),
    )
    .execute()
}
