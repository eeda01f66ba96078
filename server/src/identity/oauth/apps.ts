/** Apps that an account publishes. Of a secret only the digest is kept: it is shown once, and replaced when lost. */
import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { type Actor, recordAudit } from '../../db/audit.ts'
import { Refusal } from '../../model/errors.ts'
import type { Vault } from '../../vault/vault.ts'
import { judgeAppName } from './app-name.ts'
import { judgeRedirectUris } from './redirect-uris.ts'

export interface Owner {
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
  /** Accounts that let it in now. */
  customers: number
}

/** More than anybody has; a bound on what one account can put before other people's eyes. */
const mostApps = 100
const secretContext = 'app-secret'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function listApps(db: Database | Trx, accountId: number): Promise<ListedApp[]> {
  return selectApps(db, accountId).orderBy('createdAt', 'desc').orderBy('id').execute()
}

export async function createApp(
  db: Database,
  vault: Vault,
  owner: Owner,
  wanted: NewApp,
  ownHost: string,
): Promise<{ app: ListedApp; secret: string | null }> {
  const { isPublic } = wanted
  const name = judgeAppName(wanted.name)
  const redirectUris = judgeRedirectUris(wanted.redirectUris, { isPublic, ownHost })
  const id = `hla_${randomText(20)}`
  const secret = isPublic ? null : newSecret()
  return db.transaction().execute(async (trx) => {
    await refuseTooMany(trx, owner.accountId)
    await trx
      .insertInto('apps')
      .values({ id, accountId: owner.accountId, name, isPublic, redirectUris, ...kept(vault, secret) })
      .execute()
    await record(trx, owner, 'app.create', id, { name, is_public: isPublic, redirect_uris: redirectUris })
    return { app: await findApp(trx, owner.accountId, id), secret }
  })
}

export async function changeApp(
  db: Database,
  owner: Owner,
  id: string,
  wanted: { name?: string | undefined; redirectUris?: readonly string[] | undefined },
  ownHost: string,
): Promise<ListedApp> {
  return db.transaction().execute(async (trx) => {
    const app = await findApp(trx, owner.accountId, id)
    const name = wanted.name === undefined ? app.name : judgeAppName(wanted.name)
    const redirectUris =
      wanted.redirectUris === undefined
        ? app.redirectUris
        : judgeRedirectUris(wanted.redirectUris, { isPublic: app.isPublic, ownHost })
    await trx.updateTable('apps').set({ name, redirectUris }).where('id', '=', id).execute()
    await record(trx, owner, 'app.change', id, { name, redirect_uris: redirectUris })
    return { ...app, name, redirectUris }
  })
}

/** A new secret; the old one ends at once. */
export async function rotateSecret(db: Database, vault: Vault, owner: Owner, id: string): Promise<string> {
  return db.transaction().execute(async (trx) => {
    const app = await findApp(trx, owner.accountId, id)
    if (app.isPublic) throw new Refusal('parameterInvalid', 'A public app has no secret.')
    const secret = newSecret()
    await trx.updateTable('apps').set(kept(vault, secret)).where('id', '=', id).execute()
    await record(trx, owner, 'app.rotate-secret', id)
    return secret
  })
}

/** With the app goes all access that anybody gave it; those who did can read so in their own log. */
export async function deleteApp(db: Database, owner: Owner, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await removeApp(trx, owner, await findApp(trx, owner.accountId, id))
  })
}

export async function deleteAllApps(trx: Trx, owner: Owner): Promise<void> {
  for (const app of await listApps(trx, owner.accountId)) await removeApp(trx, owner, app)
}

async function removeApp(trx: Trx, owner: Owner, { id, name }: ListedApp): Promise<void> {
  const ended = await trx.deleteFrom('grants').where('appId', '=', id).returning('accountId').execute()
  await trx.deleteFrom('apps').where('id', '=', id).execute()
  await record(trx, owner, 'app.delete', id, { name })
  for (const accountId of new Set(ended.map((grant) => grant.accountId)))
    await record(trx, { accountId, actor: `app:${id}` }, 'authorization.revoke', id, {
      name,
      reason: 'The app was deleted by its publisher.',
    })
}

/** An app as those see it who are asked to let it in. */
export async function shownApp(
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
  if (app === undefined) throw new Refusal('notFound', 'This app has been removed.')
  return app
}

/** What is kept of a secret is compared with what is kept of what was sent. */
export function secretDigest(vault: Vault, secret: string): Buffer {
  return vault.digest(secret, secretContext)
}

async function findApp(trx: Trx, accountId: number, id: string): Promise<ListedApp> {
  const app = await selectApps(trx, accountId).where('apps.id', '=', id).executeTakeFirst()
  if (app === undefined) throw new Refusal('notFound', 'There is no such app.')
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
        WHERE grants.app_id = apps.id AND grants.expires_at > now())`.as('customers'),
    ])
    .where('apps.accountId', '=', accountId)
}

/** The account's row is locked, so that two at once cannot both be the last. */
async function refuseTooMany(trx: Trx, accountId: number): Promise<void> {
  await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute()
  const { count } = await trx
    .selectFrom('apps')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= mostApps)
    throw new Refusal('tooManyApps', `The account has ${mostApps} apps, as many as it may. Delete one first.`)
}

function record(
  trx: Trx,
  { accountId, actor }: Owner,
  action: string,
  id: string,
  detail: Record<string, string | boolean | string[]> = {},
): Promise<void> {
  return recordAudit(trx, { accountId, actor, action, subject: `app:${id}`, detail })
}

function kept(vault: Vault, secret: string | null) {
  return {
    secretDigest: secret === null ? null : secretDigest(vault, secret),
    secretPrefix: secret === null ? null : secret.slice(0, 8),
  }
}

/** 238 bits: nobody guesses it, so it needs no slow hash. */
function newSecret(): string {
  return `hls_${randomText(40)}`
}

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}
