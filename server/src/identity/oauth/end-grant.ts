/** Ends access that was given to an app. Every token of it goes in the same statement, so it is over on every process. */
import type { Database, Trx } from '../../db/database.ts'
import { type Actor, recordAudit } from '../../db/audit.ts'

type Why = 'authorization.revoke' | 'token.replay'

/** By the app itself, or because somebody else had its code or refresh token. */
export async function endGrant(db: Database, digest: Buffer, action: Why): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const ended = await trx
      .deleteFrom('grants')
      .where('digest', '=', digest)
      .returning(['accountId', 'appId'])
      .executeTakeFirst()
    if (ended === undefined) return
    const app = `app:${ended.appId}` as const
    await recordAudit(trx, { accountId: ended.accountId, actor: app, action, subject: app })
  })
}

export async function endReplayedGrant(db: Database, recordDigest: Buffer): Promise<void> {
  const replayed = await db
    .selectFrom('oauthRecords')
    .select('grantDigest')
    .where('digest', '=', recordDigest)
    .executeTakeFirst()
  if (replayed?.grantDigest) await endGrant(db, replayed.grantDigest, 'token.replay')
}

/** All access that an account gave to an app. False: it gave none. */
export async function endAuthorization(
  db: Database,
  actor: Actor,
  accountId: number,
  appId: string,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const ended = await trx
      .deleteFrom('grants')
      .where('accountId', '=', accountId)
      .where('appId', '=', appId)
      .executeTakeFirst()
    if (ended.numDeletedRows === 0n) return false
    await recordAudit(trx, { accountId, actor, action: 'authorization.revoke', subject: `app:${appId}` })
    return true
  })
}

/** All access that an account gave to any app, or that one login gave. */
export async function endAllAuthorizations(
  trx: Trx,
  actor: Actor,
  given: { accountId: number; loginId?: number | undefined },
): Promise<void> {
  const { accountId, loginId } = given
  const ended = await trx
    .deleteFrom('grants')
    .where('accountId', '=', accountId)
    .$if(loginId !== undefined, (query) => query.where('loginId', '=', loginId ?? 0))
    .returning('appId')
    .execute()
  for (const appId of new Set(ended.map((grant) => grant.appId)))
    await recordAudit(trx, { accountId, actor, action: 'authorization.revoke', subject: `app:${appId}` })
}
