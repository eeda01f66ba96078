/**
 * All changes of an account's hooks use this, so one commit always contains the change, a higher
 * `accounts.hooks_version`, the hook's new version in `hook_versions` and its entry in the audit log. Incrementing the version first locks the
 * account's row. So changes of one account are serialized, and each sees the previous one. (`accounts` belongs to
 * identity; this one column belongs to hooks.)
 */
import { sql } from 'kysely'
import type { Actor } from '../db/audit.ts'
import { type ChangeLimits, countChange } from '../db/change-count.ts'
import type { Database, Trx } from '../db/database.ts'
import { bigint, boolean, bytea, integer, text, timestamptz, unnestRows } from '../db/rows.ts'
import { auditChange, type Change } from './audit-change.ts'
import type { HookRecord } from './hook-record.ts'

export interface HookChange {
  trx: Trx
  /** Stores the hook as its new version and records the change in the audit log. */
  append: (change: Change, hook: HookRecord) => Promise<void>
}

export function changeHooks<T>(
  db: Database,
  accountId: number,
  actor: Actor,
  change: (step: HookChange) => Promise<T>,
  /** For changes that an account can repeat without limit; undefined for changes that only stop something. */
  limits?: ChangeLimits,
): Promise<T> {
  return runSerially(db, accountId, () =>
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
        async append(made, hook) {
          const { id, createdAt: _, ...shape } = hook
          await trx
            .insertInto('hookVersions')
            .values({ ...shape, accountId, hookId: id, version: hooksVersion, change: made.kind, actor })
            .execute()
          await auditChange(trx, { accountId, actor }, made, hook)
        },
      })
    }),
  )
}

interface NewHook extends Omit<HookRecord, 'createdAt'> {
  accountId: number
  /** Undefined: now. */
  createdAt: Date | undefined
  callUrl: string
  fingerprint: Buffer
  secret: Buffer
}

/**
 * Adds hooks of many accounts with ids of their own. Within the caller's transaction, because it also adds accounts. The
 * audit log has one entry per account and import instead of one per hook (`recordImports`).
 */
export async function addHooks(trx: Trx, actor: Actor, hooks: readonly NewHook[]): Promise<void> {
  if (hooks.length === 0) return
  // All lock accounts in the same order, so that two transactions never wait for each other.
  const accountIds = [...new Set(hooks.map(({ accountId }) => accountId))].toSorted((a, b) => a - b)
  const { rows } = await sql<{ id: number; hooksVersion: string }>`
    WITH locked AS MATERIALIZED (
      SELECT accounts.id FROM ${unnestRows('input', accountIds, { id: integer((id) => id) })}
      JOIN accounts ON accounts.id = input.id ORDER BY accounts.id FOR NO KEY UPDATE OF accounts
    )
    UPDATE accounts SET hooks_version = hooks_version + 1 FROM locked WHERE accounts.id = locked.id
    RETURNING accounts.id, hooks_version
  `.execute(trx)
  const versions = new Map(rows.map(({ id, hooksVersion }) => [id, hooksVersion]))
  const shape = {
    account_id: integer<NewHook>(({ accountId }) => accountId),
    id: integer<NewHook>(({ id }) => id),
    target_url: text<NewHook>(({ targetUrl }) => targetUrl),
    event_type: text<NewHook>(({ eventType }) => eventType),
    registered_as: text<NewHook>(({ registeredAs }) => registeredAs),
    request_method: text<NewHook>(({ requestMethod }) => requestMethod),
    event_filter: text<NewHook>(({ eventFilter }) => eventFilter),
    headers: bytea<NewHook>(({ headers }) => headers),
    enabled: boolean<NewHook>(({ enabled }) => enabled),
    form_fields: text<NewHook>(({ formFields }) => formFields),
    retry_policy: text<NewHook>(({ retryPolicy }) => retryPolicy),
    accept_header: boolean<NewHook>(({ acceptHeader }) => acceptHeader),
    trace_header: boolean<NewHook>(({ traceHeader }) => traceHeader),
    signature_url: text<NewHook>(({ signatureUrl }) => signatureUrl),
    name: text<NewHook>(({ name }) => name),
    description: text<NewHook>(({ description }) => description),
    max_per_second: integer<NewHook>(({ maxPerSecond }) => maxPerSecond),
  }
  await sql`
    INSERT INTO hooks (account_id, id, target_url, event_type, registered_as, request_method, event_filter, headers,
                       enabled, form_fields, retry_policy, accept_header, trace_header, signature_url, name, description,
                       max_per_second, call_url, fingerprint, secret, created_at, disabled_reason)
    OVERRIDING SYSTEM VALUE
    SELECT account_id, id, target_url, event_type, registered_as, request_method, event_filter, headers,
           enabled, form_fields, retry_policy, accept_header, trace_header, signature_url, name, description,
           max_per_second, call_url, fingerprint, secret, coalesce(created_at, now()),
           CASE WHEN NOT enabled THEN 'owner' END
    FROM ${unnestRows('input', hooks, {
      ...shape,
      call_url: text(({ callUrl }) => callUrl),
      fingerprint: bytea((hook) => hook.fingerprint),
      secret: bytea(({ secret }) => secret),
      created_at: timestamptz(({ createdAt }) => createdAt),
    })}
  `.execute(trx)
  await sql`
    INSERT INTO hook_versions (account_id, hook_id, target_url, event_type, registered_as, request_method, event_filter,
                               headers, enabled, form_fields, retry_policy, accept_header, trace_header, signature_url, name,
                               description, max_per_second, version, change, actor)
    SELECT input.*, 'created', ${actor} FROM ${unnestRows('input', hooks, {
      ...shape,
      version: bigint(({ accountId }) => versions.get(accountId)),
    })}
  `.execute(trx)
}

const lastPerAccount = new Map<number, Promise<unknown>>()

/**
 * Runs one change of an account at a time in this process. The database would serialize them anyway, but each waiting
 * transaction holds a connection. A burst of one account would leave none for the others. A call that is a transaction
 * already holds one: the change that it would wait for may need it.
 */
async function runSerially<T>(db: Database, accountId: number, change: () => Promise<T>): Promise<T> {
  if (db.isTransaction) return change()
  const previous = lastPerAccount.get(accountId)
  const current = (async () => {
    await previous?.catch(() => {})
    return change()
  })()
  lastPerAccount.set(accountId, current)
  try {
    return await current
  } finally {
    if (lastPerAccount.get(accountId) === current) lastPerAccount.delete(accountId)
  }
}
