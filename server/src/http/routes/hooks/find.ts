import { z } from 'zod'
import { findHooks } from '../../../hooks/find-hooks.ts'
import { endpointOf } from '../../../model/target-url.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { endpoint } from './names.ts'

const maxText = 200
const maxFound = 20

export const findWebhooksOperation = scopedOperation('hooks:read', {
  id: 'findWebhooks',
  group: 'Manage webhooks',
  role: 'viewer',
  summary: 'Find webhooks',
  description: `Finds webhooks whose name or URL contains every word, or whose id is the text. Returns at most ${maxFound}.`,
  params: z.object({
    q: z
      .string()
      .max(maxText, { error: `must have at most ${maxText} characters` })
      .default('')
      .meta({ description: 'Words of the name, host or path. Default: all webhooks, oldest first.' }),
  }),
  response: z.object({
    hooks: z.array(
      z.object({ id: z.int32().positive(), name: z.string().nullable(), endpoint, enabled: z.boolean() }),
    ),
  }),
  errors: [],
  isExpensive: true,
  async handle({ db }, { caller, input }) {
    const found = await findHooks(db, caller.accountId, input.q, maxFound)
    return {
      hooks: found.map(({ id, name, targetUrl, enabled }) => ({
        id,
        name,
        endpoint: endpointOf(targetUrl),
        enabled,
      })),
    }
  },
})
