/** API representation of single sign-on: the connection, its domains and identities. */
import { z } from 'zod'
import type { Database } from '../../../db/database.ts'
import {
  connectionId,
  defaultRoles,
  listBreakGlass,
  readConnection,
  type SsoConnection,
} from '../../../identity/sso/connections.ts'
import { domainRecord, listDomains, type SsoDomain } from '../../../identity/sso/domains.ts'
import type { ListedIdentity } from '../../../identity/sso/identities.ts'
import type { Vault } from '../../../vault/vault.ts'
import { redirectUriOf } from '../../sso/start-flow.ts'
import { instant } from '../fields.ts'

export const defaultRole = z
  .enum(defaultRoles, { error: `must be one of ${defaultRoles.join(', ')}, or null` })
  .nullable()

const connectionResponse = z
  .object({
    id: z.string().meta({ description: 'Public id, for `POST /api/session/sso`.' }),
    name: z.string(),
    issuer: z.string(),
    client_id: z.string(),
    has_client_secret: z.boolean(),
    is_required: z.boolean().meta({
      description: 'Whether members sign in only through the provider, except for break-glass owners.',
    }),
    default_role: defaultRole.meta({
      description:
        'Role of users of verified domains who join by signing in. Null: only members and invited users sign in.',
    }),
    can_reveal: z.boolean().meta({ description: 'Whether users who join may reveal personal data.' }),
    can_export: z.boolean().meta({ description: 'Whether users who join may export data.' }),
    created_at: instant,
    changed_at: instant,
  })
  .meta({ id: 'SsoConnection' })

export const domainResponse = z
  .object({
    id: z.int(),
    domain: z.string(),
    record_name: z.string().meta({ description: 'Where the TXT record is expected.' }),
    record_value: z.string().meta({ description: 'Text of the TXT record.' }),
    created_at: instant,
    verified_at: instant.nullable(),
  })
  .meta({ id: 'SsoDomain' })

export const ssoResponse = z.object({
  connection: connectionResponse.nullable(),
  redirect_uri: z
    .string()
    .meta({ description: 'Register it at the provider. It does not change with the connection.' }),
  domains: z.array(domainResponse),
  break_glass_login_ids: z
    .array(z.int())
    .meta({ description: 'Owners who can sign in without the provider, with two-factor authentication.' }),
})

export const identityResponse = z
  .object({
    id: z.int(),
    login_id: z.int(),
    alias: z.string(),
    is_self: z.boolean(),
    subject: z.string().meta({ description: 'Id of the user at the provider.' }),
    email: z.string().nullable().meta({ description: 'As the provider said when the identity was linked.' }),
    linked_at: instant,
    used_at: instant,
  })
  .meta({ id: 'SsoIdentity' })

/** The page to continue at: a path of this service. */
export const returnPath = z
  .string({ error: 'must be a path' })
  .max(500, { error: 'can have at most 500 characters' })
  // Browsers read a backslash as a slash, and remove tabs and line breaks.
  .regex(/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/, { error: 'must be a path such as /webhooks' })
  .optional()
  .meta({ description: 'Path of this service at which the browser continues. Default: `/`.' })

export const flowResponse = z.object({
  url: z.string().meta({ description: 'URL of the provider. Open it in this browser within 10 minutes.' }),
})

export async function readSso(
  { db, vault, baseUrl }: { db: Database; vault: Vault; baseUrl: URL },
  accountId: number,
): Promise<z.infer<typeof ssoResponse>> {
  const connection = await readConnection(db, accountId)
  const domains = await listDomains(db, accountId)
  return {
    connection: connection === undefined ? null : presentConnection(connection),
    redirect_uri: redirectUriOf(baseUrl, connectionId(vault, accountId)),
    domains: domains.map(presentDomain),
    break_glass_login_ids: await listBreakGlass(db, accountId),
  }
}

function presentConnection(connection: SsoConnection): z.infer<typeof connectionResponse> {
  return {
    id: connection.id,
    name: connection.name,
    issuer: connection.issuer,
    client_id: connection.clientId,
    has_client_secret: connection.clientSecret !== null,
    is_required: connection.isRequired,
    default_role: connection.defaultRole,
    can_reveal: connection.canReveal,
    can_export: connection.canExport,
    created_at: connection.createdAt.toISOString(),
    changed_at: connection.changedAt.toISOString(),
  }
}

export function presentDomain(domain: SsoDomain): z.infer<typeof domainResponse> {
  const { name, value } = domainRecord(domain)
  return {
    id: domain.id,
    domain: domain.domain,
    record_name: name,
    record_value: value,
    created_at: domain.createdAt.toISOString(),
    verified_at: domain.verifiedAt?.toISOString() ?? null,
  }
}

export function presentIdentity(identity: ListedIdentity, selfId: number): z.infer<typeof identityResponse> {
  return {
    id: identity.id,
    login_id: identity.loginId,
    alias: identity.alias,
    is_self: identity.loginId === selfId,
    subject: identity.subject,
    email: identity.email,
    linked_at: identity.linkedAt.toISOString(),
    used_at: identity.usedAt.toISOString(),
  }
}
