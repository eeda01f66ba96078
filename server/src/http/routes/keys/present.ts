/** An API key as its owner sees it: everything but the key itself. */
import { z } from 'zod'
import type { showKeys } from '../../../identity/keys/list-keys.ts'
import { isScope, type Scope, scopes } from '../../../model/caller.ts'
import { instant } from '../fields.ts'

export const scopeNames = Object.keys(scopes) as Scope[]

export const keySchema = z.object({
  id: z.int(),
  name: z.string(),
  prefix: z.string().meta({ description: 'Its first characters, to tell keys apart.' }),
  scopes: z.array(z.enum(scopeNames)),
  allowed_ips: z
    .array(z.string())
    .nullable()
    .meta({ description: 'Addresses and networks from which it may be used; null: from everywhere.' }),
  expires_at: instant.nullable(),
  revoked_at: instant.nullable(),
  last_used_at: instant.nullable(),
  last_used_method: z
    .string()
    .nullable()
    .meta({ description: 'How it was sent then: `header-key`, `basic-key` or `parameter-key`.' }),
  created_at: instant,
})

export const secretSchema = z.string().meta({ description: 'The key itself.' })

type ShownKey = Awaited<ReturnType<typeof showKeys>>[number]

export function presentKey(key: ShownKey): z.infer<typeof keySchema> {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes.filter(isScope),
    allowed_ips: key.allowedIps?.map(plainNetwork) ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    last_used_method: key.lastUsedMethod,
    created_at: key.createdAt.toISOString(),
  }
}

/** A network of one address is written as the address. */
function plainNetwork(network: string): string {
  return network.replace(network.includes(':') ? /\/128$/ : /\/32$/, '')
}
