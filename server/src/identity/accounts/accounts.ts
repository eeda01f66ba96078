import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { ApiError } from '../../model/errors.ts'
import { type Actor, recordAudit } from '../../db/audit.ts'
import { createStop, endSuspension } from '../../db/stops.ts'
import type { HashShare } from './hash-queue.ts'
import { type NewLogin, insertLogin, validateLogin } from './logins.ts'
import { createSigningKey, sealSigningKey } from '../../vault/signing-secrets.ts'
import type { Vault } from '../../vault/vault.ts'
import type { Passwords } from './passwords.ts'

interface NewAccount {
  name: string
  /** First login. An account without logins is used with keys only. */
  login?: NewLogin | undefined
}

export interface ListedAccount {
  id: number
  name: string
  suspendedAt: Date | null
  originalStatuses: boolean | null
  country: string | null
  createdAt: Date
}

export async function createAccount(
  { db, vault, passwords }: { db: Database; vault: Vault; passwords: Passwords },
  actor: Actor,
  requested: NewAccount,
  share?: HashShare,
): Promise<{ accountId: number; loginId?: number }> {
  if (requested.name.trim() === '')
    throw new ApiError('parameterInvalid', 'The account name is missing.', { field: 'account_name' })
  const { login } = requested
  if (login !== undefined) validateLogin(login)
  const passwordHash = login && (await passwords.hash(login.password, share))
  return db.transaction().execute(async (trx) => {
    const { id: accountId } = await trx
      .insertInto('accounts')
      .values({ name: requested.name })
      .returning('id')
      .executeTakeFirstOrThrow()
    // Sealed for its account, so the id comes first.
    await trx
      .updateTable('accounts')
      .set({ signingKey: sealSigningKey(vault, accountId, createSigningKey()) })
      .where('id', '=', accountId)
      .execute()
    await recordAudit(trx, {
      accountId,
      actor,
      action: 'account.create',
      subject: `account:${accountId}`,
      detail: { name: requested.name },
    })
    if (login === undefined || passwordHash === undefined) return { accountId }
    const isEmailVerified = actor !== 'visitor'
    const loginId = await insertLogin(trx, actor, accountId, { ...login, isEmailVerified }, passwordHash)
    return { accountId, loginId }
  })
}

export function listAccounts(db: Database): Promise<ListedAccount[]> {
  return db
    .selectFrom('accounts')
    .select(['id', 'name', 'suspendedAt', 'originalStatuses', 'country', 'createdAt'])
    .orderBy('id')
    .execute()
}

export async function hasAccount(db: Database, accountId: number): Promise<boolean> {
  const found = await db.selectFrom('accounts').select('id').where('id', '=', accountId).executeTakeFirst()
  return found !== undefined
}

/** Suspends or resumes an account and its deliveries. Returns false if nothing changed or the account does not exist. */
export async function readAccountName(db: Database, accountId: number): Promise<string> {
  const { name } = await db
    .selectFrom('accounts')
    .select('name')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return name
}

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

/** Sets the statuses of failed calls. Null restores the setting of the installation. Returns false if nothing changed. */
export function setOriginalStatuses(
  db: Database,
  actor: Actor,
  accountId: number,
  originalStatuses: boolean | null,
): Promise<boolean> {
  return changeSetting(db, accountId, 'originalStatuses', originalStatuses, {
    actor,
    action: 'account.set-statuses',
    detail: { original: originalStatuses },
  })
}

/** Sets whether calls with API credentials must be signed. Returns false if nothing changed. */
export function setSignedCallsRequired(
  db: Database,
  actor: Actor,
  accountId: number,
  isRequired: boolean,
): Promise<boolean> {
  return changeSetting(db, accountId, 'signedCallsRequired', isRequired, {
    actor,
    action: 'account.set-signed-calls',
    detail: { required: isRequired },
  })
}

/** Sets the country whose national numbers searches understand. Returns false if nothing changed. */
export function setCountry(
  db: Database,
  actor: Actor,
  accountId: number,
  country: string | null,
): Promise<boolean> {
  return changeSetting(db, accountId, 'country', country, {
    actor,
    action: 'account.set-country',
    detail: { country },
  })
}

export async function readCountry(db: Database, accountId: number): Promise<string | undefined> {
  const found = await db
    .selectFrom('accounts')
    .select('country')
    .where('id', '=', accountId)
    .executeTakeFirst()
  return found?.country ?? undefined
}

async function changeSetting(
  db: Database,
  accountId: number,
  column: 'originalStatuses' | 'signedCallsRequired' | 'country',
  value: boolean | string | null,
  entry: Pick<Parameters<typeof recordAudit>[1], 'actor' | 'action' | 'detail'>,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const changed = await trx
      .updateTable('accounts')
      .set({ [column]: value })
      .where('id', '=', accountId)
      .where(column, 'is distinct from', value)
      .returning('id')
      .executeTakeFirst()
    if (changed === undefined) return false
    await recordAudit(trx, { accountId, subject: `account:${accountId}`, ...entry })
    return true
  })
}

export function accountSuspended(): ApiError {
  return new ApiError('accountSuspended', 'This account is suspended.')
}

export const suspensionReason = 'The account is suspended.'

function suspension(accountId: number): Parameters<typeof createStop>[2] {
  return { target: { scope: 'account', accountId }, reason: suspensionReason, isSuspension: true }
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
