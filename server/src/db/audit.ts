/**
 * The audit log: who changed what, for an account's owner and the operator. Never changed, and deleted only when it is too
 * old; never a secret.
 */
import { sql } from 'kysely'
import { countChange } from './change-count.ts'
import type { Database, Trx } from './database.ts'
import type { JsonObject } from './types.ts'

/**
 * Who acts: the operator's tool, the service itself, somebody who is not signed in, or a credential of the account such
 * as `key:12`.
 */
export type Actor = 'operator' | 'service' | 'visitor' | `key:${number}` | `login:${number}` | `app:${string}`

interface AuditEntry {
  accountId?: number
  actor: Actor
  action: string
  subject: string
  detail?: JsonObject
}

/** How often an account's own keys, logins and apps may do what is recorded. */
const limits = { perMinute: 600, perDay: 10_000 }

/** What ends or protects something, and signing in, is never refused. */
const unlimited = /^(session|login|second-factor|authorization)\.|\.(revoke|delete|remove|pause|cancel|end)/

export async function recordAudit(trx: Trx, entry: AuditEntry): Promise<void> {
  if (entry.accountId !== undefined && entry.actor.includes(':') && !unlimited.test(entry.action))
    await countChange(trx, entry.accountId, 'audit', limits)
  await trx
    .insertInto('audit')
    .values({
      accountId: entry.accountId ?? null,
      actor: entry.actor,
      action: entry.action,
      subject: entry.subject,
      detail: JSON.stringify(entry.detail ?? {}),
    })
    .execute()
}

export interface ListedEntry {
  id: number
  at: Date
  actor: string
  /** Of the login, key or app, as far as it is still there. */
  actorName: string | null
  action: string
  subject: string
  detail: JsonObject
}

/** Newest first. Names of logins and keys are looked up within the account alone. */
export async function listAudit(
  db: Database,
  accountId: number,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<ListedEntry[]> {
  const found = await sql<ListedEntry & { id: string }>`
    SELECT audit.id, audit.at, audit.actor, audit.action, audit.subject, audit.detail,
      coalesce(logins.alias, keys.name, apps.name) AS actor_name
    FROM audit
      LEFT JOIN logins ON logins.account_id = audit.account_id
        AND logins.id = CASE WHEN audit.actor LIKE 'login:%' THEN substr(audit.actor, 7)::integer END
      LEFT JOIN keys ON keys.account_id = audit.account_id
        AND keys.id = CASE WHEN audit.actor LIKE 'key:%' THEN substr(audit.actor, 5)::integer END
      LEFT JOIN apps ON apps.id = CASE WHEN audit.actor LIKE 'app:%' THEN substr(audit.actor, 5) END
    WHERE audit.account_id = ${accountId} AND audit.id < ${before ?? Number.MAX_SAFE_INTEGER}
    ORDER BY audit.id DESC
    LIMIT ${limit}
  `.execute(db)
  return found.rows.map((row) => ({ ...row, id: Number(row.id) }))
}
