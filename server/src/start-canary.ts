/** Makes the canary's account and hook, once for all processes, and starts it. */
import { sql } from 'kysely'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { Foundations } from './foundations.ts'
import { hookRules } from './hook-rules.ts'
import { startCanary } from './pipeline/canary.ts'
import { registerHook } from './pipeline/switch-hook.ts'
import type { Vault } from './vault/vault.ts'

const accountName = 'Hookline canary'

export async function startCanaryOf({
  config,
  db,
  vault,
  metrics,
  warn,
}: Foundations): Promise<() => Promise<void>> {
  const accountId = await canaryAccount(db)
  await canaryHook(config, db, vault, accountId)
  return startCanary({ db, metrics, accountId, intervalSeconds: config.canarySeconds, onError: warn })
}

async function canaryAccount(db: Database): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('hookline canary'))`.execute(trx)
    const known = await trx
      .selectFrom('accounts')
      .select('id')
      .where('name', '=', accountName)
      .executeTakeFirst()
    if (known !== undefined) return known.id
    const made = await trx
      .insertInto('accounts')
      .values({ name: accountName })
      .returning('id')
      .executeTakeFirstOrThrow()
    return made.id
  })
}

/** The one hook that may lead to ourselves: to a page that answers and does nothing. */
async function canaryHook(config: Config, db: Database, vault: Vault, accountId: number): Promise<void> {
  const rules = hookRules(config, new Set())
  const openRules = { ...rules, targetUrl: { ...rules.targetUrl, ownHosts: new Set<string>() } }
  await registerHook(
    { db, vault, rules: openRules },
    { accountId, actor: 'service' },
    {
      targetUrl: new URL('/canary', config.baseUrl).href,
      eventType: 'all',
      requestMethod: 'JSON',
      eventFilter: null,
      headers: '',
    },
  )
}
