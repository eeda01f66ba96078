import { isIP } from 'node:net'
import { z } from 'zod'
import { createKey } from '../../../identity/keys/create-key.ts'
import { showKey } from '../../../identity/keys/list-keys.ts'
import { personOperation } from '../../operation.ts'
import { name } from '../fields.ts'
import { keySchema, presentKey, scopeNames, secretSchema } from './present.ts'

/** Far more than anybody keeps apart. */
const mostKeys = 100
const mostNetworks = 50

const networks = z
  .array(
    z
      .string()
      .refine(isNetwork, { error: 'must hold addresses or networks such as 192.0.2.7 or 192.0.2.0/24' }),
    { error: 'must be a list of addresses or networks' },
  )
  .max(mostNetworks, { error: `can have at most ${mostNetworks} entries` })

const future = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2027-01-31T00:00:00Z' })
  .refine((at) => Date.parse(at) > Date.now(), { error: 'must be in the future' })

export const createOwnKey = personOperation({
  id: 'createKey',
  group: 'Keys',
  summary: 'Make an API key',
  description: 'Makes an API key of your account. `secret` is the key itself; it can be viewed again.',
  params: z.object({
    name: name.meta({ description: 'What the key is for.' }),
    scopes: z
      .array(z.enum(scopeNames, { error: `must hold some of ${scopeNames.join(', ')}` }), {
        error: 'must be a list of scopes',
      })
      .min(1, { error: 'must hold at least one scope' })
      .meta({ description: 'What it may do.' }),
    expires_at: future.nullish().meta({ description: 'When it ends by itself.' }),
    allowed_ips: networks
      .nullish()
      .meta({ description: 'Addresses and networks from which it may be used; none: from everywhere.' }),
  }),
  answer: z.object({ key: keySchema, secret: secretSchema }),
  failures: ['crossSite', 'tooManyKeys'],
  async handle({ db, vault }, { input, person }) {
    const { accountId, loginId } = person
    const made = await createKey(db, vault, `login:${loginId}`, {
      accountId,
      name: input.name,
      scopes: [...new Set(input.scopes)],
      ...(input.expires_at && { expiresAt: new Date(input.expires_at) }),
      allowedIps: input.allowed_ips ?? [],
      mostOfAccount: mostKeys,
    })
    const key = await showKey(db, accountId, made.keyId)
    if (key === undefined) throw new Error('the key that was just made is gone')
    return { key: presentKey(key), secret: made.key }
  },
})

/** PostgreSQL would also take shortened ones, which people read otherwise; what else is wrong it judges itself. */
function isNetwork(text: string): boolean {
  const [address = '', ...prefix] = text.split('/')
  return isIP(address) !== 0 && !address.includes('%') && /^(\d{1,3})?$/.test(prefix.join('/'))
}
