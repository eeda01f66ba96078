import { z } from 'zod'
import { listAudit } from '../../../db/audit.ts'
import { personOperation } from '../../operation.ts'
import { instant } from '../fields.ts'

const usualLimit = 50
const mostLimit = 200

const whole = z.string().regex(/^[1-9]\d{0,14}$/, { error: 'must be a positive whole number' })

export const listOwnAudit = personOperation({
  id: 'listAudit',
  group: 'Account',
  summary: 'Who changed what',
  description: 'The audit log of your account, newest first. `next` is the `before` of the next page.',
  params: z.object({
    before: whole
      .transform(Number)
      .optional()
      .meta({ type: 'integer', minimum: 1, description: 'Only entries older than the one with this id.' }),
    limit: whole
      .transform(Number)
      .refine((limit) => limit <= mostLimit, { error: `must be at most ${mostLimit}` })
      .optional()
      .meta({ type: 'integer', minimum: 1, maximum: mostLimit, default: usualLimit }),
  }),
  answer: z.object({
    entries: z.array(
      z.object({
        id: z.int(),
        at: instant,
        actor: z.string().meta({
          description:
            '`login:`, `key:` or `app:` and its id; `operator`, `service`, or `visitor` for somebody who is not signed in.',
        }),
        actor_name: z.string().nullable().meta({ description: 'Of the login, key or app.' }),
        action: z.string(),
        subject: z.string(),
        detail: z.record(z.string(), z.unknown()),
      }),
    ),
    next: z.int().nullable(),
  }),
  failures: [],
  async handle({ db }, { input, person }) {
    const limit = input.limit ?? usualLimit
    // One more than shown tells whether there is a next page.
    const found = await listAudit(db, person.accountId, { before: input.before, limit: limit + 1 })
    const shown = found.slice(0, limit)
    return {
      entries: shown.map(({ actorName, at, ...entry }) => ({
        ...entry,
        at: at.toISOString(),
        actor_name: actorName,
      })),
      next: found.length > limit ? (shown.at(-1)?.id ?? null) : null,
    }
  },
})
