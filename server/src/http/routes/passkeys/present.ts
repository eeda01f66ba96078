import { z } from 'zod'
import type { ListedPasskey } from '../../../identity/passkeys/passkeys.ts'
import { passkeyTransports } from '../../../model/passkey.ts'
import { instant } from '../fields.ts'

export const passkeyResponse = z
  .object({
    id: z.int(),
    name: z.string(),
    is_synced: z.boolean().meta({
      description: 'Whether the passkey is backed up or synced, as its authenticator reported last.',
    }),
    created_at: instant,
    last_used_at: instant.nullable(),
  })
  .meta({ id: 'Passkey' })

const descriptor = z
  .object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.enum(passkeyTransports)) })
  .meta({ id: 'PasskeyDescriptor' })

export const requestOptionsResponse = z
  .object({
    challenge: z.string().meta({ description: 'Valid for 5 minutes, once.' }),
    rpId: z.string(),
    timeout: z.int(),
    userVerification: z.literal('required'),
    allowCredentials: z.array(descriptor),
  })
  .meta({ id: 'PasskeyRequestOptions', description: 'Options of `navigator.credentials.get()` as JSON.' })

export const creationOptionsResponse = z
  .object({
    challenge: z.string().meta({ description: 'Valid for 5 minutes, once, in this session.' }),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    timeout: z.int(),
    attestation: z.literal('none'),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    excludeCredentials: z.array(descriptor),
  })
  .meta({ id: 'PasskeyCreationOptions', description: 'Options of `navigator.credentials.create()` as JSON.' })

export function presentPasskey(passkey: ListedPasskey): z.infer<typeof passkeyResponse> {
  return {
    id: passkey.id,
    name: passkey.name,
    is_synced: passkey.isSynced,
    created_at: passkey.createdAt.toISOString(),
    last_used_at: passkey.lastUsedAt?.toISOString() ?? null,
  }
}
