/**
 * Challenges that authenticators sign. A challenge carries its expiry and a keyed digest of its purpose, so that open ones
 * need no table: anonymous callers can request them without filling one. A used challenge is stored until it expires.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { isSameSecret } from '../../vault/is-same-secret.ts'
import type { Vault } from '../../vault/vault.ts'

/** Purpose of a challenge. Its subject is the session or login that it is bound to. */
export type ChallengePurpose =
  | { kind: 'sign-in' }
  | { kind: 'second-factor'; loginId: number }
  | { kind: 'register' | 'confirm'; sessionId: number }

export interface OpenChallenge {
  nonce: Buffer
  expiresAt: Date
}

export const challengeMinutes = 5
const nonceBytes = 16
const expiryBytes = 6
const digestBytes = 32

export function createChallenge(vault: Vault, purpose: ChallengePurpose, nowMs: number): string {
  const statement = Buffer.alloc(expiryBytes + nonceBytes)
  statement.writeUIntBE(Math.floor(nowMs) + challengeMinutes * 60_000, 0, expiryBytes)
  randomBytes(nonceBytes).copy(statement, expiryBytes)
  return Buffer.concat([statement, digestOf(vault, purpose, statement)]).toString('base64url')
}

/** Returns the challenge if it is valid for the purpose now. Whether it was used is known when it is spent. */
export function openChallenge(
  vault: Vault,
  purpose: ChallengePurpose,
  challenge: string,
  nowMs: number,
): OpenChallenge | undefined {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== expiryBytes + nonceBytes + digestBytes) return undefined
  const statement = bytes.subarray(0, expiryBytes + nonceBytes)
  const expiresAt = statement.readUIntBE(0, expiryBytes)
  const isValid = isSameSecret(bytes.subarray(statement.length), digestOf(vault, purpose, statement))
  if (!isValid || expiresAt <= nowMs) return undefined
  return { nonce: statement.subarray(expiryBytes), expiresAt: new Date(expiresAt) }
}

/** Returns false if the challenge was used before. Of two concurrent calls, on any process, one succeeds. */
export async function spendChallenge(trx: Trx, { nonce, expiresAt }: OpenChallenge): Promise<boolean> {
  const spent = await trx
    .insertInto('usedChallenges')
    .values({ nonce, expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (spent.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function isSpent(db: Database, { nonce }: OpenChallenge): Promise<boolean> {
  const spent = await db
    .selectFrom('usedChallenges')
    .select('nonce')
    .where('nonce', '=', nonce)
    .executeTakeFirst()
  return spent !== undefined
}

/** Keeps them an hour longer than they are valid, because clocks of processes differ. */
export async function pruneChallenges(db: Database): Promise<void> {
  await db
    .deleteFrom('usedChallenges')
    .where(sql<boolean>`expires_at < now() - interval '1 hour'`)
    .execute()
}

function digestOf(vault: Vault, purpose: ChallengePurpose, statement: Buffer): Buffer {
  return vault.digest(statement.toString('base64url'), `passkey-challenge:${describePurpose(purpose)}`)
}

function describePurpose(purpose: ChallengePurpose): string {
  switch (purpose.kind) {
    case 'sign-in':
      return purpose.kind
    case 'second-factor':
      return `${purpose.kind}:${purpose.loginId}`
    case 'register':
    case 'confirm':
      return `${purpose.kind}:${purpose.sessionId}`
  }
}
