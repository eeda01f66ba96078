import type { Database, Trx } from '../../db/database.ts'
import type { Scope } from '../../model/caller.ts'
import { Refusal } from '../../model/errors.ts'
import { type Actor, recordAudit } from '../../db/audit.ts'
import type { Vault } from '../../vault/vault.ts'
import { makeToken, shownPrefix } from './token.ts'

interface NewKey {
  accountId: number
  name: string
  scopes: readonly Scope[]
  expiresAt?: Date | undefined
  /** Networks in CIDR notation; none: from everywhere. */
  allowedIps?: readonly string[]
  /** How many keys that are not revoked the account may then have; none: the operator decides. */
  mostOfAccount?: number
}

export const keyDigestContext = 'key'

export function keySealContext(accountId: number): string {
  return `key:${accountId}`
}

/** Makes an API key. The key itself is in the answer; the database keeps its digest and a sealed copy. */
export async function createKey(
  db: Database,
  vault: Vault,
  actor: Actor,
  wanted: NewKey,
): Promise<{ keyId: number; key: string }> {
  const key = makeToken('hlk')
  const allowedIps = wanted.allowedIps ?? []
  return db.transaction().execute(async (trx) => {
    if (wanted.mostOfAccount !== undefined) await judgeCount(trx, wanted.accountId, wanted.mostOfAccount)
    const { id } = await trx
      .insertInto('keys')
      .values({
        accountId: wanted.accountId,
        name: wanted.name,
        prefix: shownPrefix(key),
        digest: vault.digest(key, keyDigestContext),
        sealed: vault.seal(key, keySealContext(wanted.accountId)),
        scopes: [...wanted.scopes],
        allowedIps: allowedIps.length === 0 ? null : [...allowedIps],
        expiresAt: wanted.expiresAt ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => refuseBadNetwork(error, allowedIps))
    await recordAudit(trx, {
      accountId: wanted.accountId,
      actor,
      action: 'key.create',
      subject: `key:${id}`,
      detail: {
        name: wanted.name,
        scopes: [...wanted.scopes],
        allowed_ips: [...allowedIps],
        expires_at: wanted.expiresAt?.toISOString() ?? null,
      },
    })
    return { keyId: id, key }
  })
}

/** One at a time for an account, so that many at once cannot pass the limit together. */
async function judgeCount(trx: Trx, accountId: number, most: number): Promise<void> {
  await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
  const { count } = await trx
    .selectFrom('keys')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('accountId', '=', accountId)
    .where('revokedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) >= most)
    throw new Refusal(
      'tooManyKeys',
      `The account has ${count} API keys and may have ${most}. Revoke one first.`,
    )
}

/** PostgreSQL judges networks; 22P02 is a text that is none. */
function refuseBadNetwork(error: unknown, given: readonly string[]): never {
  if (error instanceof Error && 'code' in error && error.code === '22P02')
    throw new Refusal(
      'parameterInvalid',
      `"${given.join(',')}" is no list of networks. Use addresses or networks such as 192.0.2.7 or 192.0.2.0/24.`,
    )
  throw error
}
