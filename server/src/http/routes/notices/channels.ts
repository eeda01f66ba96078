import { z } from 'zod'
import { ApiError } from '../../../model/errors.ts'
import { normalizeTargetUrl } from '../../../model/target-url.ts'
import {
  changeChannel,
  channelNotFound,
  createChannel,
  deleteChannel,
  listChannels,
  renewConfirmation,
} from '../../../notices/channels.ts'
import { queueChannelTest } from '../../../notices/message-queue.ts'
import { type ApiDeps, type Origin, sessionOperation, type SessionUser } from '../../operation/operation.ts'
import { requireMail } from '../require-mail.ts'
import { channelById, channelKind, channelResponse, channelSettings } from './channel-fields.ts'
import { presentLastMessage } from './messages.ts'
import { sendConfirmation } from './send-confirmation.ts'

export const listChannelsOperation = sessionOperation({
  id: 'listNoticeChannels',
  group: 'Notices',
  role: 'viewer',
  summary: 'List channels',
  description: 'Lists where the notices of your account are sent, besides the emails of its members.',
  params: z.object({}),
  response: z.object({ channels: z.array(channelResponse) }),
  errors: [],
  async handle({ db }, { user }) {
    const channels = await listChannels(db, user.accountId)
    return {
      channels: channels.map((channel) => ({
        id: channel.id,
        kind: channel.kind,
        name: channel.name,
        target: channel.target,
        groups: [...channel.groups],
        mode: channel.mode,
        is_confirmed: channel.isConfirmed,
        created_at: channel.createdAt.toISOString(),
        last: channel.last && presentLastMessage(channel.last),
      })),
    }
  },
})

export const createChannelOperation = sessionOperation({
  id: 'createNoticeChannel',
  group: 'Notices',
  role: 'developer',
  summary: 'Create a channel',
  description:
    'Sends notices of your account to an incoming webhook of a chat service, or to a further email. The holder of an email must open a link first, which works once within 24 hours. The URL is not shown again.',
  params: z.object({
    kind: channelKind,
    ...channelSettings,
    target: z
      .string({ error: 'must be a string' })
      .meta({ description: 'An email, or the URL of the incoming webhook.' }),
  }),
  response: z.object({ id: z.int() }),
  errors: ['csrfFailed', 'invalidUrl', 'noMail', 'tooManyChannels', 'tooManyChanges', 'tooManyAuthAttempts'],
  async handle(deps, { input, user, origin }) {
    const { kind, name, groups, mode } = input
    const target =
      kind === 'email' ? input.target.trim() : normalizeTargetUrl(input.target, deps.hookLimits.targetUrl)
    if (kind === 'email') await allowEmail(deps, target, origin)
    const { id, token } = await createChannel(deps.db, deps.vault, user, { kind, name, groups, mode, target })
    if (token !== undefined)
      await sendConfirmation(deps, requireMail(deps, cannotConfirm), user, { address: target, token })
    return { id }
  },
})

const cannotConfirm = 'Email is not configured, so no address can be confirmed. Contact the operator.'

async function allowEmail(deps: ApiDeps, address: string, { ip }: Origin): Promise<void> {
  requireMail(deps, cannotConfirm)
  await deps.throttle.mailTo(address, ip)
}

export const changeChannelOperation = sessionOperation({
  id: 'changeNoticeChannel',
  group: 'Notices',
  role: 'developer',
  summary: 'Change a channel',
  description:
    'Changes the name, the groups or the mode of a channel. Settings that are not sent stay as they are.',
  params: channelById.extend({
    name: channelSettings.name.optional(),
    groups: channelSettings.groups.optional(),
    mode: channelSettings.mode.optional(),
  }),
  response: z.object({}),
  errors: ['csrfFailed', 'notFound', 'tooManyChanges'],
  async handle({ db }, { input, user }) {
    const { id, ...settings } = input
    await changeChannel(db, user, id, settings)
    return {}
  },
})

export const deleteChannelOperation = sessionOperation({
  id: 'deleteNoticeChannel',
  group: 'Notices',
  role: 'developer',
  summary: 'Delete a channel',
  description: 'Stops notices to the channel at once.',
  params: channelById,
  response: z.object({}),
  errors: ['csrfFailed', 'notFound'],
  async handle({ db }, { input, user }) {
    if (!(await deleteChannel(db, `login:${user.loginId}`, user.accountId, input.id)))
      throw channelNotFound(input.id)
    return {}
  },
})

export const resendChannelOperation = sessionOperation({
  id: 'resendNoticeChannel',
  group: 'Notices',
  role: 'developer',
  summary: 'Resend the link of a channel',
  description: 'Sends a new link to an email that is not confirmed yet. The previous link stops working.',
  params: channelById,
  response: z.object({}),
  errors: ['csrfFailed', 'notFound', 'noMail', 'tooManyChanges', 'tooManyAuthAttempts'],
  async handle(deps, { input, user, origin }) {
    const mail = requireMail(deps, cannotConfirm)
    const address = await addressOf(deps, user, input.id)
    await deps.throttle.mailTo(address, origin.ip)
    await sendConfirmation(deps, mail, user, await renewConfirmation(deps.db, deps.vault, user, input.id))
    return {}
  },
})

async function addressOf({ db }: ApiDeps, { accountId }: SessionUser, id: number): Promise<string> {
  const channels = await listChannels(db, accountId)
  const channel = channels.find((candidate) => candidate.id === id)
  if (channel === undefined || channel.kind !== 'email' || channel.isConfirmed) throw channelNotFound(id)
  return channel.target
}

export const testChannelOperation = sessionOperation({
  id: 'testNoticeChannel',
  group: 'Notices',
  role: 'developer',
  summary: 'Send a test to a channel',
  description: 'Queues a test message. Its result is the field `last` of the channel.',
  params: channelById,
  response: z.object({}),
  errors: ['csrfFailed', 'notFound', 'tooManyChanges'],
  async handle({ db }, { input, user }) {
    const { accountId } = user
    const result = await queueChannelTest(db, accountId, input.id)
    if (result === 'unknown') throw channelNotFound(input.id)
    if (result === 'unconfirmed')
      throw new ApiError('notFound', 'The address is not confirmed. Open the link in the email first.')
    return {}
  },
})
