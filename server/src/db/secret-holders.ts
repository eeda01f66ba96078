/**
 * Which login has created or seen which secret of an account, for the member list and for members who leave. Written with
 * the entry of the audit log, in the same transaction.
 */
import { type RawBuilder, sql } from 'kysely'
import type { AuditAction } from '../model/audit-actions.ts'
import type { Database, Trx } from './database.ts'

interface Holder {
  accountId: number
  loginId: number
}

/** The actions that show a secret. A new secret in place of an old one is unknown to those who saw the old one. */
const secretActions: ReadonlyMap<AuditAction, 'created' | 'replaced' | 'seen'> = new Map([
  ['account.signing-key.rotate', 'replaced'],
  ['account.signing-key.view', 'seen'],
  ['app.create', 'created'],
  ['app.rotate-secret', 'replaced'],
  ['consumer.secret.view', 'seen'],
  ['hook.secret.rotate', 'replaced'],
  ['hook.secret.view', 'seen'],
  ['key.create', 'created'],
  ['key.view', 'seen'],
])

/** Records who knows the secret after an action. Does nothing for actions that show no secret. */
export async function recordSecretHolder(
  trx: Trx,
  {
    accountId,
    actor,
    action,
    subject,
  }: { accountId: number; actor: string; action: AuditAction; subject: string },
): Promise<void> {
  const kind = secretActions.get(action)
  if (kind === undefined) return
  if (kind === 'replaced')
    await trx
      .deleteFrom('secretHolders')
      .where('accountId', '=', accountId)
      .where('subject', '=', subject)
      .where('isCreator', '=', false)
      .execute()
  const loginId = /^login:(\d+)$/.exec(actor)?.[1]
  if (loginId === undefined) return
  await sql`
    INSERT INTO secret_holders AS existing (account_id, login_id, subject, is_creator)
    SELECT ${accountId}, ${Number(loginId)}, shown, ${kind === 'created'}
    FROM unnest(${shownSubjects(accountId, action, subject)}::text[]) AS shown
    ON CONFLICT (account_id, login_id, subject) DO UPDATE SET seen_at = now()
  `.execute(trx)
}

/** A view of the secret of a webhook also shows the signing key of the account. */
function shownSubjects(accountId: number, action: AuditAction, subject: string): string[] {
  return action === 'hook.secret.view' ? [subject, `account:${accountId}`] : [subject]
}

/** Whether the secret of a row is still valid. Ids of keys and apps are unique over all accounts, the others are not. */
export function isSecretValid(table: string): RawBuilder<boolean> {
  const [accountId, subject] = [sql.ref(`${table}.account_id`), sql.ref(`${table}.subject`)]
  const id = sql`split_part(${subject}, ':', 2)`
  return sql`CASE split_part(${subject}, ':', 1)
    WHEN 'key' THEN EXISTS (SELECT FROM keys WHERE keys.id = ${id}::integer AND keys.revoked_at IS NULL)
    WHEN 'app' THEN EXISTS (SELECT FROM apps WHERE apps.id = ${id})
    WHEN 'hook' THEN EXISTS (SELECT FROM hooks WHERE hooks.account_id = ${accountId} AND hooks.id = ${id}::integer)
    WHEN 'consumer' THEN EXISTS (
      SELECT FROM consumers WHERE consumers.account_id = ${accountId} AND consumers.id = ${id}::integer)
    ELSE true
  END`
}

export interface HeldSecret {
  /** `key`, `app`, `hook`, `consumer` or `account`, which has the signing key. */
  kind: string
  id: string
  /** Name of the key, app, webhook or consumer; null without one. */
  name: string | null
  isCreator: boolean
  seenAt: Date
}

/** An account has at most hundreds of keys, apps and webhooks. */
const maxListed = 1_000

/** Lists the valid secrets that a login has created or seen in an account, latest first. */
export async function listHeldSecrets(
  db: Database | Trx,
  { accountId, loginId }: Holder,
): Promise<HeldSecret[]> {
  const { rows } = await sql<HeldSecret>`
    SELECT split_part(subject, ':', 1) AS kind, split_part(subject, ':', 2) AS id, is_creator, seen_at,
      CASE split_part(subject, ':', 1)
        WHEN 'key' THEN (SELECT keys.name FROM keys WHERE keys.id = split_part(subject, ':', 2)::integer)
        WHEN 'app' THEN (SELECT apps.name FROM apps WHERE apps.id = split_part(subject, ':', 2))
        WHEN 'hook' THEN (
          SELECT hooks.name FROM hooks
          WHERE hooks.account_id = secret_holders.account_id AND hooks.id = split_part(subject, ':', 2)::integer)
        WHEN 'consumer' THEN (
          SELECT consumers.name FROM consumers
          WHERE consumers.account_id = secret_holders.account_id AND consumers.id = split_part(subject, ':', 2)::integer)
      END AS name
    FROM secret_holders
    WHERE account_id = ${accountId} AND login_id = ${loginId} AND ${isSecretValid('secret_holders')}
    ORDER BY seen_at DESC, subject
    LIMIT ${maxListed}
  `.execute(db)
  return rows
}

/** Returns the keys and apps that the login created, as subjects such as `key:7`. */
export async function listCreated(db: Database, { accountId, loginId }: Holder): Promise<Set<string>> {
  const created = await db
    .selectFrom('secretHolders')
    .select('subject')
    .where('accountId', '=', accountId)
    .where('loginId', '=', loginId)
    .where('isCreator', '=', true)
    .execute()
  return new Set(created.map(({ subject }) => subject))
}

/** Whether the login created a key or an app. Developers manage only their own. */
export async function isCreator(
  db: Database | Trx,
  { accountId, loginId }: Holder,
  subject: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('secretHolders')
    .select('isCreator')
    .where('accountId', '=', accountId)
    .where('loginId', '=', loginId)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return found?.isCreator ?? false
}
