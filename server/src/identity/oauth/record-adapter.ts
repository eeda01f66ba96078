/**
 * Stores authorization requests, codes and tokens of the authorization server. Records are sealed, found by a keyed digest
 * of their secret, and invalid without their grant. One statement consumes a single-use record, so that of two concurrent
 * uses one succeeds and the other counts as a replay.
 */
import { sql } from 'kysely'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type { Database } from '../../db/database.ts'
import { hasErrorCode } from '../../runtime/has-error-code.ts'
import type { Vault } from '../../vault/vault.ts'
import { revokeReplayedGrant } from './revoke-grant.ts'
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
      const stored = {
        scopes: payload.scope?.split(' ') ?? [],
        payload: sealPayload(vault, model, id, payload),
        expiresAt: sql<Date>`now() + make_interval(secs => ${expiresIn})`,
      }
      await db
        .insertInto('oauthRecords')
        .values({ digest: digest(id), model, grantDigest: grantDigestOf(vault, payload), ...stored })
        .onConflict((conflict) => conflict.column('digest').doUpdateSet(stored))
        .execute()
        .catch(rejectWithoutGrant)
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
      await revokeReplayedGrant(db, digest(id))
      throw new errors.InvalidGrant('already used')
    },

    async destroy(id) {
      const destroyed = await db
        .deleteFrom('oauthRecords')
        .where('digest', '=', digest(id))
        .executeTakeFirst()
      // A consent is used once, even if the browser repeats the request.
      if (model === 'Interaction' && destroyed.numDeletedRows === 0n)
        throw new errors.SessionNotFound('interaction session not found')
    },

    /** Does nothing, because the grant is always revoked too and its tokens cascade. */
    async revokeByGrantId() {},
  }
}

function grantDigestOf(vault: Vault, { kind, grantId }: AdapterPayload): Buffer | null {
  if (kind === 'Interaction') return null
  if (grantId === undefined) throw new Error('token without a grant')
  return digestOf(vault, 'Grant', grantId)
}

/** 23503 means that the grant was revoked during the insert. */
function rejectWithoutGrant(error: unknown): never {
  if (hasErrorCode(error, '23503')) throw new errors.InvalidGrant('grant not found')
  throw error
}
