import { z } from 'zod'
import { readRecipients } from '../../../identity/members/recipients.ts'
import { type NoticeGroup, noticeModes } from '../../../model/notice.ts'
import { readBounced, readLastTest } from '../../../notices/list-notices.ts'
import { changePreferences, readMutedHooks, readPreferences } from '../../../notices/preferences.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { namedHookResponse, readNames } from '../hooks/names.ts'
import { lastMessageResponse, presentLastMessage } from './messages.ts'

const mode = z.enum(noticeModes).meta({
  id: 'NoticeMode',
  description:
    '`instant`: within minutes, `daily`: at 08:00 UTC, `weekly`: on Mondays at 08:00 UTC, `off`: no email.',
})
const modes = {
  failing: mode,
  disabled: mode,
  lost: mode,
  slow: mode,
  certificates: mode,
  credentials: mode,
  security: mode,
} satisfies Record<NoticeGroup, typeof mode>

export const readNoticePreferencesOperation = sessionOperation({
  id: 'readNoticePreferences',
  group: 'Notices',
  role: 'viewer',
  summary: 'Read notice preferences',
  description: 'Returns which notices you get by email.',
  params: z.object({}),
  response: z.object({
    email: z.string().nullable().meta({ description: 'Your verified email. Null: you get no emails.' }),
    sends_email: z.boolean().meta({ description: 'Whether this installation sends email.' }),
    preferences: z.object(modes),
    muted: z.array(namedHookResponse).meta({ description: 'Webhooks that you get no emails about.' }),
    last_test: lastMessageResponse.nullable().meta({ description: 'Your last test email.' }),
    bounced: lastMessageResponse
      .nullable()
      .meta({ description: 'The last email to your address, if it has bounced.' }),
  }),
  errors: [],
  async handle({ db, mail }, { user }) {
    const { accountId, loginId } = user
    const recipients = await readRecipients(db, accountId)
    const test = await readLastTest(db, accountId, loginId)
    const muted = await readNames(db, accountId, await readMutedHooks(db, user))
    const email = recipients.find((recipient) => recipient.loginId === loginId)?.email ?? null
    const bounced = email === null ? undefined : await readBounced(db, user, email)
    return {
      email,
      sends_email: mail !== undefined,
      preferences: await readPreferences(db, user),
      muted: muted.all,
      last_test: test === undefined ? null : presentLastMessage(test),
      bounced: bounced === undefined ? null : presentLastMessage(bounced),
    }
  },
})

export const changeNoticePreferencesOperation = sessionOperation({
  id: 'changeNoticePreferences',
  group: 'Notices',
  role: 'viewer',
  summary: 'Change notice preferences',
  description: 'Sets how you get notices of each group by email. Groups that are not sent stay as they are.',
  params: z.object({
    failing: mode.optional().meta({ description: 'Webhooks that fail, and those that work again.' }),
    disabled: mode.optional().meta({ description: 'Webhooks that Hookline disabled.' }),
    lost: mode
      .optional()
      .meta({ description: 'Lost deliveries, and events on hold that will be lost soon.' }),
    slow: mode.optional().meta({ description: 'Webhooks that respond close to the timeout.' }),
    certificates: mode.optional().meta({ description: 'TLS certificates of receivers that expire.' }),
    credentials: mode
      .optional()
      .meta({ description: 'API keys and secrets that expire, and deprecated credentials.' }),
    security: mode.optional().meta({
      description: 'Changes of members, keys, apps and other settings of the account.',
    }),
  }),
  response: z.object({}),
  errors: ['csrfFailed'],
  async handle({ db }, { input, user }) {
    await changePreferences(db, user, input)
    return {}
  },
})
