/**
 * Watches receivers for problems that fail nothing yet: certificates that expire, and responses close to the timeout. Collected
 * in memory and written once per minute. A crash loses at most one minute, and the next request shows it again.
 */
import { sql } from 'kysely'
import { type Database, isRejected } from '../db/database.ts'
import { integer, text, timestamptz, unnestRows } from '../db/rows.ts'
import type { Outcome } from '../model/delivery/outcome.ts'
import { runIsolated } from '../runtime/batch.ts'
import { startInterval } from '../runtime/every.ts'

export interface ReceiverWatch {
  observe: (hook: WatchedHook, outcome: Outcome, deadlineMs: number) => void
  /** Writes what was collected, and stops. */
  stop: () => Promise<void>
}

interface WatchedHook {
  accountId: number
  hookId: number
  host: string
}

interface Observation extends WatchedHook {
  certificateUntil: Date | null
  slow: number
}

const flushMs = 60_000
/** An attempt that takes more of the timeout is slow. */
const slowRatio = 0.8
const maxHooks = 100_000
/** A certificate that stays the same is written again after this time, to record that it is still in use. */
const refreshMs = 12 * 60 * 60_000

export function createReceiverWatch(
  db: Database,
  now: () => number,
  onError: (error: unknown) => void,
): ReceiverWatch {
  let observations = new Map<number, Observation>()
  /** Certificates as written last, so that a certificate costs no statement per connection. */
  const written = new Map<number, { host: string; until: number; at: number }>()

  function observationOf(hook: WatchedHook): Observation | undefined {
    const existing = observations.get(hook.hookId)
    if (existing !== undefined) return existing
    if (observations.size >= maxHooks) return undefined
    const { accountId, hookId, host } = hook
    const created: Observation = { accountId, hookId, host, certificateUntil: null, slow: 0 }
    observations.set(hookId, created)
    return created
  }

  function isWritten({ hookId, host }: WatchedHook, until: number): boolean {
    const last = written.get(hookId)
    return last?.until === until && last.host === host && now() - last.at < refreshMs
  }

  async function flush(): Promise<void> {
    const all = [...observations.values()]
    observations = new Map()
    await writeEach(
      all.filter(({ certificateUntil }) => certificateUntil !== null),
      writeCertificates,
    )
    await writeEach(
      all.filter(({ slow }) => slow > 0),
      addSlowAttempts,
    )
  }

  /** A row that the database rejects, as of a deleted account, takes no other along. */
  async function writeEach(
    rows: Observation[],
    run: (db: Database, rows: readonly Observation[]) => Promise<void>,
  ): Promise<void> {
    if (rows.length === 0) return
    const sorted = rows.toSorted((a, b) => a.accountId - b.accountId || a.hookId - b.hookId)
    const results = await runIsolated(
      async (some) => {
        await run(db, some)
        return some
      },
      sorted,
      isRejected,
    )
    for (const result of results) if (result.status === 'rejected') return onError(result.reason)
  }

  const stopFlushing = startInterval(flushMs, flush, onError)
  return {
    observe(hook, { certificateUntil, timings, reason }, deadlineMs) {
      const isSlow = reason === 'timeout' || timings.totalMs > deadlineMs * slowRatio
      const isNew = certificateUntil !== undefined && !isWritten(hook, certificateUntil)
      if (!isSlow && !isNew) return
      const observation = observationOf(hook)
      if (observation === undefined) return
      if (isSlow) observation.slow++
      if (!isNew) return
      observation.host = hook.host
      observation.certificateUntil = new Date(certificateUntil)
      if (written.size >= maxHooks) written.clear()
      written.set(hook.hookId, { host: hook.host, until: certificateUntil, at: now() })
    },
    async stop() {
      await stopFlushing()
      await flush().catch(onError)
    },
  }
}

async function writeCertificates(db: Database, rows: readonly Observation[]): Promise<void> {
  await sql`
    INSERT INTO hook_certificates (account_id, hook_id, host, valid_until)
    SELECT account_id, hook_id, host, valid_until FROM ${unnestRows('seen', rows, {
      account_id: integer(({ accountId }) => accountId),
      hook_id: integer(({ hookId }) => hookId),
      host: text(({ host }) => host),
      valid_until: timestamptz(({ certificateUntil }) => certificateUntil),
    })}
    ON CONFLICT (account_id, hook_id) DO UPDATE SET
      host = excluded.host, valid_until = excluded.valid_until, seen_at = now()
  `.execute(db)
}

async function addSlowAttempts(db: Database, rows: readonly Observation[]): Promise<void> {
  await sql`
    INSERT INTO hook_slow_attempts AS existing (account_id, hook_id, hour, attempts)
    SELECT account_id, hook_id, date_trunc('hour', now()), slow FROM ${unnestRows('seen', rows, {
      account_id: integer(({ accountId }) => accountId),
      hook_id: integer(({ hookId }) => hookId),
      slow: integer(({ slow }) => slow),
    })}
    ON CONFLICT (account_id, hook_id, hour) DO UPDATE SET attempts = existing.attempts + excluded.attempts
  `.execute(db)
}
