import { isIP } from 'node:net'
import { z } from 'zod'
import { createKey } from '../../../identity/keys/create-key.ts'
import { readKeyDetails } from '../../../identity/keys/list-keys.ts'
import { rejectMissingScopes } from '../../auth/require-role.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { name } from '../fields.ts'
import { keySchema, presentKey, scopeNames, secretSchema } from './present.ts'

/** Far more than an account needs. */
const maxKeys = 100
const maxNetworks = 50

const networks = z
  .array(
    z.string().refine(isNetwork, {
      error: 'must contain IP addresses or networks such as 192.0.2.7 or 192.0.2.0/24',
    }),
    { error: 'must be an array of IP addresses or networks' },
  )
  .max(maxNetworks, { error: `can have at most ${maxNetworks} entries` })

const future = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2027-01-31T00:00:00Z' })
  .refine((at) => Date.parse(at) > Date.now(), { error: 'must be in the future' })

export const createKeyOperation = sessionOperation({
  id: 'createKey',
  group: 'API keys',
  role: 'developer',
  summary: 'Create API key',
  description: 'Creates an API key for your account. `secret` is the key, which can be revealed again later.',
  params: z.object({
    name: name.meta({ description: 'Name of the key.' }),
    scopes: z
      .array(z.enum(scopeNames, { error: `must contain only ${scopeNames.join(', ')}` }), {
        error: 'must be an array of scopes',
      })
      .min(1, { error: 'must contain at least one scope' })
      .meta({ description: 'Scopes of the key.' }),
    expires_at: future.nullish().meta({ description: 'Expiry time.' }),
    allowed_ips: networks
      .nullish()
      .meta({ description: 'Allowed IP addresses and networks. Empty for no restriction.' }),
    signed_calls_required: z
      .boolean()
      .nullish()
      .meta({ description: 'Accept only signed calls with this key. Default: false.' }),
  }),
  response: z.object({ key: keySchema, secret: secretSchema }),
  errors: ['csrfFailed', 'tooManyKeys'],
  takesIdempotencyKey: true,
  async handle({ db, vault }, { input, user }) {
    const { accountId, loginId } = user
    rejectMissingScopes(user.member, input.scopes)
    const created = await createKey(db, vault, `login:${loginId}`, {
      accountId,
      name: input.name,
      scopes: [...new Set(input.scopes)],
      ...(input.expires_at && { expiresAt: new Date(input.expires_at) }),
      allowedIps: input.allowed_ips ?? [],
      isSignatureRequired: input.signed_calls_required ?? false,
      maxPerAccount: maxKeys,
    })
    const key = await readKeyDetails(db, accountId, created.keyId)
    if (key === undefined) throw new Error('created key not found')
    return { key: presentKey(key, true), secret: created.key }
  },
})

/** Rejects shortened networks, which PostgreSQL accepts but users may read differently. PostgreSQL checks the rest. */
function isNetwork(text: string): boolean {
  const [address = '', ...prefix] = text.split('/')
  return isIP(address) !== 0 && !address.includes('%') && /^(\d{1,3})?$/.test(prefix.join('/'))
}
