/**
 * The connection of an account to its identity provider. Its public id is derived from the account, so the redirect URI is
 * known before the provider is, and stays the same for each provider of the account.
 */
import { sql } from 'kysely'
import { type Actor, recordAudit } from '../../db/audit.ts'
import { keepBreakGlass } from '../../db/break-glass.ts'
import type { Database, Trx } from '../../db/database.ts'
import { hasSecondFactor } from '../../db/second-factor.ts'
import { ApiError } from '../../model/errors.ts'
import type { Vault } from '../../vault/vault.ts'

/** Roles that users can get by signing in for the first time. */
export const defaultRoles = ['viewer', 'support', 'developer'] as const
type DefaultRole = (typeof defaultRoles)[number]

export interface SsoConnection {
  accountId: number
  /** Public id. */
  id: string
  name: string
  issuer: string
  clientId: string
  /** Sealed. Null for a public client. */
  clientSecret: Buffer | null
  isRequired: boolean
  /** Null if nobody joins by signing in. */
  defaultRole: DefaultRole | null
  canReveal: boolean
  canExport: boolean
  createdAt: Date
  changedAt: Date
}

export interface ProviderSettings {
  name: string
  issuer: string
  clientId: string
  /** Undefined keeps the stored secret of the same client. Null is a client without a secret. */
  clientSecret: string | null | undefined
}

export type SsoSettings = Pick<SsoConnection, 'isRequired' | 'defaultRole' | 'canReveal' | 'canExport'>

export function connectionId(vault: Vault, accountId: number): string {
  return vault.digest(String(accountId), 'sso-connection').subarray(0, 16).toString('base64url')
}

export async function readConnection(
  db: Database | Trx,
  accountId: number,
): Promise<SsoConnection | undefined> {
  return selectConnection(db).where('ssoConnections.accountId', '=', accountId).executeTakeFirst()
}

/** Finds the connection of an account that is not suspended. */
export async function findConnection(db: Database | Trx, id: string): Promise<SsoConnection | undefined> {
  return selectConnection(db)
    .where('ssoConnections.id', '=', id)
    .where('accounts.suspendedAt', 'is', null)
    .executeTakeFirst()
}

/** Finds the connection of the account that has verified the domain. */
export async function findConnectionOfDomain(
  db: Database,
  domain: string,
): Promise<SsoConnection | undefined> {
  return selectConnection(db)
    .innerJoin('ssoDomains', 'ssoDomains.accountId', 'ssoConnections.accountId')
    .where('ssoDomains.domain', '=', domain)
    .where('ssoDomains.verifiedAt', 'is not', null)
    .where('accounts.suspendedAt', 'is', null)
    .executeTakeFirst()
}

function selectConnection(db: Database | Trx) {
  return db
    .selectFrom('ssoConnections')
    .innerJoin('accounts', 'accounts.id', 'ssoConnections.accountId')
    .select([
      'ssoConnections.accountId',
      'ssoConnections.id',
      'ssoConnections.name',
      'ssoConnections.issuer',
      'ssoConnections.clientId',
      'ssoConnections.clientSecret',
      'ssoConnections.isRequired',
      sql<DefaultRole | null>`sso_connections.default_role`.as('defaultRole'),
      'ssoConnections.canReveal',
      'ssoConnections.canExport',
      'ssoConnections.createdAt',
      'ssoConnections.changedAt',
    ])
}

/** Returns whether both settings name the same client of the same provider. */
export function isSameClient(
  one: Pick<SsoConnection, 'issuer' | 'clientId'>,
  other: Pick<SsoConnection, 'issuer' | 'clientId'>,
): boolean {
  return one.issuer === other.issuer && one.clientId === other.clientId
}

/**
 * Saves the provider. Another provider or client lifts the requirement to use it, until an owner has seen that it works.
 * Identities and sessions of another issuer are deleted: they do not come back with it.
 */
export async function saveProvider(
  trx: Trx,
  vault: Vault,
  actor: Actor,
  accountId: number,
  settings: ProviderSettings,
): Promise<void> {
  const { name, issuer, clientId, clientSecret } = settings
  const existing = await trx
    .selectFrom('ssoConnections')
    .select(['issuer', 'clientId', 'clientSecret', 'isRequired'])
    .where('accountId', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  const isKept = existing !== undefined && isSameClient(existing, settings)
  const values = {
    id: connectionId(vault, accountId),
    name,
    issuer,
    clientId,
    clientSecret:
      clientSecret === undefined && isKept
        ? existing.clientSecret
        : sealClientSecret(vault, { accountId, issuer, clientId }, clientSecret ?? null),
    isRequired: isKept && existing.isRequired,
    changedAt: sql<Date>`now()`,
  }
  await trx
    .insertInto('ssoConnections')
    .values({ accountId, ...values })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(values))
    .execute()
  await trx
    .deleteFrom('ssoIdentities')
    .where('accountId', '=', accountId)
    .where('issuer', '<>', issuer)
    .execute()
  await trx
    .deleteFrom('sessions')
    .where('accountId', '=', accountId)
    .where('ssoIssuer', '<>', issuer)
    .execute()
  await recordAudit(trx, {
    accountId,
    actor,
    action: 'sso.configure',
    subject: `account:${accountId}`,
    detail: { name, issuer, client_id: clientId },
  })
}

/** Opens with the issuer and client that the secret was saved for only, so it is never sent to another provider. */
export function openClientSecret(vault: Vault, connection: SsoConnection): string | undefined {
  return connection.clientSecret === null
    ? undefined
    : vault.open(connection.clientSecret, secretContext(connection))
}

function sealClientSecret(
  vault: Vault,
  client: Pick<SsoConnection, 'accountId' | 'issuer' | 'clientId'>,
  secret: string | null,
): Buffer | null {
  return secret === null ? null : vault.seal(secret, secretContext(client))
}

function secretContext(client: Pick<SsoConnection, 'accountId' | 'issuer' | 'clientId'>): string {
  return `sso:${JSON.stringify([client.accountId, client.issuer, client.clientId])}`
}

/** Changes who may and who must sign in through the provider. Break-glass owners are set before. */
export async function changeSettings(
  trx: Trx,
  actor: Actor,
  accountId: number,
  change: Partial<SsoSettings>,
): Promise<void> {
  if (Object.keys(change).length > 0) {
    const changed = await trx
      .updateTable('ssoConnections')
      .set({ ...change, changedAt: sql<Date>`now()` })
      .where('accountId', '=', accountId)
      .returning('id')
      .executeTakeFirst()
    if (changed === undefined) throw noSso()
  }
  await keepBreakGlass(trx, accountId)
  await recordAudit(trx, {
    accountId,
    actor,
    action: 'sso.settings',
    subject: `account:${accountId}`,
    detail: {
      ...(change.isRequired !== undefined && { required: change.isRequired }),
      ...(change.defaultRole !== undefined && { default_role: change.defaultRole }),
      ...(change.canReveal !== undefined && { can_reveal: change.canReveal }),
      ...(change.canExport !== undefined && { can_export: change.canExport }),
    },
  })
}

/** Removes the connection with its identities and sessions. Returns false if there is none. Needs the lock of the account. */
export async function removeConnection(trx: Trx, actor: Actor, accountId: number): Promise<boolean> {
  const removed = await trx
    .deleteFrom('ssoConnections')
    .where('accountId', '=', accountId)
    .returning('issuer')
    .executeTakeFirst()
  if (removed === undefined) return false
  await trx.deleteFrom('ssoIdentities').where('accountId', '=', accountId).execute()
  await trx
    .deleteFrom('sessions')
    .where('accountId', '=', accountId)
    .where('ssoIssuer', 'is not', null)
    .execute()
  await recordAudit(trx, {
    accountId,
    actor,
    action: 'sso.remove',
    subject: `account:${accountId}`,
    detail: { issuer: removed.issuer },
  })
  return true
}

export async function listBreakGlass(db: Database | Trx, accountId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('memberships')
    .select('loginId')
    .where('accountId', '=', accountId)
    .where('isBreakGlass', '=', true)
    .orderBy('loginId')
    .execute()
  return rows.map(({ loginId }) => loginId)
}

/** Sets the owners who can sign in without the provider. Each needs a second factor. */
export async function setBreakGlass(trx: Trx, accountId: number, loginIds: readonly number[]): Promise<void> {
  const { rows } = await sql<{ loginId: number }>`
    UPDATE memberships SET is_break_glass = login_id = ANY (${loginIds}::integer[])
    WHERE account_id = ${accountId} AND (is_break_glass OR role = 'owner')
    RETURNING login_id
  `.execute(trx)
  const eligible = await trx
    .selectFrom('memberships')
    .innerJoin('logins', 'logins.id', 'memberships.loginId')
    .select('memberships.loginId')
    .where('memberships.accountId', '=', accountId)
    .where('memberships.role', '=', 'owner')
    .where(hasSecondFactor)
    .execute()
  const owners = new Set(rows.map(({ loginId }) => loginId))
  const withFactor = new Set(eligible.map(({ loginId }) => loginId))
  if (!loginIds.every((loginId) => owners.has(loginId) && withFactor.has(loginId)))
    throw new ApiError(
      'parameterInvalid',
      'Break-glass users must be owners with two-factor authentication.',
      {
        field: 'break_glass_login_ids',
      },
    )
}

export function noSso(): ApiError {
  return new ApiError('noSso', 'The account has no single sign-on. An owner can set it up.')
}
