/**
 * The second factor of a login: a secret shared with an authenticator app, sealed, and ten recovery codes for the day the
 * app is lost, as digests. Every code is good once. It counts from the moment it is confirmed with a first code.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { type Actor, recordAudit } from '../../db/audit.ts'
import type { Database, Trx } from '../../db/database.ts'
import { Refusal } from '../../model/errors.ts'
import type { Vault } from '../../vault/vault.ts'
import type { PasswordParts } from './authenticate-login.ts'
import { isNamed } from './logins.ts'
import type { Standing } from './standing.ts'
import { stepOf, toBase32 } from './totp.ts'

type SecondFactorParts = Pick<PasswordParts, 'db' | 'vault' | 'throttle' | 'onFailedLogin'>

interface Tried {
  loginId: number
  code: string
  ip: string
  standing: Standing
  nowMs: number
}

/** As long as SHA-1's output, as the RFC asks. */
const secretBytes = 20
const recoveryCodeCount = 10
/** Three groups of four: 60 bits, which nobody guesses through the throttle. */
const recoveryAlphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Makes a new secret, in place of one that was never confirmed. */
export async function beginSecondFactor(
  { db, vault }: SecondFactorParts,
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
    throw new Refusal(
      'secondFactorOn',
      'The second factor is on already. Switch it off before setting up another.',
    )
  return { secret: toBase32(secret), alias: login.alias }
}

/** Switches it on if the code proves that the app has the secret. Returns the recovery codes, which nobody sees again. */
export async function confirmSecondFactor(
  { db, vault, throttle }: SecondFactorParts,
  { loginId, code, nowMs }: Pick<Tried, 'loginId' | 'code' | 'nowMs'>,
): Promise<string[]> {
  const recoveryCodes = Array.from({ length: recoveryCodeCount }, makeRecoveryCode)
  const isRight = await throttle.tryCode({ loginId, standing: { kind: 'session', loginId } }, () =>
    db.transaction().execute(async (trx) => {
      const login = await trx
        .selectFrom('logins')
        .select(['accountId', 'totpSealed'])
        .where('id', '=', loginId)
        .where('totpConfirmedAt', 'is', null)
        .forUpdate()
        .executeTakeFirst()
      if (login === undefined || login.totpSealed === null)
        throw new Refusal('notFound', 'There is no second factor to confirm. Start setting one up first.')
      const step = stepOf(openSecret(vault, loginId, login.totpSealed), plain(code), nowMs)
      if (step === undefined) return false
      await trx
        .updateTable('logins')
        .set({ totpConfirmedAt: sql<Date>`now()`, totpLastStep: step })
        .where('id', '=', loginId)
        .execute()
      await trx.deleteFrom('recoveryCodes').where('loginId', '=', loginId).execute()
      await trx
        .insertInto('recoveryCodes')
        .values(recoveryCodes.map((one) => ({ loginId, digest: digestOf(vault, loginId, one) })))
        .execute()
      await audit(trx, { accountId: login.accountId, loginId }, `login:${loginId}`, 'second-factor.on')
      return true
    }),
  )
  if (!isRight) throw wrongCode()
  return recoveryCodes
}

/** Uses up a code of the app or a recovery code, or refuses. */
export async function judgeSecondFactor(
  { db, vault, throttle, onFailedLogin }: SecondFactorParts,
  tried: Tried,
): Promise<void> {
  const isGood = await throttle.tryCode(tried, () =>
    /^\d{6}$/.test(plain(tried.code)) ? useAppCode(db, vault, tried) : useRecoveryCode(db, vault, tried),
  )
  if (isGood) return
  onFailedLogin(tried.loginId, tried.ip)
  throw wrongCode()
}

/** Of a login by its id, alias or e-mail address. False: there is none. */
export async function removeSecondFactor(
  db: Database,
  actor: Actor,
  login: number | string,
): Promise<boolean> {
  return db.transaction().execute((trx) => removeSecondFactorWithin(trx, actor, login))
}

/** Within the caller's transaction. */
export async function removeSecondFactorWithin(
  trx: Trx,
  actor: Actor,
  login: number | string,
): Promise<boolean> {
  const changed = await trx
    .updateTable('logins')
    .set({ totpSealed: null, totpConfirmedAt: null, totpLastStep: 0 })
    .where(typeof login === 'number' ? sql<boolean>`logins.id = ${login}` : isNamed(login))
    .where('totpConfirmedAt', 'is not', null)
    .returning(['id', 'accountId'])
    .executeTakeFirst()
  if (changed === undefined) return false
  const { id: loginId, accountId } = changed
  await trx.deleteFrom('recoveryCodes').where('loginId', '=', loginId).execute()
  await audit(trx, { accountId, loginId }, actor, 'second-factor.off')
  return true
}

/** The step of the last code is compared where it is written, so that of two at once only one counts. */
async function useAppCode(db: Database, vault: Vault, { loginId, code, nowMs }: Tried): Promise<boolean> {
  const login = await db
    .selectFrom('logins')
    .select('totpSealed')
    .where('id', '=', loginId)
    .where('totpConfirmedAt', 'is not', null)
    .executeTakeFirst()
  if (login === undefined || login.totpSealed === null) return false
  const step = stepOf(openSecret(vault, loginId, login.totpSealed), plain(code), nowMs)
  if (step === undefined) return false
  const used = await db
    .updateTable('logins')
    .set({ totpLastStep: step })
    .where('id', '=', loginId)
    .where('totpLastStep', '<', String(step))
    .executeTakeFirst()
  return used.numUpdatedRows > 0n
}

async function useRecoveryCode(db: Database, vault: Vault, { loginId, code }: Tried): Promise<boolean> {
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
    const who = { accountId: used.accountId, loginId }
    await audit(trx, who, `login:${loginId}`, 'second-factor.use-recovery-code')
    return true
  })
}

async function audit(
  trx: Trx,
  { accountId, loginId }: { accountId: number; loginId: number },
  actor: Actor,
  action: string,
): Promise<void> {
  await recordAudit(trx, { accountId, actor, action, subject: `login:${loginId}` })
}

function makeRecoveryCode(): string {
  const characters = Array.from({ length: 12 }, () => recoveryAlphabet[randomInt(recoveryAlphabet.length)])
  return characters.join('').replace(/^(.{4})(.{4})/, '$1-$2-')
}

/** People type spaces, dashes and capitals. */
function plain(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toLowerCase()
}

function digestOf(vault: Vault, loginId: number, code: string): Buffer {
  return vault.digest(plain(code), `recovery-code:${loginId}`)
}

function openSecret(vault: Vault, loginId: number, sealed: Buffer): Buffer {
  return Buffer.from(vault.open(sealed, sealContext(loginId)), 'base64')
}

function sealContext(loginId: number): string {
  return `totp:${loginId}`
}

function wrongCode(): Refusal {
  return new Refusal('secondFactorWrong', 'The code is wrong, or was used before. Wait for the next one.')
}
