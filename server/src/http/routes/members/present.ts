/** API representation of members, their rights, and the secrets that they know. */
import { z } from 'zod'
import type { HeldSecret } from '../../../db/secret-holders.ts'
import type { ListedMember } from '../../../identity/members/members.ts'
import { type Member, roles } from '../../../model/role.ts'
import { instant } from '../fields.ts'

export const role = z.enum(roles, { error: `must be one of ${roles.join(', ')}` }).meta({ id: 'Role' })

export const memberRights = {
  role,
  can_reveal: z.boolean().meta({ description: 'May see numbers, texts and requests unmasked.' }),
  can_export: z.boolean().meta({ description: 'May download events and the audit log.' }),
}

export const memberResponse = z
  .object({
    login_id: z.int(),
    alias: z.string(),
    email: z.string().nullable(),
    second_factor: z.boolean(),
    is_self: z.boolean(),
    ...memberRights,
    joined_at: instant,
    used_at: instant.meta({ description: 'Start of the latest session in the account.' }),
  })
  .meta({ id: 'Member' })

export const heldSecretResponse = z
  .object({
    kind: z.enum(['key', 'app', 'hook', 'consumer', 'account']).meta({
      description: 'API key, OAuth app, webhook or consumer. `account` is the signing key.',
    }),
    id: z.string(),
    name: z.string().nullable(),
    is_creator: z.boolean().meta({ description: 'Whether the member created the key or app.' }),
    seen_at: instant,
  })
  .meta({ id: 'HeldSecret' })

export const heldSecrets = z.array(heldSecretResponse).meta({
  description: 'Valid secrets that the member has created or seen. Rotate or revoke them.',
})

export function presentRights({ role: name, canReveal, canExport }: Member) {
  return { role: name, can_reveal: canReveal, can_export: canExport }
}

export function presentMember(member: ListedMember, selfId: number): z.infer<typeof memberResponse> {
  return {
    login_id: member.loginId,
    alias: member.alias,
    email: member.email,
    second_factor: member.hasSecondFactor,
    is_self: member.loginId === selfId,
    ...presentRights(member),
    joined_at: member.joinedAt.toISOString(),
    used_at: member.usedAt.toISOString(),
  }
}

export function presentSecret(secret: HeldSecret): z.infer<typeof heldSecretResponse> {
  return {
    kind: heldSecretResponse.shape.kind.parse(secret.kind),
    id: secret.id,
    name: secret.name,
    is_creator: secret.isCreator,
    seen_at: secret.seenAt.toISOString(),
  }
}
