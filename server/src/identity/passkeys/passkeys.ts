/** Passkeys of logins: the public keys of authenticators, with names for their users. */
import { sql } from 'kysely'
import { type Actor, recordAudit } from '../../db/audit.ts'
import type { Database, Trx } from '../../db/database.ts'
import type { AuditAction } from '../../model/audit-actions.ts'
import { ApiError } from '../../model/errors.ts'
import type { PasskeyTransport } from '../../model/passkey.ts'

/** More than a person has devices. Bounds the list and the options of each request. */
const maxPerLogin = 20

export interface NewPasskey {
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  transports: PasskeyTransport[]
  isSynced: boolean
}

export interface ListedPasskey {
  id: number
  name: string
  isSynced: boolean
  createdAt: Date
  lastUsedAt: Date | null
}

/** Lists the passkeys of a login, oldest first. */
export function listPasskeys(db: Database | Trx, loginId: number): Promise<ListedPasskey[]> {
  return db
    .selectFrom('passkeys')
    .select(['id', 'name', 'isSynced', 'createdAt', 'lastUsedAt'])
    .where('loginId', '=', loginId)
    .orderBy('id')
    .execute()
}

/** Adds a passkey. The lock of the login serializes additions and removals. */
export async function addPasskey(
  trx: Trx,
  loginId: number,
  { name, ...passkey }: NewPasskey & { name: string },
): Promise<ListedPasskey> {
  const { accountId } = await lockLogin(trx, loginId)
  const { count } = await trx
    .selectFrom('passkeys')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('loginId', '=', loginId)
    .executeTakeFirstOrThrow()
  if (count >= maxPerLogin)
    throw new ApiError('tooManyPasskeys', `You have ${count} passkeys. Remove one first.`, {
      details: { limit: maxPerLogin },
    })
  const added = await trx
    .insertInto('passkeys')
    .values({ loginId, name, ...passkey })
    // A credential belongs to the login that registered it first.
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'name', 'isSynced', 'createdAt', 'lastUsedAt'])
    .executeTakeFirst()
  if (added === undefined)
    throw new ApiError('invalidPasskey', 'This passkey is already registered. Use another one.')
  await audit(trx, `login:${loginId}`, 'passkey.add', { accountId, loginId, passkey: added })
  return added
}

/** Throws if the login has no such passkey. */
export async function renamePasskey(
  trx: Trx,
  { loginId, passkeyId, name }: { loginId: number; passkeyId: number; name: string },
): Promise<ListedPasskey> {
  const { accountId } = await lockLogin(trx, loginId)
  const renamed = await trx
    .updateTable('passkeys')
    .set({ name })
    .where('loginId', '=', loginId)
    .where('id', '=', passkeyId)
    .returning(['id', 'name', 'isSynced', 'createdAt', 'lastUsedAt'])
    .executeTakeFirst()
  if (renamed === undefined) throw passkeyNotFound(passkeyId)
  await audit(trx, `login:${loginId}`, 'passkey.rename', { accountId, loginId, passkey: renamed })
  return renamed
}

/** Throws if the login has no such passkey. */
export async function removePasskey(
  trx: Trx,
  { loginId, passkeyId }: { loginId: number; passkeyId: number },
): Promise<void> {
  const { accountId } = await lockLogin(trx, loginId)
  const removed = await trx
    .deleteFrom('passkeys')
    .where('loginId', '=', loginId)
    .where('id', '=', passkeyId)
    .returning(['id', 'name'])
    .executeTakeFirst()
  if (removed === undefined) throw passkeyNotFound(passkeyId)
  await audit(trx, `login:${loginId}`, 'passkey.remove', { accountId, loginId, passkey: removed })
}

/** Returns the number of removed passkeys. */
export async function removeAllPasskeys(trx: Trx, actor: Actor, loginId: number): Promise<number> {
  const { accountId } = await lockLogin(trx, loginId)
  const removed = await trx
    .deleteFrom('passkeys')
    .where('loginId', '=', loginId)
    .returning(['id', 'name'])
    .execute()
  for (const passkey of removed) await audit(trx, actor, 'passkey.remove', { accountId, loginId, passkey })
  return removed.length
}

function passkeyNotFound(passkeyId: number): ApiError {
  return new ApiError('notFound', `Passkey ${passkeyId} not found.`)
}

/** Without blocking the start of sessions, which refer to the login. */
async function lockLogin(trx: Trx, loginId: number): Promise<{ accountId: number | null }> {
  return trx
    .selectFrom('logins')
    .select('accountId')
    .where('id', '=', loginId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

interface Change {
  accountId: number | null
  loginId: number
  passkey: { id: number; name: string }
}

/** The subject is the login, whose user gets the security notice. */
async function audit(
  trx: Trx,
  actor: Actor,
  action: AuditAction,
  { accountId, loginId, passkey }: Change,
): Promise<void> {
  await recordAudit(trx, {
    ...(accountId !== null && { accountId }),
    actor,
    action,
    subject: `login:${loginId}`,
    detail: { passkey: passkey.id, name: passkey.name },
  })
}
