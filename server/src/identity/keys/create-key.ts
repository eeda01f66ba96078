import type { Database, Trx } from '../../db/database.ts'
import type { Scope } from '../../model/caller.ts'
import { ApiError } from '../../model/errors.ts'
import { type Actor, recordAudit } from '../../db/audit.ts'
import { hasErrorCode } from '../../runtime/has-error-code.ts'
import type { Vault } from '../../vault/vault.ts'
import { createToken, displayPrefix } from './token.ts'

interface NewKey {
  accountId: number
  name: string
  scopes: readonly Scope[]
  expiresAt?: Date | undefined
  /** Networks in CIDR notation. Empty for no restriction. */
  allowedIps?: readonly string[]
  /** Whether calls with the key must be signed. */
  isSignatureRequired?: boolean
  /** Max active keys of the account. Undefined for operators, who have no limit. */
  maxPerAccount?: number
}

export const keyDigestContext = 'key'

export function keySealContext(accountId: number): string {
  return `key:${accountId}`
}

/** Creates an API key and returns it. The database stores its digest and a sealed copy. */
export async function createKey(
  db: Database,
  vault: Vault,
  actor: Actor,
  requested: NewKey,
): Promise<{ keyId: number; key: string }> {
  const key = createToken('hlk')
  const allowedIps = requested.allowedIps ?? []
  return db.transaction().execute(async (trx) => {
    if (requested.maxPerAccount !== undefined)
      await checkKeyQuota(trx, requested.accountId, requested.maxPerAccount)
    const { id } = await trx
      .insertInto('keys')
      .values({
        accountId: requested.accountId,
        name: requested.name,
        prefix: displayPrefix(key),
        digest: vault.digest(key, keyDigestContext),
        sealed: vault.seal(key, keySealContext(requested.accountId)),
        scopes: [...requested.scopes],
        allowedIps: allowedIps.length === 0 ? null : [...allowedIps],
        expiresAt: requested.expiresAt ?? null,
        signedCallsRequired: requested.isSignatureRequired ?? false,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => rejectBadNetwork(error, allowedIps))
    await recordAudit(trx, {
      accountId: requested.accountId,
      actor,
      action: 'key.create',
      subject: `key:${id}`,
      detail: {
        name: requested.name,
        scopes: [...requested.scopes],
        allowed_ips: [...allowedIps],
        expires_at: requested.expiresAt?.toISOString() ?? null,
        signed_calls_required: requested.isSignatureRequired ?? false,
      },
    })
    return { keyId: id, key }
  })
}

/** Locks the account, so that concurrent calls cannot exceed the limit together. */
async function checkKeyQuota(trx: Trx, accountId: number, max: number): Promise<void> {
  await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
  const { count } = await trx
    .selectFrom('keys')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('accountId', '=', accountId)
    .where('revokedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) >= max)
    throw new ApiError('tooManyKeys', `API key limit reached (${max}). Revoke one first.`, {
      details: { limit: max },
    })
}

/** PostgreSQL validates networks. 22P02 reports an invalid one. */
function rejectBadNetwork(error: unknown, input: readonly string[]): never {
  if (hasErrorCode(error, '22P02'))
    throw new ApiError(
      'parameterInvalid',
      `"${input.join(',')}" is not a valid list of networks. Use IP addresses or networks such as 192.0.2.7 or 192.0.2.0/24.`,
      { field: 'allowed_ips' },
    )
  throw error
}
