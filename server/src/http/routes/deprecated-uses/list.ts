import { z } from 'zod'
import { listDeprecatedUses } from '../../../identity/keys/deprecated-uses.ts'
import { personOperation } from '../../operation.ts'

export const listOwnDeprecatedUses = personOperation({
  id: 'listDeprecatedUses',
  group: 'Keys',
  summary: 'Deprecated credentials in use',
  description:
    'The deprecated ways in which calls for your account were authenticated. Send API keys as `X-Api-Key` instead.',
  params: z.object({}),
  answer: z.object({
    uses: z.array(
      z.object({
        kind: z.enum(['parameter-key', 'login-password']),
        last_day: z.iso.date(),
        uses_30_days: z.int(),
      }),
    ),
  }),
  failures: [],
  async handle({ db }, { person }) {
    const uses = await listDeprecatedUses(db, person.accountId)
    return {
      uses: uses.map(({ kind, lastDay, usesIn30Days }) => ({
        kind: kind === 'parameter-key' ? ('parameter-key' as const) : ('login-password' as const),
        last_day: lastDay,
        uses_30_days: usesIn30Days,
      })),
    }
  },
})
