/**
 * Browsers that signed in before. A browser keeps a signed statement that it did so with this login and its current
 * password. It is no credential: it only gives the browser an allowance of its own, so that wrong passwords of strangers
 * do not count against it. A new one is issued at every sign-in; a new password voids all of them.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Database, Trx } from '../../db/database.ts'
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

/** Whose browser this is, before it is known which login is meant. */
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

/** The id of the device, if the token was issued for this login with its current password and has not expired. */
export function knownDevice(
  vault: Vault,
  token: string | undefined,
  login: { id: number; passwordHash: string } | undefined,
): string | undefined {
  const [, statement, loginId, deviceId, expires, given] =
    /^((\d{1,10})\.([\w-]{22})\.(\d{1,12}))\.([\w-]{43})$/.exec(token ?? '') ?? []
  if (statement === undefined || given === undefined || login === undefined) return undefined
  if (Number(loginId) !== login.id || Number(expires) * 1_000 < Date.now()) return undefined
  const expected = signature(vault, statement, login.passwordHash)
  const bytes = Buffer.from(given, 'base64url')
  return bytes.length === expected.length && timingSafeEqual(bytes, expected) ? deviceId : undefined
}

function signature(vault: Vault, statement: string, passwordHash: string): Buffer {
  return vault.digest(`${statement}.${passwordHash}`, 'device')
}
