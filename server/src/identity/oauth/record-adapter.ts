/**
 * Requests that wait for an answer, codes and tokens, as the authorization server keeps them: found by a keyed digest of
 * their secret, sealed, and worth nothing without their grant. What is good once is used up by one statement, so of two
 * who bring it at the same time one wins and the other is somebody who should not have it.
 */
import { sql } from 'kysely'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type { Database } from '../../db/database.ts'
import type { Vault } from '../../vault/vault.ts'
import { endReplayedGrant } from './end-grant.ts'
import { digestOf, openPayload, sealPayload } from './sealed-payload.ts'
import { unused } from './unused.ts'

const recordModels = ['Interaction', 'AuthorizationCode', 'AccessToken', 'RefreshToken'] as const
export type RecordModel = (typeof recordModels)[number]

export function isRecordModel(name: string): name is RecordModel {
  return recordModels.some((model) => model === name)
}

export function recordAdapter(db: Database, vault: Vault, model: RecordModel): Adapter {
  const digest = (id: string): Buffer => digestOf(vault, model, id)
  return {
    ...unused,
    async upsert(id, payload, expiresIn = 0) {
      const kept = {
        scopes: payload.scope?.split(' ') ?? [],
        payload: sealPayload(vault, model, id, payload),
        expiresAt: sql<Date>`now() + make_interval(secs => ${expiresIn})`,
      }
      await db
        .insertInto('oauthRecords')
        .values({ digest: digest(id), model, grantDigest: grantDigestOf(vault, payload), ...kept })
        .onConflict((conflict) => conflict.column('digest').doUpdateSet(kept))
        .execute()
        .catch(refuseWithoutGrant)
    },

    async find(id) {
      const found = await db
        .selectFrom('oauthRecords')
        .select(['payload', 'consumedAt'])
        .where('digest', '=', digest(id))
        .executeTakeFirst()
      if (found === undefined) return undefined
      const payload = openPayload(vault, model, id, found.payload)
      return found.consumedAt === null
        ? payload
        : { ...payload, consumed: Math.floor(found.consumedAt.getTime() / 1_000) }
    },

    async consume(id) {
      const consumed = await db
        .updateTable('oauthRecords')
        .set({ consumedAt: sql<Date>`now()` })
        .where('digest', '=', digest(id))
        .where('consumedAt', 'is', null)
        .executeTakeFirst()
      if (consumed.numUpdatedRows > 0n) return
      await endReplayedGrant(db, digest(id))
      throw new errors.InvalidGrant('already used')
    },

    async destroy(id) {
      const destroyed = await db
        .deleteFrom('oauthRecords')
        .where('digest', '=', digest(id))
        .executeTakeFirst()
      // A person's answer is taken up once, however often the browser comes back with it.
      if (model === 'Interaction' && destroyed.numDeletedRows === 0n)
        throw new errors.SessionNotFound('interaction session not found')
    },

    /** Tokens go with their grant, which is always ended too. */
    async revokeByGrantId() {},
  }
}

function grantDigestOf(vault: Vault, { kind, grantId }: AdapterPayload): Buffer | null {
  if (kind === 'Interaction') return null
  if (grantId === undefined) throw new Error('a token without a grant')
  return digestOf(vault, 'Grant', grantId)
}

/** 23503: the grant was ended while something was being issued for it. */
function refuseWithoutGrant(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === '23503')
    throw new errors.InvalidGrant('grant not found')
  throw error
}
