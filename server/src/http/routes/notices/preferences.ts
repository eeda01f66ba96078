import { z } from 'zod'
import { readRecipients } from '../../../identity/members/recipients.ts'
import { emailStates, type NoticeGroup, noticeModes } from '../../../model/notice.ts'
import { readLastTest } from '../../../notices/list-notices.ts'
import { changePreferences, readMutedHooks, readPreferences } from '../../../notices/preferences.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { instant } from '../fields.ts'
import { namedHookResponse, readNames } from '../hooks/names.ts'

const mode = z.enum(noticeModes).meta({
  id: 'NoticeMode',
  description: '`instant`: within minutes, `daily`: once a day at 08:00 UTC, `off`: no email.',
})
const modes = { failing: mode, disabled: mode, lost: mode } satisfies Record<NoticeGroup, typeof mode>

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
    last_test: z
      .object({
        state: z.enum(emailStates),
        smtp_code: z.int().nullable(),
        created_at: instant,
      })
      .nullable()
      .meta({ description: 'Your last test email.' }),
  }),
  errors: [],
  async handle({ db, mail }, { user }) {
    const { accountId, loginId } = user
    const recipients = await readRecipients(db, accountId)
    const test = await readLastTest(db, accountId, loginId)
    const muted = await readNames(db, accountId, await readMutedHooks(db, user))
    return {
      email: recipients.find((recipient) => recipient.loginId === loginId)?.email ?? null,
      sends_email: mail !== undefined,
      preferences: await readPreferences(db, user),
      muted: muted.all,
      last_test:
        test === undefined
          ? null
          : { state: test.state, smtp_code: test.smtpCode, created_at: test.createdAt.toISOString() },
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
  }),
  response: z.object({}),
  errors: ['csrfFailed'],
  async handle({ db }, { input, user }) {
    await changePreferences(db, user, input)
    return {}
  },
})
