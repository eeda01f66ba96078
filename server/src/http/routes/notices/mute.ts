import { z } from 'zod'
import { muteHook, unmuteHook } from '../../../notices/preferences.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { byId } from '../hooks/params.ts'

export const muteWebhookOperation = sessionOperation({
  id: 'muteWebhook',
  group: 'Notices',
  role: 'viewer',
  summary: 'Mute a webhook',
  description: 'Stops emails to you about the webhook. Notices about it are still listed.',
  params: byId,
  response: z.object({}),
  errors: ['csrfFailed', 'notFound'],
  async handle({ db }, { input, user }) {
    await muteHook(db, user, input.id)
    return {}
  },
})

export const unmuteWebhookOperation = sessionOperation({
  id: 'unmuteWebhook',
  group: 'Notices',
  role: 'viewer',
  summary: 'Unmute a webhook',
  description: 'Sends you emails about the webhook again.',
  params: byId,
  response: z.object({}),
  errors: ['csrfFailed', 'notFound'],
  async handle({ db }, { input, user }) {
    await unmuteHook(db, user, input.id)
    return {}
  },
})
