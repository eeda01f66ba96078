/** Revokes grants of apps. The same statement deletes their tokens, so it takes effect immediately on every process. */
import type { Database, Trx } from '../../db/database.ts'
import { type Actor, recordAudit } from '../../db/audit.ts'

type RevocationAction = 'authorization.revoke' | 'token.replay'

/** Revokes a grant at the request of the app, or after a replay of its code or refresh token. */
export async function revokeGrant(db: Database, digest: Buffer, action: RevocationAction): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const revoked = await trx
      .deleteFrom('grants')
      .where('digest', '=', digest)
      .returning(['accountId', 'appId'])
      .executeTakeFirst()
    if (revoked === undefined) return
    const app = `app:${revoked.appId}` as const
    await recordAudit(trx, { accountId: revoked.accountId, actor: app, action, subject: app })
  })
}

export async function revokeReplayedGrant(db: Database, recordDigest: Buffer): Promise<void> {
  const replayed = await db
    .selectFrom('oauthRecords')
    .select('grantDigest')
    .where('digest', '=', recordDigest)
    .executeTakeFirst()
  if (replayed?.grantDigest) await revokeGrant(db, replayed.grantDigest, 'token.replay')
}

/** Revokes all grants of an account for an app, or only those of one login. Returns false if there are none. */
export async function revokeAuthorization(
  db: Database,
  actor: Actor,
  { accountId, loginId }: { accountId: number; loginId?: number },
  appId: string,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const revoked = await trx
      .deleteFrom('grants')
      .where('accountId', '=', accountId)
      .where('appId', '=', appId)
      .$if(loginId !== undefined, (query) => query.where('loginId', '=', loginId ?? 0))
      .executeTakeFirst()
    if (revoked.numDeletedRows === 0n) return false
    await recordAudit(trx, { accountId, actor, action: 'authorization.revoke', subject: `app:${appId}` })
    return true
  })
}

/** Revokes the grants of an account for all apps, or only those of one login. */
export async function revokeAllAuthorizations(
  trx: Trx,
  actor: Actor,
  input: { accountId: number; loginId?: number | undefined },
): Promise<void> {
  const { accountId, loginId } = input
  const revoked = await trx
    .deleteFrom('grants')
    .where('accountId', '=', accountId)
    .$if(loginId !== undefined, (query) => query.where('loginId', '=', loginId ?? 0))
    .returning('appId')
    .execute()
  for (const appId of new Set(revoked.map((grant) => grant.appId)))
    await recordAudit(trx, { accountId, actor, action: 'authorization.revoke', subject: `app:${appId}` })
}
