import { z } from 'zod'
import { listDeprecatedUses } from '../../../identity/keys/deprecated-uses.ts'
import { sessionOperation } from '../../operation/operation.ts'

export const listDeprecatedUsesOperation = sessionOperation({
  id: 'listDeprecatedUses',
  group: 'API keys',
  role: 'viewer',
  summary: 'List uses of deprecated credentials',
  description:
    'Lists the deprecated authentication methods that calls of your account used. Send API keys as `X-Api-Key` instead.',
  params: z.object({}),
  response: z.object({
    uses: z.array(
      z.object({
        kind: z.enum(['parameter-key', 'login-password']),
        last_day: z.iso.date(),
        uses_30_days: z.int(),
      }),
    ),
  }),
  errors: [],
  async handle({ db }, { user }) {
    const uses = await listDeprecatedUses(db, user.accountId)
    return {
      uses: uses.map(({ kind, lastDay, usesIn30Days }) => ({
        kind: kind === 'parameter-key' ? ('parameter-key' as const) : ('login-password' as const),
        last_day: lastDay,
        uses_30_days: usesIn30Days,
      })),
    }
  },
})
