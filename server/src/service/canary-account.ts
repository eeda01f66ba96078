/** Creates the account and hook of the canary once for all processes, then starts the canary. */
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { Infrastructure } from './infrastructure.ts'
import { hookLimits } from '../hooks/hook-limits.ts'
import { canaryAccountName } from '../model/canary.ts'
import { canaryPath } from '../model/own-targets.ts'
import { startCanary } from '../delivery/canary.ts'
import { registerHook } from '../replays/enable-hook.ts'
import type { Vault } from '../vault/vault.ts'

export async function setUpCanary({
  config,
  db,
  vault,
  metrics,
  warn,
}: Infrastructure): Promise<() => Promise<void>> {
  const accountId = await canaryAccount(db)
  await canaryHook(config, db, vault, accountId)
  return startCanary({ db, metrics, accountId, intervalSeconds: config.canarySeconds, onError: warn })
}

async function canaryAccount(db: Database): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('hookline canary'))`.execute(trx)
    const existing = await trx
      .selectFrom('accounts')
      .select('id')
      .where('name', '=', canaryAccountName)
      .executeTakeFirst()
    if (existing !== undefined) return existing.id
    const created = await trx
      .insertInto('accounts')
      .values({ name: canaryAccountName })
      .returning('id')
      .executeTakeFirstOrThrow()
    return created.id
  })
}

/** Registers the hook of the canary, which targets this service. Its path responds with 204 and does nothing. */
async function canaryHook(config: Config, db: Database, vault: Vault, accountId: number): Promise<void> {
  const limits = hookLimits(config, new Set())
  const canaryLimits = { ...limits, targetUrl: { ...limits.targetUrl, ownHosts: new Set<string>() } }
  await registerHook(
    { db, vault, rules: canaryLimits },
    { accountId, actor: 'service' },
    {
      targetUrl: new URL(canaryPath, config.baseUrl).href,
      eventType: 'all',
      requestMethod: 'JSON',
      eventFilter: null,
      headers: '',
    },
  )
}
