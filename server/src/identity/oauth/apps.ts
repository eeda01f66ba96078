/** OAuth apps of an account. Only the digest of a secret is stored, so it is shown once and rotated when lost. */
import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { type Actor, recordAudit } from '../../db/audit.ts'
import type { AuditAction } from '../../model/audit-actions.ts'
import { ApiError } from '../../model/errors.ts'
import type { Vault } from '../../vault/vault.ts'
import { validateAppName } from './app-name.ts'
import { validateRedirectUris } from './redirect-uris.ts'

export interface Publisher {
  accountId: number
  actor: Actor
}

interface NewApp {
  name: string
  isPublic: boolean
  redirectUris: readonly string[]
}

export interface ListedApp {
  id: string
  name: string
  isPublic: boolean
  redirectUris: string[]
  secretPrefix: string | null
  createdAt: Date
  lastUsedAt: Date | null
  /** Accounts with an active authorization. */
  accounts: number
}

/** More than an account needs. Bounds the apps that one account can present to users of other accounts. */
const maxApps = 100
const secretContext = 'app-secret'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function listApps(db: Database | Trx, accountId: number): Promise<ListedApp[]> {
  return selectApps(db, accountId).orderBy('createdAt', 'desc').orderBy('id').execute()
}

export async function createOAuthApp(
  db: Database,
  vault: Vault,
  publisher: Publisher,
  requested: NewApp,
  ownHost: string,
): Promise<{ app: ListedApp; secret: string | null }> {
  const { isPublic } = requested
  const name = validateAppName(requested.name)
  const redirectUris = validateRedirectUris(requested.redirectUris, { isPublic, ownHost })
  const id = `hla_${randomText(20)}`
  const secret = isPublic ? null : createSecret()
  return db.transaction().execute(async (trx) => {
    await rejectTooMany(trx, publisher.accountId)
    await trx
      .insertInto('apps')
      .values({
        id,
        accountId: publisher.accountId,
        name,
        isPublic,
        redirectUris,
        ...storedSecret(vault, secret),
      })
      .execute()
    await record(trx, publisher, 'app.create', id, { name, is_public: isPublic, redirect_uris: redirectUris })
    return { app: await findApp(trx, publisher.accountId, id), secret }
  })
}

export async function changeApp(
  db: Database,
  publisher: Publisher,
  id: string,
  requested: { name?: string | undefined; redirectUris?: readonly string[] | undefined },
  ownHost: string,
): Promise<ListedApp> {
  return db.transaction().execute(async (trx) => {
    const app = await findApp(trx, publisher.accountId, id)
    const name = requested.name === undefined ? app.name : validateAppName(requested.name)
    const redirectUris =
      requested.redirectUris === undefined
        ? app.redirectUris
        : validateRedirectUris(requested.redirectUris, { isPublic: app.isPublic, ownHost })
    await trx.updateTable('apps').set({ name, redirectUris }).where('id', '=', id).execute()
    await record(trx, publisher, 'app.change', id, { name, redirect_uris: redirectUris })
    return { ...app, name, redirectUris }
  })
}

/** Returns a new secret. The old one stops working immediately. */
export async function rotateSecret(
  db: Database,
  vault: Vault,
  publisher: Publisher,
  id: string,
): Promise<string> {
  return db.transaction().execute(async (trx) => {
    const app = await findApp(trx, publisher.accountId, id)
    if (app.isPublic) throw new ApiError('parameterInvalid', 'A public app has no secret.')
    const secret = createSecret()
    await trx.updateTable('apps').set(storedSecret(vault, secret)).where('id', '=', id).execute()
    await record(trx, publisher, 'app.rotate-secret', id)
    return secret
  })
}

/** Deletes an app and all its authorizations. The audit logs of the affected accounts record it. */
export async function deleteApp(db: Database, publisher: Publisher, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await removeApp(trx, publisher, await findApp(trx, publisher.accountId, id))
  })
}

export async function deleteAllApps(trx: Trx, publisher: Publisher): Promise<void> {
  for (const app of await listApps(trx, publisher.accountId)) await removeApp(trx, publisher, app)
}

async function removeApp(trx: Trx, publisher: Publisher, { id, name }: ListedApp): Promise<void> {
  const revoked = await trx.deleteFrom('grants').where('appId', '=', id).returning('accountId').execute()
  await trx.deleteFrom('apps').where('id', '=', id).execute()
  await record(trx, publisher, 'app.delete', id, { name })
  for (const accountId of new Set(revoked.map((grant) => grant.accountId)))
    await record(trx, { accountId, actor: `app:${id}` }, 'authorization.revoke', id, {
      name,
      reason: 'The app was deleted by its publisher.',
    })
}

/** Returns false if nothing changed, or if the app has no secret. */
export async function setPkceRequired(
  db: Database,
  actor: Actor,
  id: string,
  pkceRequired: boolean,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const changed = await trx
      .updateTable('apps')
      .set({ pkceRequired })
      .where('id', '=', id)
      .where('isPublic', '=', false)
      .where('pkceRequired', '!=', pkceRequired)
      .returning(['accountId', 'name'])
      .executeTakeFirst()
    if (changed === undefined) return false
    const { accountId, name } = changed
    await record(trx, { accountId, actor }, 'app.set-pkce', id, { name, required: pkceRequired })
    return true
  })
}

/** Returns the apps of all accounts, for the operator. */
export function listAllApps(db: Database) {
  return db
    .selectFrom('apps')
    .select(['id', 'accountId', 'name', 'isPublic', 'pkceRequired', 'createdAt'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** Returns the data of an app for the consent page. */
export async function readConsentApp(
  db: Database,
  id: string,
): Promise<{ name: string; publisher: string; isPublic: boolean; createdAt: Date }> {
  const app = await db
    .selectFrom('apps')
    .innerJoin('accounts', 'accounts.id', 'apps.accountId')
    .select(['apps.name', 'accounts.name as publisher', 'apps.isPublic', 'apps.createdAt'])
    .where('apps.id', '=', id)
    .where('accounts.suspendedAt', 'is', null)
    .executeTakeFirst()
  if (app === undefined) throw new ApiError('notFound', 'App not found. It may have been deleted.')
  return app
}

/** Secrets are stored and compared as digests. */
export function secretDigest(vault: Vault, secret: string): Buffer {
  return vault.digest(secret, secretContext)
}

async function findApp(trx: Trx, accountId: number, id: string): Promise<ListedApp> {
  const app = await selectApps(trx, accountId).where('apps.id', '=', id).executeTakeFirst()
  if (app === undefined) throw new ApiError('notFound', 'App not found.')
  return app
}

function selectApps(db: Database | Trx, accountId: number) {
  return db
    .selectFrom('apps')
    .select([
      'id',
      'name',
      'isPublic',
      'redirectUris',
      'secretPrefix',
      'createdAt',
      'lastUsedAt',
      sql<number>`(SELECT count(DISTINCT grants.account_id)::integer FROM grants
        WHERE grants.app_id = apps.id AND grants.expires_at > now())`.as('accounts'),
    ])
    .where('apps.accountId', '=', accountId)
}

/** Locks the account, so that concurrent calls cannot exceed the limit together. */
async function rejectTooMany(trx: Trx, accountId: number): Promise<void> {
  await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute()
  const { count } = await trx
    .selectFrom('apps')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxApps)
    throw new ApiError('tooManyApps', `App limit reached (${maxApps}). Delete one first.`, {
      details: { limit: maxApps },
    })
}

function record(
  trx: Trx,
  { accountId, actor }: Publisher,
  action: AuditAction,
  id: string,
  detail: Record<string, string | boolean | string[]> = {},
): Promise<void> {
  return recordAudit(trx, { accountId, actor, action, subject: `app:${id}`, detail })
}

function storedSecret(vault: Vault, secret: string | null) {
  return {
    secretDigest: secret === null ? null : secretDigest(vault, secret),
    secretPrefix: secret === null ? null : secret.slice(0, 8),
  }
}

/** 238 random bits, so it needs no slow hash. */
function createSecret(): string {
  return `hls_${randomText(40)}`
}

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}
