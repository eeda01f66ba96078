/**
 * Every change of an account's hooks goes through here, so that three things always happen in one commit: the change,
 * a higher `accounts.hooks_version`, and the hook's new version in `hook_versions`. Raising the version first locks the
 * account's row, so changes of one account come one after the other and each sees what the one before it did.
 * (`accounts` belongs to identity; this one column of it belongs to hooks.)
 */
import { sql } from 'kysely'
import type { Actor } from '../db/audit.ts'
import { type ChangeLimits, countChange } from '../db/change-count.ts'
import type { Database, Trx } from '../db/database.ts'
import type { HookRecord } from './hook-record.ts'

type Change = 'created' | 'changed' | 'enabled' | 'disabled' | 'deleted'

export interface HookChange {
  trx: Trx
  /** Keeps what the hook looks like from now on. */
  append: (change: Change, hook: HookRecord) => Promise<void>
}

export function changeHooks<T>(
  db: Database,
  accountId: number,
  actor: Actor,
  change: (step: HookChange) => Promise<T>,
  /** For changes that an account can repeat without end; none for those that only stop something. */
  limits?: ChangeLimits,
): Promise<T> {
  return inTurn(accountId, () =>
    db.transaction().execute(async (trx) => {
      const { hooksVersion } = await trx
        .updateTable('accounts')
        .set({ hooksVersion: sql`hooks_version + 1` })
        .where('id', '=', accountId)
        .returning('hooksVersion')
        .executeTakeFirstOrThrow()
      if (limits !== undefined) await countChange(trx, accountId, 'hooks', limits)
      return change({
        trx,
        async append(kind, hook) {
          const { id, createdAt: _, ...shape } = hook
          await trx
            .insertInto('hookVersions')
            .values({ ...shape, accountId, hookId: id, version: hooksVersion, change: kind, actor })
            .execute()
        },
      })
    }),
  )
}

const lastOfAccount = new Map<number, Promise<unknown>>()

/**
 * One change of an account at a time in this process. They would wait for each other in the database anyway, but there
 * each holds a connection while it waits, and one account's burst would leave none for the others.
 */
async function inTurn<T>(accountId: number, change: () => Promise<T>): Promise<T> {
  const before = lastOfAccount.get(accountId)
  const own = (async () => {
    await before?.catch(() => {})
    return change()
  })()
  lastOfAccount.set(accountId, own)
  try {
    return await own
  } finally {
    if (lastOfAccount.get(accountId) === own) lastOfAccount.delete(accountId)
  }
}
