/**
 * The authenticator app of a login, by a sealed secret that both share. Every code works once. The app is active after
 * confirmation with a first code.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Actor, recordAudit } from '../../db/audit.ts'
import type { Database, Trx } from '../../db/database.ts'
import type { AuditAction } from '../../model/audit-actions.ts'
import { ApiError } from '../../model/errors.ts'
import type { Vault } from '../../vault/vault.ts'
import type { PasswordDeps } from './authenticate-login.ts'
import { accountOf } from './logins.ts'
import type { CallerTrust } from './caller-trust.ts'
import { createFirstCodes, useRecoveryCode } from './recovery-codes.ts'
import { normalizeCode, stepOf, toBase32 } from './totp.ts'

type SecondFactorDeps = Pick<PasswordDeps, 'db' | 'vault' | 'throttle' | 'onFailedLogin'>

interface CodeAttempt {
  loginId: number
  code: string
  ip: string
  trust: CallerTrust
  nowMs: number
}

/** Length of the SHA-1 output, as the RFC recommends. */
const secretBytes = 20

/** Creates a new secret and replaces an unconfirmed one. */
export async function startSecondFactor(
  { db, vault }: SecondFactorDeps,
  loginId: number,
): Promise<{ secret: string; alias: string }> {
  const secret = randomBytes(secretBytes)
  const login = await db
    .updateTable('logins')
    .set({ totpSealed: vault.seal(secret.toString('base64'), sealContext(loginId)) })
    .where('id', '=', loginId)
    .where('totpConfirmedAt', 'is', null)
    .returning('alias')
    .executeTakeFirst()
  if (login === undefined)
    throw new ApiError('secondFactorOn', 'An authenticator app is already set up. Remove it first.')
  return { secret: toBase32(secret), alias: login.alias }
}

/** Enables the app if the code is valid. Returns the recovery codes, or none if the login has some. */
export async function confirmSecondFactor(
  { db, vault, throttle }: SecondFactorDeps,
  { loginId, code, nowMs }: Pick<CodeAttempt, 'loginId' | 'code' | 'nowMs'>,
): Promise<string[]> {
  let recoveryCodes: string[] = []
  const isValid = await throttle.tryCode({ loginId, trust: { kind: 'session', loginId } }, () =>
    db.transaction().execute(async (trx) => {
      const login = await trx
        .selectFrom('logins')
        .select(['accountId', 'totpSealed'])
        .where('id', '=', loginId)
        .where('totpConfirmedAt', 'is', null)
        .forUpdate()
        .executeTakeFirst()
      if (login === undefined || login.totpSealed === null)
        throw new ApiError('notFound', 'Two-factor setup not found. Start the setup first.')
      const step = stepOf(openSecret(vault, loginId, login.totpSealed), normalizeCode(code), nowMs)
      if (step === undefined) return false
      recoveryCodes = await createFirstCodes(trx, vault, loginId)
      await trx
        .updateTable('logins')
        .set({ totpConfirmedAt: sql<Date>`now()`, totpLastStep: step })
        .where('id', '=', loginId)
        .execute()
      await audit(trx, { ...login, loginId }, `login:${loginId}`, 'second-factor.on')
      return true
    }),
  )
  if (!isValid) throw wrongCode()
  return recoveryCodes
}

/** Consumes a code of the app or a recovery code. Throws for an invalid code. */
export async function verifySecondFactor(
  { db, vault, throttle, onFailedLogin }: SecondFactorDeps,
  attempt: CodeAttempt,
): Promise<void> {
  const isValid = await throttle.tryCode(attempt, () =>
    /^\d{6}$/.test(normalizeCode(attempt.code))
      ? useAppCode(db, vault, attempt)
      : useRecoveryCode(db, vault, attempt),
  )
  if (isValid) return
  onFailedLogin(attempt.loginId, attempt.ip)
  throw wrongCode()
}

/** Removes the app. Returns false if there is none. Recovery codes are deleted with the last passkey or app. */
export async function removeAuthenticatorApp(trx: Trx, actor: Actor, loginId: number): Promise<boolean> {
  const changed = await trx
    .updateTable('logins')
    .set({ totpSealed: null, totpConfirmedAt: null, totpLastStep: 0 })
    .where('id', '=', loginId)
    .where('totpConfirmedAt', 'is not', null)
    .returning('accountId')
    .executeTakeFirst()
  if (changed === undefined) return false
  await audit(trx, { ...changed, loginId }, actor, 'second-factor.off')
  return true
}

/** Compares and writes the last step in one statement, so that of two concurrent calls only one succeeds. */
async function useAppCode(
  db: Database,
  vault: Vault,
  { loginId, code, nowMs }: CodeAttempt,
): Promise<boolean> {
  const login = await db
    .selectFrom('logins')
    .select('totpSealed')
    .where('id', '=', loginId)
    .where('totpConfirmedAt', 'is not', null)
    .executeTakeFirst()
  if (login === undefined || login.totpSealed === null) return false
  const step = stepOf(openSecret(vault, loginId, login.totpSealed), normalizeCode(code), nowMs)
  if (step === undefined) return false
  const used = await db
    .updateTable('logins')
    .set({ totpLastStep: step })
    .where('id', '=', loginId)
    .where('totpLastStep', '<', String(step))
    .executeTakeFirst()
  return used.numUpdatedRows > 0n
}

async function audit(
  trx: Trx,
  { accountId, loginId }: { accountId: number | null; loginId: number },
  actor: Actor,
  action: AuditAction,
): Promise<void> {
  await recordAudit(trx, { ...accountOf({ accountId }), actor, action, subject: `login:${loginId}` })
}

function openSecret(vault: Vault, loginId: number, sealed: Buffer): Buffer {
  return Buffer.from(vault.open(sealed, sealContext(loginId)), 'base64')
}

function sealContext(loginId: number): string {
  return `totp:${loginId}`
}

function wrongCode(): ApiError {
  return new ApiError('invalidSecondFactor', 'Code incorrect or already used. Enter the next code.')
}
