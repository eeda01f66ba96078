/** Records notices about changes that could be the work of an attacker, in the commit of their audit entry. */
import { sql } from 'kysely'
import type { AuditAction } from '../model/audit-actions.ts'
import type { NoticeDetail, NoticeKind } from '../model/notice.ts'
import type { Trx } from './database.ts'
import { insertAccountNotices } from './notice-outbox.ts'
import type { JsonObject } from './types.ts'

/** Changes of a login. Only its user is told. */
const loginActions: ReadonlySet<AuditAction> = new Set([
  'login.set-email',
  'login.set-password',
  'passkey.add',
  'passkey.reject',
  'passkey.remove',
  'second-factor.off',
  'second-factor.on',
  'second-factor.use-recovery-code',
  'sso.link',
  'sso.unlink',
])

/** Changes of who can act in an account, or see its secrets. */
const accountActions: ReadonlySet<AuditAction> = new Set([
  'account.set-signed-calls',
  'account.signing-key.rotate',
  'account.signing-key.view',
  'account.transfer',
  'app.create',
  'app.rotate-secret',
  'authorization.grant',
  'channel.create',
  'channel.delete',
  'key.create',
  'key.view',
  'member.add',
  'member.change',
  'member.remove',
  'sso.configure',
  'sso.remove',
  'sso.remove-domain',
  'sso.settings',
  'sso.verify-domain',
  'token.replay',
])

interface RecordedAction {
  id: string
  accountId: number | undefined
  actor: string
  action: AuditAction
  subject: string
  detail: JsonObject
}

export async function recordSecurityNotice(trx: Trx, entry: RecordedAction): Promise<void> {
  const { accountId, action } = entry
  if (action === 'session.start' && entry.detail.new_browser === true)
    return insertForLogin(trx, 'sign_in', entry)
  if (loginActions.has(action)) return insertForLogin(trx, 'login_changed', entry)
  if (accountId !== undefined && accountActions.has(action)) await insertForAccount(trx, accountId, entry)
}

/** In the account in which a sign-in would continue: a suspended one gets no messages. */
async function insertForLogin(trx: Trx, kind: NoticeKind, entry: RecordedAction): Promise<void> {
  const { actor, action, subject, detail } = entry
  const loginId = Number((kind === 'sign_in' ? actor : subject).replace('login:', ''))
  // The previous email is told that it is no longer used.
  const address =
    action === 'login.set-email' && typeof detail.from === 'string' ? { address: detail.from } : {}
  await sql`${insertAccountNotices(sql`
    SELECT memberships.account_id, login_id, ${`audit:${entry.id}`}::text AS subject, now() AS streak, ${kind}::text AS kind,
           ${JSON.stringify({ ...detailOf(entry), ...address })}::jsonb AS detail
    FROM memberships JOIN accounts ON accounts.id = memberships.account_id
    WHERE memberships.login_id = ${loginId}
    ORDER BY accounts.suspended_at IS NOT NULL, used_at DESC LIMIT 1`)}
  `.execute(trx)
}

async function insertForAccount(trx: Trx, accountId: number, entry: RecordedAction): Promise<void> {
  await sql`${insertAccountNotices(sql`
    SELECT ${accountId}::integer AS account_id, NULL::integer AS login_id, ${`audit:${entry.id}`}::text AS subject,
           now() AS streak, 'account_changed' AS kind, ${JSON.stringify(detailOf(entry))}::jsonb AS detail`)}
  `.execute(trx)
}

function detailOf({ actor, action, subject, detail }: RecordedAction): NoticeDetail {
  return {
    action,
    actor,
    about: subject,
    ...(typeof detail.name === 'string' && { name: detail.name }),
    ...(typeof detail.ip === 'string' && { ip: detail.ip }),
    ...(typeof detail.browser === 'string' && { browser: detail.browser }),
  }
}
