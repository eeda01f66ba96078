/** API representation of the signing key of an account. */
import { z } from 'zod'
import type { SigningKeys } from '../../../hooks/signing-key.ts'
import { instant } from '../fields.ts'

export const switchesAt = instant
  .nullable()
  .meta({ description: 'Time at which deliveries switch to the next key. Null without a next key.' })

export const signingKeysResponse = z.object({
  signing_key: z.string().meta({ description: 'Signs `X-Signature` of deliveries and of calls.' }),
  next_signing_key: z
    .string()
    .nullable()
    .meta({ description: 'Calls can already be signed with this key. Null outside of a rotation.' }),
  switches_at: switchesAt,
})

export function presentSigningKeys({
  current,
  next,
  switchesAt: at,
}: SigningKeys): z.infer<typeof signingKeysResponse> {
  return { signing_key: current, next_signing_key: next, switches_at: at?.toISOString() ?? null }
}
