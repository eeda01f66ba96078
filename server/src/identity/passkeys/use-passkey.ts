/**
 * Use of a passkey in two steps: the response is checked first, then its challenge and counter are spent in the transaction
 * of what the passkey allows. A removal of the passkey in between is noticed in the second step.
 */
import { sql } from 'kysely'
import { recordAudit } from '../../db/audit.ts'
import type { Database, Trx } from '../../db/database.ts'
import { ApiError } from '../../model/errors.ts'
import { isSameSecret } from '../../vault/is-same-secret.ts'
import type { Vault } from '../../vault/vault.ts'
import {
  type ChallengePurpose,
  isSpent,
  type OpenChallenge,
  openChallenge,
  spendChallenge,
} from './challenges.ts'
import { userHandleOf } from './user-handle.ts'
import { type Assertion, verifyAssertion } from './verify-responses.ts'

export interface PasskeyDeps {
  db: Database
  vault: Vault
  baseUrl: URL
  clock: { now: () => number }
}

export interface CheckedPasskey {
  passkeyId: number
  loginId: number
  counter: number
  isSynced: boolean
  challenge: OpenChallenge
}

interface Check {
  assertion: Assertion
  purpose: ChallengePurpose
  /** The login that the passkey must belong to. Without it, the passkey decides. */
  loginId?: number
  /** Called with the login of a known passkey if its response is not valid. */
  onInvalid: (loginId: number) => void
}

/** Returns undefined for an unknown passkey and for any response that is not valid. */
export async function checkPasskey(
  { db, vault, baseUrl, clock }: PasskeyDeps,
  { assertion, purpose, loginId, onInvalid }: Check,
): Promise<CheckedPasskey | undefined> {
  const passkey = await findPasskey(db, assertion, loginId)
  if (passkey === undefined || !isUser(vault, passkey.loginId, assertion)) return undefined
  let challenge: OpenChallenge | undefined
  const verified = await verifyAssertion(assertion, passkey.publicKey, {
    baseUrl,
    isChallenge(sent) {
      challenge = openChallenge(vault, purpose, sent, clock.now())
      return challenge !== undefined
    },
  })
  if (verified === undefined || challenge === undefined) {
    onInvalid(passkey.loginId)
    return undefined
  }
  const { newCounter: counter, credentialBackedUp: isSynced } = verified
  if (!isNewer(counter, Number(passkey.counter))) {
    // A response that arrives again has an old counter too.
    if (!(await isSpent(db, challenge))) await recordOldCounter(db, passkey)
    return undefined
  }
  return { passkeyId: passkey.id, loginId: passkey.loginId, counter, isSynced, challenge }
}

/**
 * Throws if the challenge or the counter was used before, or if the passkey was removed. Locks the login like a sign-in with the
 * password, so a password reset that removes passkeys also ends a session that starts meanwhile.
 */
export async function spendPasskey(trx: Trx, checked: CheckedPasskey): Promise<void> {
  const { passkeyId, loginId, counter, isSynced, challenge } = checked
  await trx.selectFrom('logins').select('id').where('id', '=', loginId).forShare().execute()
  if (!(await spendChallenge(trx, challenge))) throw invalidPasskey()
  const used = await trx
    .updateTable('passkeys')
    .set({ counter, isSynced, lastUsedAt: sql<Date>`now()` })
    .where('id', '=', passkeyId)
    .where('loginId', '=', loginId)
    .where(sql<boolean>`(counter < ${counter} OR (counter = 0 AND ${counter} = 0))`)
    .executeTakeFirst()
  if (used.numUpdatedRows === 0n) throw invalidPasskey()
}

export function invalidPasskey(): ApiError {
  return new ApiError(
    'invalidPasskey',
    'Passkey not accepted. Retry within 5 minutes of the request, or use another method.',
  )
}

/** Authenticators that do not count always send 0. */
function isNewer(counter: number, stored: number): boolean {
  return counter > stored || (counter === 0 && stored === 0)
}

function findPasskey(db: Database, { id }: Assertion, loginId: number | undefined) {
  const passkeys = db
    .selectFrom('passkeys')
    .innerJoin('logins', 'logins.id', 'passkeys.loginId')
    .select([
      'passkeys.id',
      'passkeys.name',
      'passkeys.loginId',
      'passkeys.publicKey',
      'passkeys.counter',
      'logins.accountId',
    ])
    .where('credentialId', '=', Buffer.from(id, 'base64url'))
  return (loginId === undefined ? passkeys : passkeys.where('loginId', '=', loginId)).executeTakeFirst()
}

/** The authenticator returns the handle that it was registered with, if it returns one. */
function isUser(vault: Vault, loginId: number, { response: { userHandle } }: Assertion): boolean {
  return userHandle === undefined || isSameSecret(userHandle, userHandleOf(vault, loginId))
}

/** A signed response with an old counter comes from a copy of the passkey. */
async function recordOldCounter(
  db: Database,
  passkey: { id: number; name: string; loginId: number; accountId: number | null },
): Promise<void> {
  const { id, name, loginId, accountId } = passkey
  await db.transaction().execute((trx) =>
    recordAudit(trx, {
      ...(accountId !== null && { accountId }),
      actor: 'visitor',
      action: 'passkey.reject',
      subject: `login:${loginId}`,
      detail: { passkey: id, name },
    }),
  )
}
