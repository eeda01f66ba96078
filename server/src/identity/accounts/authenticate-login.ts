/**
 * Authenticates a login by password. Unknown logins and wrong passwords have the same response and the same timing: both
 * run the same lookup, the same hash and the same count.
 */
import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { hasPasskey } from '../../db/second-factor.ts'
import { ApiError } from '../../model/errors.ts'
import { networksOf } from '../../model/ip.ts'
import type { Member, Role } from '../../model/role.ts'
import type { Vault } from '../../vault/vault.ts'
import { knownDevice } from './devices.ts'
import type { HashShare } from './hash-queue.ts'
import { networkColumns } from './known-networks.ts'
import type { LoginThrottle } from './login-throttle.ts'
import { isNamed } from './logins.ts'
import { maxPasswordBytes, type Passwords } from './passwords.ts'
import type { CallerTrust } from './caller-trust.ts'

export interface LoginHolder {
  loginId: number
  /** The account that the login was created in; undefined once the login has left it. */
  home: HomeAccount | undefined
  /** If true, sign-in also needs a code or a passkey. */
  hasSecondFactor: boolean
  hasApp: boolean
  hasPasskey: boolean
  /** The hash that the password was verified against. */
  passwordHash: string
  trust: CallerTrust
  /** Whether the known network was recorded within the last day. */
  isNetworkFresh: boolean
}

interface HomeAccount {
  accountId: number
  member: Member
  isSuspended: boolean
  originalStatuses: boolean | null
  isSignatureRequired: boolean
  /** The connection that members must sign in with. */
  requiredConnection: string | null
}

export interface PasswordDeps {
  db: Database
  vault: Vault
  passwords: Passwords
  throttle: LoginThrottle
  /** Called for a wrong password or code. `loginId` is undefined for an unknown login. */
  onFailedLogin: (loginId: number | undefined, ip: string) => void
}

interface LoginAttempt {
  login: string
  password: string
  ip: string
  /** The device cookie, if there is one. */
  device?: string | undefined
}

export async function authenticateLogin(
  deps: PasswordDeps,
  { login: name, password, ip, device }: LoginAttempt,
): Promise<LoginHolder> {
  const found = await findLogin(deps, name, ip)
  const trust = trustOf(found, knownDevice(deps.vault, device, found))
  const isRight = await isRightPassword(deps, { name, login: found, password, ip, trust })
  if (found === undefined || !isRight) throw wrongLogin()

  const { id: loginId, passwordHash, isNetworkFresh } = found
  return {
    loginId,
    home: homeOf(found),
    hasSecondFactor: found.totpConfirmedAt !== null || found.hasPasskey,
    hasApp: found.totpConfirmedAt !== null,
    hasPasskey: found.hasPasskey,
    passwordHash,
    trust,
    isNetworkFresh,
  }
}

function homeOf(found: FoundLogin): HomeAccount | undefined {
  const { accountId, role, canReveal, canExport, suspendedAt, originalStatuses } = found
  if (accountId === null || role === null || canReveal === null || canExport === null) return undefined
  return {
    accountId,
    member: { role, canReveal, canExport },
    isSuspended: suspendedAt !== null,
    originalStatuses,
    isSignatureRequired: found.signedCallsRequired ?? false,
    requiredConnection: found.requiredConnection,
  }
}

function trustOf(
  login: { id: number; isKnownNetwork: boolean } | undefined,
  deviceId: string | undefined,
): CallerTrust {
  if (login === undefined) return { kind: 'anonymous' }
  if (deviceId !== undefined) return { kind: 'device', loginId: login.id, deviceId }
  return login.isKnownNetwork ? { kind: 'network', loginId: login.id } : { kind: 'anonymous' }
}

/**
 * Verifies the password of a signed-in user again. Only sessions of this login use its allowance. Sessions of single sign-on
 * use one per account, because the identity provider of an account can start them.
 */
export async function confirmPassword(
  deps: PasswordDeps,
  attempt: { loginId: number; ssoAccountId?: number | undefined; password: string; ip: string },
): Promise<void> {
  const { loginId, ssoAccountId, password, ip } = attempt
  const login = await deps.db
    .selectFrom('logins')
    .select(['id', 'alias', 'passwordHash'])
    .where('id', '=', loginId)
    .executeTakeFirstOrThrow()
  const trust: CallerTrust = { kind: 'session', loginId, ssoAccountId }
  if (!(await isRightPassword(deps, { name: login.alias, login, password, ip, trust })))
    throw new ApiError('wrongPassword', 'Wrong password.')
}

async function isRightPassword(
  { passwords, throttle, onFailedLogin }: PasswordDeps,
  input: {
    name: string
    login: { id: number; passwordHash: string } | undefined
    password: string
    ip: string
    trust: CallerTrust
  },
): Promise<boolean> {
  const { login, password, ip, trust } = input
  if (Buffer.byteLength(password) > maxPasswordBytes) return false
  return throttle.tryPassword(input, async () => {
    const isRight = await passwords.verify(login?.passwordHash, password, hashShare(trust, ip))
    if (!isRight) onFailedLogin(login?.id, ip)
    return isRight
  })
}

/** Returns the share of the hash queue. Anonymous callers share one per network, by the largest that one site may have. */
export function hashShare(trust: CallerTrust, ip: string): HashShare {
  switch (trust.kind) {
    case 'session':
    case 'device':
      return { kind: 'device', owner: String(trust.loginId) }
    case 'network':
      return { kind: 'network', owner: String(trust.loginId) }
    case 'anonymous':
      return { kind: 'anonymous', owner: networksOf(ip).at(-1) ?? ip }
  }
}

/**
 * Locks the login in the transaction of the sign-in and requires the verified password hash. Without this check, a
 * sign-in with the old password could succeed during a password change.
 */
export async function lockPassword(
  trx: Trx,
  { loginId, passwordHash }: Pick<LoginHolder, 'loginId' | 'passwordHash'>,
): Promise<void> {
  const locked = await trx
    .selectFrom('logins')
    .select('id')
    .where('id', '=', loginId)
    .where('passwordHash', '=', passwordHash)
    .forShare()
    .executeTakeFirst()
  if (locked === undefined) throw wrongLogin()
}

/** Always reads one row with the same lookups, for unknown names with id 0, so that timing does not reveal existing names. */
async function findLogin({ db, vault }: PasswordDeps, name: string, ip: string) {
  const { id, passwordHash, ...rest } = await db
    .selectFrom(sql`(SELECT 1)`.as('one'))
    .leftJoin('logins', (join) => join.on(isNamed(name)))
    .leftJoin('accounts', (join) => join.on(sql<boolean>`accounts.id = coalesce(logins.account_id, 0)`))
    .leftJoin('memberships', (join) =>
      join
        .on(sql<boolean>`memberships.account_id = coalesce(logins.account_id, 0)`)
        .on(sql<boolean>`memberships.login_id = coalesce(logins.id, 0)`),
    )
    .leftJoin('ssoConnections', (join) =>
      join.on(sql<boolean>`sso_connections.account_id = coalesce(logins.account_id, 0)`),
    )
    .select([
      sql<string | null>`CASE WHEN sso_connections.is_required THEN sso_connections.id END`.as(
        'requiredConnection',
      ),
      'logins.id',
      'logins.accountId',
      sql<Role | null>`memberships.role`.as('role'),
      'memberships.canReveal',
      'memberships.canExport',
      'logins.passwordHash',
      'logins.totpConfirmedAt',
      hasPasskey.as('hasPasskey'),
      'accounts.suspendedAt',
      'accounts.originalStatuses',
      'accounts.signedCallsRequired',
      ...networkColumns(vault, ip),
    ])
    .executeTakeFirstOrThrow()
  if (id === null || passwordHash === null) return undefined
  return { id, passwordHash, ...rest }
}

type FoundLogin = NonNullable<Awaited<ReturnType<typeof findLogin>>>

function wrongLogin(): ApiError {
  return new ApiError('authenticationFailed', 'Incorrect login or password.')
}
