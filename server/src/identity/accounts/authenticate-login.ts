/**
 * Whose login is this? An unknown login and a wrong password are told apart neither by the answer nor by its time:
 * both take the same look-up, the same hash and the same count.
 */
import type { Database, Trx } from '../../db/database.ts'
import { Refusal } from '../../model/errors.ts'
import type { LoginThrottle } from './login-throttle.ts'
import { isNamed } from './logins.ts'
import { longestPasswordBytes, type Passwords } from './passwords.ts'

interface LoginHolder {
  accountId: number
  loginId: number
  /** Then the password alone lets nobody in. */
  hasSecondFactor: boolean
  /** What the password was found to fit. */
  passwordHash: string
}

export interface PasswordParts {
  db: Database
  passwords: Passwords
  throttle: LoginThrottle
  /** Of a wrong password or code; undefined: of a login that does not exist. */
  onFailedLogin: (loginId: number | undefined, ip: string) => void
}

export async function authenticateLogin(
  parts: PasswordParts,
  { login, password, ip }: { login: string; password: string; ip: string },
): Promise<LoginHolder> {
  const found = await findLogin(parts.db, login)
  const isRight = await isRightPassword(parts, login, found, password, ip)
  if (found === undefined || !isRight) throw wrongLogin()

  if (found.suspendedAt !== null) throw new Refusal('accountSuspended', 'This account is suspended.')
  const { accountId, id: loginId, totpConfirmedAt, passwordHash } = found
  return { accountId, loginId, hasSecondFactor: totpConfirmedAt !== null, passwordHash }
}

/** A password asked of a person who is signed in, counted like any other. */
export async function confirmPassword(
  parts: PasswordParts,
  { loginId, password, ip }: { loginId: number; password: string; ip: string },
): Promise<void> {
  const login = await parts.db
    .selectFrom('logins')
    .select(['id', 'alias', 'passwordHash'])
    .where('id', '=', loginId)
    .executeTakeFirstOrThrow()
  if (!(await isRightPassword(parts, login.alias, login, password, ip)))
    throw new Refusal('passwordWrong', 'The password is wrong.')
}

async function isRightPassword(
  { passwords, throttle, onFailedLogin }: PasswordParts,
  name: string,
  login: { id: number; passwordHash: string } | undefined,
  password: string,
  ip: string,
): Promise<boolean> {
  if (Buffer.byteLength(password) > longestPasswordBytes) return false
  // Alias and e-mail address of one login share their attempts.
  const who = login === undefined ? name.toLowerCase() : `#${login.id}`
  const takeBackAttempt = await throttle.attempt(who, ip)
  const isRight = await passwords.verify(login?.passwordHash, password).catch(async (error: unknown) => {
    // Nobody looked at the password, so it was not wrong.
    await takeBackAttempt()
    throw error
  })
  if (isRight) await takeBackAttempt()
  else onFailedLogin(login?.id, ip)
  return isRight
}

/**
 * Within the transaction that lets somebody in: the password must still be the one that was looked at. Else whoever
 * signs in with the old one at the very moment it is changed would stay.
 */
export async function holdPassword(
  trx: Trx,
  { loginId, passwordHash }: Pick<LoginHolder, 'loginId' | 'passwordHash'>,
): Promise<void> {
  const held = await trx
    .selectFrom('logins')
    .select('id')
    .where('id', '=', loginId)
    .where('passwordHash', '=', passwordHash)
    .forShare()
    .executeTakeFirst()
  if (held === undefined) throw wrongLogin()
}

function findLogin(db: Database, name: string) {
  return db
    .selectFrom('logins')
    .innerJoin('accounts', 'accounts.id', 'logins.accountId')
    .select([
      'logins.id',
      'logins.accountId',
      'logins.passwordHash',
      'logins.totpConfirmedAt',
      'accounts.suspendedAt',
    ])
    .where(isNamed(name))
    .executeTakeFirst()
}

function wrongLogin(): Refusal {
  return new Refusal('authenticationFailed', 'The login or the password is wrong.')
}
