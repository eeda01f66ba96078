/**
 * Stores grants: the authorization of an app by an account, with scopes and expiry. Grants are ignored while the account or
 * the publisher of the app is suspended.
 */
import { sql } from 'kysely'
import { type Adapter, errors, Provider } from 'oidc-provider'
import type { Database } from '../../db/database.ts'
import { recordAudit } from '../../db/audit.ts'
import type { Vault } from '../../vault/vault.ts'
import { revokeGrant } from './revoke-grant.ts'
import { digestOf, openPayload, sealPayload } from './sealed-payload.ts'
import { parseSubject } from './subject.ts'
import { unused } from './unused.ts'

const model = 'Grant'

export function grantAdapter(db: Database, vault: Vault): Adapter {
  return {
    ...unused,
    async upsert(id, payload, expiresIn = 0) {
      const { accountId: login = '', clientId: appId = '' } = payload
      const scopes = scopesOf(payload)
      await db.transaction().execute(async (trx) => {
        const subject = parseSubject(login)
        const holder = await trx
          .selectFrom('logins')
          .innerJoin('memberships', 'memberships.loginId', 'logins.id')
          .innerJoin('accounts', 'accounts.id', 'memberships.accountId')
          .select(['memberships.loginId', 'memberships.accountId'])
          .where('logins.id', '=', subject.loginId)
          .where('memberships.accountId', '=', subject.accountId ?? sql.ref<number>('logins.account_id'))
          .where('accounts.suspendedAt', 'is', null)
          // Locked, so that a concurrent removal of the member either sees the grant or prevents it.
          .forShare('memberships')
          .executeTakeFirst()
        if (holder === undefined) throw new errors.AccessDenied('The account cannot grant access now.')
        const { loginId, accountId } = holder
        await trx
          .insertInto('grants')
          .values({
            digest: digestOf(vault, model, id),
            accountId,
            appId,
            loginId,
            scopes,
            payload: sealPayload(vault, model, id, payload),
            expiresAt: sql<Date>`now() + make_interval(secs => ${expiresIn})`,
          })
          .execute()
        await recordAudit(trx, {
          accountId,
          actor: `login:${loginId}`,
          action: 'authorization.grant',
          subject: `app:${appId}`,
          detail: { scopes },
        })
      })
    },

    async find(id) {
      const found = await db
        .selectFrom('grants')
        .innerJoin('accounts', 'accounts.id', 'grants.accountId')
        .innerJoin('apps', 'apps.id', 'grants.appId')
        .innerJoin('accounts as publishers', 'publishers.id', 'apps.accountId')
        .select('grants.payload')
        .where('grants.digest', '=', digestOf(vault, model, id))
        .where('accounts.suspendedAt', 'is', null)
        .where('publishers.suspendedAt', 'is', null)
        .executeTakeFirst()
      return found && openPayload(vault, model, id, found.payload)
    },

    /** The library revokes a grant when the app revokes a token, or when a used code or refresh token is replayed. */
    async destroy(id) {
      const isRevocation = Provider.ctx?.oidc.route === 'revocation'
      await revokeGrant(
        db,
        digestOf(vault, model, id),
        isRevocation ? 'authorization.revoke' : 'token.replay',
      )
    },
  }
}

function scopesOf(payload: object): string[] {
  const { openid } = payload as { openid?: { scope?: string } }
  return openid?.scope?.split(' ') ?? []
}
