/**
 * Tokens of known browsers. The signed token states that the browser signed in with this login and its current password.
 * It is not a credential. It gives the browser a separate allowance, so that failed passwords from elsewhere do not count
 * against it. Every sign-in issues a new token, and a new password invalidates all of them.
 */
import { randomBytes } from 'node:crypto'
import type { Database, Trx } from '../../db/database.ts'
import { isSameSecret } from '../../vault/is-same-secret.ts'
import type { Vault } from '../../vault/vault.ts'

export interface IssuedDevice {
  token: string
  expiresAt: Date
}

const lifetimeDays = 90

export async function issueDevice(db: Database | Trx, vault: Vault, loginId: number): Promise<IssuedDevice> {
  const { passwordHash } = await db
    .selectFrom('logins')
    .select('passwordHash')
    .where('id', '=', loginId)
    .executeTakeFirstOrThrow()
  const expires = Math.floor(Date.now() / 1_000) + lifetimeDays * 86_400
  const statement = `${loginId}.${randomBytes(16).toString('base64url')}.${expires}`
  return {
    token: `${statement}.${signature(vault, statement, passwordHash).toString('base64url')}`,
    expiresAt: new Date(expires * 1_000),
  }
}

/** Returns the login and device of a token, before the login name is known. */
export async function findDevice(
  db: Database,
  vault: Vault,
  token: string | undefined,
): Promise<{ loginId: number; deviceId: string } | undefined> {
  const loginId = Number(/^\d{1,9}(?=\.)/.exec(token ?? '')?.[0] ?? 0)
  if (loginId === 0) return undefined
  const login = await db
    .selectFrom('logins')
    .select(['id', 'passwordHash'])
    .where('id', '=', loginId)
    .executeTakeFirst()
  const deviceId = knownDevice(vault, token, login)
  return deviceId === undefined ? undefined : { loginId, deviceId }
}

/** Returns the device id if the token is valid for this login and its current password. */
export function knownDevice(
  vault: Vault,
  token: string | undefined,
  login: { id: number; passwordHash: string } | undefined,
): string | undefined {
  const [, statement, loginId, deviceId, expires, sent] =
    /^((\d{1,10})\.([\w-]{22})\.(\d{1,12}))\.([\w-]{43})$/.exec(token ?? '') ?? []
  if (statement === undefined || sent === undefined || login === undefined) return undefined
  if (Number(loginId) !== login.id || Number(expires) * 1_000 < Date.now()) return undefined
  const expected = signature(vault, statement, login.passwordHash)
  return isSameSecret(Buffer.from(sent, 'base64url'), expected) ? deviceId : undefined
}

function signature(vault: Vault, statement: string, passwordHash: string): Buffer {
  return vault.digest(`${statement}.${passwordHash}`, 'device')
}
