import { z } from 'zod'
import { listHooks } from '../../../hooks/list-hooks.ts'
import { contractOperation } from '../../operation.ts'
import { listedHook, presentHook } from './present.ts'

export const listOperation = contractOperation('hooks:read', {
  id: 'listHooks',
  group: 'Webhooks',
  summary: 'List webhooks',
  description: 'All webhooks of the account, oldest first; disabled ones are listed too.',
  params: z.object({}),
  answer: z.object({ success: z.literal(true), code: z.null(), hooks: z.array(listedHook) }),
  failures: [],
  async handle({ db, vault, timeZone }, { caller }) {
    const hooks = await listHooks(db, vault, caller.accountId)
    return { body: { success: true, code: null, hooks: hooks.map((hook) => presentHook(hook, timeZone)) } }
  },
})
