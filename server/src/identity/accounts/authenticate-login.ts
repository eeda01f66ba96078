/**
 * Whose login is this? An unknown login and a wrong password are told apart neither by the answer nor by its time:
 * both take the same look-up, the same hash and the same count.
 */
import type { Database } from '../../db/database.ts'
import { Refusal } from '../../model/errors.ts'
import type { LoginThrottle } from './login-throttle.ts'
import { longestPasswordBytes, type Passwords } from './passwords.ts'

interface LoginHolder {
  accountId: number
  loginId: number
}

export async function authenticateLogin(
  db: Database,
  passwords: Passwords,
  throttle: LoginThrottle,
  given: { login: string; password: string; ip: string },
): Promise<LoginHolder> {
  const name = given.login.toLowerCase()
  if (Buffer.byteLength(given.password) > longestPasswordBytes) throw wrongLogin()

  const found = await findLogin(db, name)
  // Alias and e-mail address of one login share their attempts.
  const takeBackAttempt = await throttle.attempt(found === undefined ? name : `#${found.id}`, given.ip)
  const isRight = await passwords
    .verify(found?.passwordHash, given.password)
    .catch(async (error: unknown) => {
      // Nobody looked at the password, so it was not wrong.
      await takeBackAttempt()
      throw error
    })
  if (found === undefined || !isRight) throw wrongLogin()
  await takeBackAttempt()

  if (found.suspendedAt !== null) throw new Refusal('accountSuspended', 'This account is suspended.')
  return { accountId: found.accountId, loginId: found.id }
}

/** An alias never holds `@` and an e-mail address always does, so a name fits at most one login. */
function findLogin(db: Database, name: string) {
  return db
    .selectFrom('logins')
    .innerJoin('accounts', 'accounts.id', 'logins.accountId')
    .select(['logins.id', 'logins.accountId', 'logins.passwordHash', 'accounts.suspendedAt'])
    .where((where) => {
      const column = name.includes('@') ? 'logins.email' : 'logins.alias'
      return where(where.fn<string>('lower', [column]), '=', name)
    })
    .executeTakeFirst()
}

function wrongLogin(): Refusal {
  return new Refusal('authenticationFailed', 'The login or the password is wrong.')
}
