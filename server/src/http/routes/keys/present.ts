/** API representation of an API key, without the key itself. */
import { z } from 'zod'
import type { listKeyDetails } from '../../../identity/keys/list-keys.ts'
import { isScope, type Scope, scopes } from '../../../model/caller.ts'
import { instant } from '../fields.ts'

export const scopeNames = Object.keys(scopes) as Scope[]

export const keySchema = z
  .object({
    id: z.int(),
    name: z.string(),
    prefix: z.string().meta({ description: 'First characters of the key.' }),
    revealable: z.boolean().meta({ description: 'False for a key that was imported as a digest.' }),
    manageable: z.boolean().meta({
      description:
        'Whether you may reveal and revoke the key. Developers manage only keys that they created.',
    }),
    scopes: z.array(z.enum(scopeNames)),
    allowed_ips: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Allowed IP addresses and networks. Null for no restriction.' }),
    expires_at: instant.nullable(),
    signed_calls_required: z.boolean().meta({ description: 'Whether calls with the key must be signed.' }),
    revoked_at: instant.nullable(),
    last_used_at: instant.nullable(),
    last_used_method: z.string().nullable().meta({
      description: 'Authentication method of the last use: `header-key`, `basic-key` or `parameter-key`.',
    }),
    created_at: instant,
  })
  .meta({ id: 'ApiKey' })

export const secretSchema = z.string().meta({ description: 'The full API key.' })

type KeyDetails = Awaited<ReturnType<typeof listKeyDetails>>[number]

export function presentKey(key: KeyDetails, isManageable: boolean): z.infer<typeof keySchema> {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    revealable: key.revealable,
    manageable: isManageable,
    scopes: key.scopes.filter(isScope),
    allowed_ips: key.allowedIps?.map(plainNetwork) ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    signed_calls_required: key.signedCallsRequired,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    last_used_method: key.lastUsedMethod,
    created_at: key.createdAt.toISOString(),
  }
}

/** Formats a network of one address as the address. */
function plainNetwork(network: string): string {
  return network.replace(network.includes(':') ? /\/128$/ : /\/32$/, '')
}
