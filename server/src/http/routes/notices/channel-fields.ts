/** Parameters and response fields of channels. */
import { z } from 'zod'
import { channelKinds, noticeGroups, sendingModes } from '../../../model/notice.ts'
import { instant, name, pathId } from '../fields.ts'
import { lastMessageResponse } from './messages.ts'

export const channelKind = z.enum(channelKinds).meta({
  id: 'ChannelKind',
  description:
    '`email`: a further address, `slack`, `teams`, or `json` for anything that accepts JSON by POST.',
})

export const channelById = z.object({ id: pathId('Id of the channel.') })

export const channelSettings = {
  name: name.meta({ description: 'Name for users, 1 to 100 characters.' }),
  groups: z
    .array(z.enum(noticeGroups))
    .min(1, { error: 'must have at least one group' })
    .max(noticeGroups.length, { error: `can have at most ${noticeGroups.length} groups` })
    .transform((groups) => [...new Set(groups)])
    .meta({
      description: 'Groups of notices that are sent. Notices about logins are never sent to channels.',
    }),
  mode: z.enum(sendingModes).meta({
    id: 'SendingMode',
    description: '`instant`: within minutes, `daily`: at 08:00 UTC, `weekly`: on Mondays at 08:00 UTC.',
  }),
}

export const channelResponse = z
  .object({
    id: z.int(),
    kind: channelKind,
    name: z.string(),
    target: z.string().meta({ description: 'The address, or the host of the URL.' }),
    groups: z.array(z.enum(noticeGroups)),
    mode: channelSettings.mode,
    is_confirmed: z
      .boolean()
      .meta({ description: 'False: the address gets notices once its link is opened.' }),
    created_at: instant,
    last: lastMessageResponse.nullable().meta({ description: 'The last message.' }),
  })
  .meta({ id: 'NoticeChannel' })
