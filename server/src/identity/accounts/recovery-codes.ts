/**
 * Recovery codes replace the authenticator app or passkey at sign-in, each once. The first of these creates ten codes, and
 * they end with the last.
 */
import { randomInt } from 'node:crypto'
import { recordAudit } from '../../db/audit.ts'
import type { Database, Trx } from '../../db/database.ts'
import { hasSecondFactor } from '../../db/second-factor.ts'
import type { Vault } from '../../vault/vault.ts'
import { accountOf } from './logins.ts'
import { normalizeCode } from './totp.ts'

const codeCount = 10
/** 12 characters have 60 bits, enough behind the throttle. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/**
 * Call before a transaction adds an app or passkey: locks the login. Returns the codes, which are not shown again. Returns
 * none if the login already has two-factor authentication, with codes.
 */
export async function createFirstCodes(trx: Trx, vault: Vault, loginId: number): Promise<string[]> {
  const login = await trx
    .selectFrom('logins')
    .select(hasSecondFactor.as('hasSecondFactor'))
    .where('id', '=', loginId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (login.hasSecondFactor) return []
  const codes = Array.from({ length: codeCount }, createCode)
  await trx.deleteFrom('recoveryCodes').where('loginId', '=', loginId).execute()
  await trx
    .insertInto('recoveryCodes')
    .values(codes.map((code) => ({ loginId, digest: digestOf(vault, loginId, code) })))
    .execute()
  return codes
}

/** Call after a transaction has removed an app or passkey. */
export async function deleteLastCodes(trx: Trx, loginId: number): Promise<void> {
  const login = await trx
    .selectFrom('logins')
    .select(hasSecondFactor.as('hasSecondFactor'))
    .where('id', '=', loginId)
    .executeTakeFirstOrThrow()
  if (!login.hasSecondFactor) await trx.deleteFrom('recoveryCodes').where('loginId', '=', loginId).execute()
}

export async function useRecoveryCode(
  db: Database,
  vault: Vault,
  { loginId, code }: { loginId: number; code: string },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const used = await trx
      .deleteFrom('recoveryCodes')
      .using('logins')
      .whereRef('logins.id', '=', 'recoveryCodes.loginId')
      .where('recoveryCodes.loginId', '=', loginId)
      .where('recoveryCodes.digest', '=', digestOf(vault, loginId, code))
      .returning('logins.accountId')
      .executeTakeFirst()
    if (used === undefined) return false
    await recordAudit(trx, {
      ...accountOf(used),
      actor: `login:${loginId}`,
      action: 'second-factor.use-recovery-code',
      subject: `login:${loginId}`,
    })
    return true
  })
}

function createCode(): string {
  const characters = Array.from({ length: 12 }, () => alphabet[randomInt(alphabet.length)])
  return characters.join('').replace(/^(.{4})(.{4})/, '$1-$2-')
}

function digestOf(vault: Vault, loginId: number, code: string): Buffer {
  return vault.digest(normalizeCode(code), `recovery-code:${loginId}`)
}
