import { z } from 'zod'
import {
  emailStates,
  noticeGroups,
  noticeKindNames,
  noticeKinds,
  noticeStates,
} from '../../../model/notice.ts'
import { describeNotice } from '../../../notices/describe-notice.ts'
import { countUnread, listNotices } from '../../../notices/list-notices.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { attemptReason, instant } from '../fields.ts'
import { namedHookResponse, readNames } from '../hooks/names.ts'
import { listParams } from '../list-params.ts'

const defaultLimit = 50

const noticeResponse = z
  .object({
    id: z.int(),
    kind: z.enum(noticeKindNames).meta({ id: 'NoticeKind' }),
    group: z.enum(noticeGroups).meta({ id: 'NoticeGroup', description: 'For preferences.' }),
    webhook: namedHookResponse.nullable(),
    since: instant.meta({ description: 'When the reported period began.' }),
    created_at: instant,
    message: z.string().meta({ description: 'The notice in sentences.' }),
    reason: attemptReason.nullable().meta({ description: 'The latest failure of the webhook.' }),
    status: z.int().nullable().meta({ description: 'HTTP status of the latest failure.' }),
    state: z.enum(noticeStates).meta({
      description:
        '`waiting` for a few minutes for other notices, `ready`, or `dropped` because it became untrue meanwhile.',
    }),
    emails: z.array(
      z.object({
        login: z.string().meta({ description: 'Alias of the user.' }),
        email: z.string().nullable().meta({ description: 'The address of the last attempt.' }),
        state: z.enum(emailStates).meta({
          description:
            '`queued`, `sent` to the mail server, `refused` by it, `expired` after 24 hours of failed attempts, or `dropped` because it became untrue or unwanted.',
        }),
        smtp_code: z
          .int()
          .nullable()
          .meta({ description: 'Response of the mail server to a failed attempt.' }),
        finished_at: instant.nullable(),
      }),
    ),
  })
  .meta({ id: 'Notice' })

export const listNoticesOperation = sessionOperation({
  id: 'listNotices',
  group: 'Notices',
  role: 'viewer',
  summary: 'List notices',
  description:
    'Lists notices about the webhooks of your account, newest first, and who got them by email. To get the next page, send `next` as `before`.',
  params: z.object(listParams('notice', 'notices', defaultLimit)),
  response: z.object({
    notices: z.array(noticeResponse),
    unread: z.int().meta({ description: 'Notices that you have not marked as seen, at most 1,000.' }),
    next: z.int().nullable(),
  }),
  errors: [],
  async handle({ db }, { input, user }) {
    const { accountId, loginId } = user
    const limit = input.limit ?? defaultLimit
    // Reads one more notice to detect a next page.
    const found = await listNotices(db, accountId, { before: input.before, limit: limit + 1 })
    const page = found.slice(0, limit)
    const names = await readNames(
      db,
      accountId,
      page.map(({ hookId }) => hookId),
    )
    return {
      notices: page.map((notice) => ({
        id: notice.id,
        kind: notice.kind,
        group: noticeKinds[notice.kind].group,
        webhook: names.find(notice.hookId),
        since: notice.streak.toISOString(),
        created_at: notice.createdAt.toISOString(),
        message: describeNotice(notice),
        reason: notice.detail.reason ?? null,
        status: notice.detail.status ?? null,
        state: notice.state,
        emails: notice.emails.map(({ alias, address, state, smtpCode, finishedAt }) => ({
          login: alias,
          email: address,
          state,
          smtp_code: smtpCode,
          finished_at: finishedAt?.toISOString() ?? null,
        })),
      })),
      unread: await countUnread(db, accountId, loginId),
      next: found.length > limit ? (page.at(-1)?.id ?? null) : null,
    }
  },
})
