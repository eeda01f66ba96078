import { z } from 'zod'
import { listHooks } from '../../../hooks/list-hooks.ts'
import { contractOperation } from '../../operation/operation.ts'
import { visibleTo } from '../visible-hook.ts'
import { listedHook, presentHook } from './present.ts'

export const listHooksOperation = contractOperation('hooks:read', {
  id: 'listHooks',
  group: 'Webhooks',
  role: 'viewer',
  summary: 'List webhooks',
  description: 'Lists all webhooks of the account, oldest first, including disabled ones.',
  params: z.object({}),
  response: z.object({ success: z.literal(true), code: z.null(), hooks: z.array(listedHook) }),
  errors: [],
  async handle({ db, vault, timeZone }, { caller }) {
    const hooks = await listHooks(db, vault, caller.accountId)
    return {
      body: {
        success: true,
        code: null,
        hooks: hooks.map((hook) => presentHook(visibleTo(caller, hook), timeZone)),
      },
    }
  },
})
