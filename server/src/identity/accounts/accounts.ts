import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { Refusal } from '../../model/errors.ts'
import { type Actor, recordAudit } from '../../db/audit.ts'
import { createStop, endSuspension } from '../../db/stops.ts'
import type { HashShare } from './hash-queue.ts'
import { type NewLogin, insertLogin, judgeLogin } from './logins.ts'
import type { Passwords } from './passwords.ts'

interface NewAccount {
  name: string
  /** Its first login, for people; an account without one is used by keys alone. */
  login?: NewLogin | undefined
}

export interface ListedAccount {
  id: number
  name: string
  suspendedAt: Date | null
  createdAt: Date
}

export async function createAccount(
  db: Database,
  passwords: Passwords,
  actor: Actor,
  wanted: NewAccount,
  share?: HashShare,
): Promise<{ accountId: number; loginId?: number }> {
  if (wanted.name.trim() === '') throw new Refusal('parameterInvalid', 'The account needs a name.')
  const { login } = wanted
  if (login !== undefined) judgeLogin(login)
  const passwordHash = login && (await passwords.hash(login.password, share))
  return db.transaction().execute(async (trx) => {
    const { id: accountId } = await trx
      .insertInto('accounts')
      .values({ name: wanted.name })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordAudit(trx, {
      accountId,
      actor,
      action: 'account.create',
      subject: `account:${accountId}`,
      detail: { name: wanted.name },
    })
    if (login === undefined || passwordHash === undefined) return { accountId }
    return { accountId, loginId: await insertLogin(trx, actor, accountId, login, passwordHash) }
  })
}

export function listAccounts(db: Database): Promise<ListedAccount[]> {
  return db.selectFrom('accounts').select(['id', 'name', 'suspendedAt', 'createdAt']).orderBy('id').execute()
}

export async function hasAccount(db: Database, accountId: number): Promise<boolean> {
  const found = await db.selectFrom('accounts').select('id').where('id', '=', accountId).executeTakeFirst()
  return found !== undefined
}

/** Suspends an account, which stops its sends too, or lets it work again. False: there is no such account, or it already is so. */
export async function setSuspended(
  db: Database,
  actor: Actor,
  accountId: number,
  isSuspended: boolean,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const changed = await trx
      .updateTable('accounts')
      .set({ suspendedAt: isSuspended ? sql<Date>`now()` : null })
      .where('id', '=', accountId)
      .where('suspendedAt', isSuspended ? 'is' : 'is not', null)
      .returning('id')
      .executeTakeFirst()
    if (changed === undefined) return false
    if (isSuspended) await createStop(trx, actor, suspension(accountId))
    else await endSuspension(trx, accountId)
    const action = isSuspended ? 'account.suspend' : 'account.resume'
    await recordAudit(trx, { accountId, actor, action, subject: `account:${accountId}` })
    return true
  })
}

function suspension(accountId: number): Parameters<typeof createStop>[2] {
  return { target: { scope: 'account', accountId }, reason: 'The account is suspended.', isSuspension: true }
}

export async function renameAccount(
  db: Database,
  actor: Actor,
  accountId: number,
  name: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const old = await trx
      .selectFrom('accounts')
      .select('name')
      .where('id', '=', accountId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    await trx.updateTable('accounts').set({ name }).where('id', '=', accountId).execute()
    await recordAudit(trx, {
      accountId,
      actor,
      action: 'account.rename',
      subject: `account:${accountId}`,
      detail: { from: old.name, to: name },
    })
  })
}
