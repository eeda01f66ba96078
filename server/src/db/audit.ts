/**
 * The audit log: actor, action and subject of each change, for the account and the operator. Entries are never
 * changed, are deleted only by retention, and never contain a secret.
 */
import { type RawBuilder, sql } from 'kysely'
import { countChange } from './change-count.ts'
import type { Database, Trx } from './database.ts'
import type { AuditAction } from '../model/audit-actions.ts'
import { integer, unnestRows } from './rows.ts'
import { recordSecurityNotice } from './security-notices.ts'
import { recordSecretHolder } from './secret-holders.ts'
import type { JsonObject } from './types.ts'

/** The admin tool, the service itself, a caller without a session, or a credential of the account such as `key:12`. */
export type Actor = 'operator' | 'service' | 'visitor' | `key:${number}` | `login:${number}` | `app:${string}`

interface AuditEntry {
  accountId?: number
  actor: Actor
  action: AuditAction
  subject: string
  detail?: JsonObject
}

/** Limits for recorded actions of an account's keys, logins and apps. */
const limits = { perMinute: 600, perDay: 10_000 }

/**
 * Reads, and what each member can repeat, are counted with the other actions, but use up at most half of the limits. So they
 * never prevent changes.
 */
const repeatableLimits = { perMinute: limits.perMinute / 2, perDay: limits.perDay / 2 }
const repeatable: ReadonlySet<AuditAction> = new Set(['event.export', 'event.reveal', 'passkey.rename'])

/**
 * Actions that revoke, delete or protect, and signing in, are never rate limited. Changes of webhooks have a limit of
 * their own.
 */
const unlimited =
  /^(session|login|second-factor|authorization|member)\.|^account\.transfer$|^passkey\.add$|\.(revoke|delete|remove|unlink|pause|cancel|end)|^hook\.(create|change|enable|disable)$/

export async function recordAudit(trx: Trx, entry: AuditEntry): Promise<void> {
  if (entry.accountId !== undefined && entry.actor.includes(':') && !unlimited.test(entry.action))
    await countChange(trx, entry.accountId, 'audit', repeatable.has(entry.action) ? repeatableLimits : limits)
  const { id } = await trx
    .insertInto('audit')
    .values({
      accountId: entry.accountId ?? null,
      actor: entry.actor,
      action: entry.action,
      subject: entry.subject,
      detail: JSON.stringify(entry.detail ?? {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordSecurityNotice(trx, { detail: {}, accountId: undefined, ...entry, id })
  if (entry.accountId !== undefined) await recordSecretHolder(trx, { ...entry, accountId: entry.accountId })
}

/**
 * Records an import once per account and file, however often the import was interrupted. `file` identifies the file by
 * its content.
 */
export async function recordImports(
  trx: Trx,
  actor: Actor,
  accountIds: readonly number[],
  file: string,
): Promise<void> {
  const action: AuditAction = 'account.import'
  await sql`
    INSERT INTO audit (account_id, actor, action, subject, detail)
    SELECT input.id, ${actor}, ${action}, 'account:' || input.id, jsonb_build_object('file', ${file}::text)
    FROM ${unnestRows('input', accountIds, { id: integer((id) => id) })}
    WHERE NOT EXISTS (
      SELECT FROM audit AS existing
      WHERE existing.account_id = input.id AND existing.action = ${action} AND existing.detail ->> 'file' = ${file}
    )
  `.execute(trx)
}

/** Records that the secrets of accounts were exported. */
export async function recordExports(
  db: Database,
  actor: Actor,
  accountIds: readonly number[],
): Promise<void> {
  const action: AuditAction = 'account.export'
  await sql`
    INSERT INTO audit (account_id, actor, action, subject)
    SELECT id, ${actor}, ${action}, 'account:' || id
    FROM ${unnestRows('input', accountIds, { id: integer((id) => id) })}
  `.execute(db)
}

export interface ListedEntry {
  id: number
  at: Date
  actor: string
  /** Name of the login, key or app; null once it is deleted. */
  actorName: string | null
  action: AuditAction
  subject: string
  /** Alias of a login as subject; null once it is deleted, and for other subjects. */
  memberAlias: string | null
  detail: JsonObject
}

/**
 * Name of the login, key or app in the column `actor` of a table; null once it is deleted. Names of keys, and of present and
 * former members, are looked up only within the account of the row.
 */
export function actorName(table: string): RawBuilder<string | null> {
  const [actor, accountId] = [sql.ref(`${table}.actor`), sql.ref(`${table}.accountId`)]
  return sql`CASE
    WHEN ${actor} LIKE 'login:%' THEN ${memberAlias(actor, accountId)}
    WHEN ${actor} LIKE 'key:%' THEN (
      SELECT keys.name FROM keys WHERE keys.account_id = ${accountId} AND keys.id = substr(${actor}, 5)::integer)
    WHEN ${actor} LIKE 'app:%' THEN (SELECT apps.name FROM apps WHERE apps.id = substr(${actor}, 5))
  END`
}

/** Alias of a present or former member by a subject such as `login:3`. */
function memberAlias(login: RawBuilder<unknown>, accountId: RawBuilder<unknown>): RawBuilder<string | null> {
  const loginId = sql`substr(${login}, 7)::integer`
  return sql`coalesce(
    (SELECT alias FROM memberships JOIN logins ON logins.id = memberships.login_id
     WHERE memberships.account_id = ${accountId} AND memberships.login_id = ${loginId}),
    (SELECT alias FROM former_members
     WHERE former_members.account_id = ${accountId} AND former_members.login_id = ${loginId}))`
}

/** Lists entries, newest first. */
export async function listAudit(
  db: Database,
  accountId: number,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<ListedEntry[]> {
  const result = await sql<ListedEntry & { id: string }>`
    SELECT id, at, actor, action, subject, detail, ${actorName('audit')} AS actor_name,
      CASE WHEN subject LIKE 'login:%' THEN ${memberAlias(sql.ref('audit.subject'), sql.ref('audit.accountId'))} END AS member_alias
    FROM audit
    WHERE audit.account_id = ${accountId} AND audit.id < ${before ?? Number.MAX_SAFE_INTEGER}
    ORDER BY audit.id DESC
    LIMIT ${limit}
  `.execute(db)
  return result.rows.map((row) => ({ ...row, id: Number(row.id) }))
}
