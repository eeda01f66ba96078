/**
 * Whose login is this? An unknown login and a wrong password are told apart neither by the answer nor by its time:
 * both take the same look-up, the same hash and the same count.
 */
import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { Refusal } from '../../model/errors.ts'
import { networksOf } from '../../model/ip.ts'
import type { Vault } from '../../vault/vault.ts'
import { knownDevice } from './devices.ts'
import type { HashShare } from './hash-queue.ts'
import { networkColumns } from './known-networks.ts'
import type { LoginThrottle } from './login-throttle.ts'
import { isNamed } from './logins.ts'
import { longestPasswordBytes, type Passwords } from './passwords.ts'
import type { Standing } from './standing.ts'

interface LoginHolder {
  accountId: number
  loginId: number
  /** Then the password alone lets nobody in. */
  hasSecondFactor: boolean
  /** What the password was found to fit. */
  passwordHash: string
  standing: Standing
  /** Whether the network was noted as known within a day. */
  isNetworkFresh: boolean
}

export interface PasswordParts {
  db: Database
  vault: Vault
  passwords: Passwords
  throttle: LoginThrottle
  /** Of a wrong password or code; undefined: of a login that does not exist. */
  onFailedLogin: (loginId: number | undefined, ip: string) => void
}

interface Tried {
  login: string
  password: string
  ip: string
  /** The device cookie, if there is one. */
  device?: string | undefined
}

export async function authenticateLogin(
  parts: PasswordParts,
  { login: name, password, ip, device }: Tried,
): Promise<LoginHolder> {
  const found = await findLogin(parts, name, ip)
  const standing = standingOf(found, knownDevice(parts.vault, device, found))
  const isRight = await isRightPassword(parts, { name, login: found, password, ip, standing })
  if (found === undefined || !isRight) throw wrongLogin()

  if (found.suspendedAt !== null) throw new Refusal('accountSuspended', 'This account is suspended.')
  const { accountId, id: loginId, totpConfirmedAt, passwordHash, isNetworkFresh } = found
  const hasSecondFactor = totpConfirmedAt !== null
  return { accountId, loginId, hasSecondFactor, passwordHash, standing, isNetworkFresh }
}

function standingOf(
  login: { id: number; isNetworkKnown: boolean } | undefined,
  deviceId: string | undefined,
): Standing {
  if (login === undefined) return { kind: 'stranger' }
  if (deviceId !== undefined) return { kind: 'device', loginId: login.id, deviceId }
  return login.isNetworkKnown ? { kind: 'network', loginId: login.id } : { kind: 'stranger' }
}

/** A password asked again of a person who is signed in. Only who is signed in can use this allowance up. */
export async function confirmPassword(
  parts: PasswordParts,
  { loginId, password, ip }: { loginId: number; password: string; ip: string },
): Promise<void> {
  const login = await parts.db
    .selectFrom('logins')
    .select(['id', 'alias', 'passwordHash'])
    .where('id', '=', loginId)
    .executeTakeFirstOrThrow()
  const standing: Standing = { kind: 'session', loginId }
  if (!(await isRightPassword(parts, { name: login.alias, login, password, ip, standing })))
    throw new Refusal('passwordWrong', 'The password is wrong.')
}

async function isRightPassword(
  { passwords, throttle, onFailedLogin }: PasswordParts,
  given: {
    name: string
    login: { id: number; passwordHash: string } | undefined
    password: string
    ip: string
    standing: Standing
  },
): Promise<boolean> {
  const { login, password, ip, standing } = given
  if (Buffer.byteLength(password) > longestPasswordBytes) return false
  return throttle.tryPassword(given, async () => {
    const isRight = await passwords.verify(login?.passwordHash, password, hashShare(standing, ip))
    if (!isRight) onFailedLogin(login?.id, ip)
    return isRight
  })
}

/** Whose turn a hash takes. Strangers share by the largest network that one customer may have. */
export function hashShare(standing: Standing, ip: string): HashShare {
  switch (standing.kind) {
    case 'session':
    case 'device':
      return { kind: 'device', owner: String(standing.loginId) }
    case 'network':
      return { kind: 'network', owner: String(standing.loginId) }
    case 'stranger':
      return { kind: 'stranger', owner: networksOf(ip).at(-1) ?? ip }
  }
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

/** Always reads one row, with the same look-ups in it, if only for id 0: an unknown name would else be found out by its time. */
async function findLogin({ db, vault }: PasswordParts, name: string, ip: string) {
  const { id, accountId, passwordHash, ...rest } = await db
    .selectFrom(sql`(SELECT 1)`.as('one'))
    .leftJoin('logins', (join) => join.on(isNamed(name)))
    .leftJoin('accounts', (join) => join.on(sql<boolean>`accounts.id = coalesce(logins.account_id, 0)`))
    .select([
      'logins.id',
      'logins.accountId',
      'logins.passwordHash',
      'logins.totpConfirmedAt',
      'accounts.suspendedAt',
      ...networkColumns(vault, ip),
    ])
    .executeTakeFirstOrThrow()
  if (id === null || accountId === null || passwordHash === null) return undefined
  return { id, accountId, passwordHash, ...rest }
}

function wrongLogin(): Refusal {
  return new Refusal('authenticationFailed', 'The login or the password is wrong.')
}
