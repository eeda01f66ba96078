import { z } from 'zod'
import { listAudit } from '../../../db/audit.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { auditAction, instant } from '../fields.ts'
import { namedHookResponse, readNames } from '../hooks/names.ts'
import { listParams } from '../list-params.ts'

const defaultLimit = 50

export const listAuditOperation = sessionOperation({
  id: 'listAudit',
  group: 'Account',
  role: 'admin',
  summary: 'List audit log entries',
  description:
    'Lists the audit log of your account, newest first. To get the next page, send `next` as `before`.',
  params: z.object(listParams('entry', 'entries', defaultLimit)),
  response: z.object({
    entries: z.array(
      z.object({
        id: z.int(),
        at: instant,
        actor: z.string().meta({
          description:
            '`login:`, `key:` or `app:` with an id, or `operator`, `service`, or `visitor` for an anonymous user.',
        }),
        actor_name: z.string().nullable().meta({ description: 'Name of the login, key or app.' }),
        action: auditAction,
        subject: z.string(),
        member: z
          .string()
          .nullable()
          .meta({ description: 'Alias of a subject such as `login:7`, also of a former member.' }),
        webhook: namedHookResponse.nullable().meta({ description: 'Webhook of a subject such as `hook:7`.' }),
        detail: z.record(z.string(), z.unknown()),
      }),
    ),
    next: z.int().nullable(),
  }),
  errors: [],
  async handle({ db }, { input, user }) {
    const limit = input.limit ?? defaultLimit
    // Reads one more entry to detect a next page.
    const found = await listAudit(db, user.accountId, { before: input.before, limit: limit + 1 })
    const page = found.slice(0, limit)
    const names = await readNames(
      db,
      user.accountId,
      page.flatMap(({ subject }) => hookOf(subject) ?? []),
    )
    return {
      entries: page.map(({ actorName, memberAlias, at, ...entry }) => ({
        ...entry,
        member: memberAlias,
        at: at.toISOString(),
        actor_name: actorName,
        webhook: names.find(hookOf(entry.subject)),
      })),
      next: found.length > limit ? (page.at(-1)?.id ?? null) : null,
    }
  },
})

function hookOf(subject: string): number | null {
  const [, id] = /^hook:(\d{1,10})$/.exec(subject) ?? []
  return id === undefined ? null : Number(id)
}
