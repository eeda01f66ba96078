import { z } from 'zod'
import { noticeGroups, noticeKindNames, noticeKinds, noticeStates } from '../../../model/notice.ts'
import { describeNotice } from '../../../notices/describe-notice.ts'
import { groupNotices, labelOf } from '../../../notices/group-notices.ts'
import { countUnread, listNotices } from '../../../notices/list-notices.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { attemptReason, instant } from '../fields.ts'
import { namedHookResponse, readNames } from '../hooks/names.ts'
import { listParams } from '../list-params.ts'
import { messageFields } from './messages.ts'
import { channelKind } from './channel-fields.ts'

const defaultLimit = 50

const noticeResponse = z
  .object({
    id: z.int(),
    kind: z.enum(noticeKindNames).meta({ id: 'NoticeKind' }),
    group: z.enum(noticeGroups).meta({ id: 'NoticeGroup', description: 'For preferences and channels.' }),
    title: z.string().meta({ description: 'What happened.' }),
    message: z.string().meta({ description: 'The notice in sentences.' }),
    webhook: namedHookResponse.nullable().meta({ description: 'Null: about something else.' }),
    subject: z.string().nullable().meta({ description: 'Name of an API key.' }),
    since: instant.meta({ description: 'When the reported period began, or when what expires does.' }),
    created_at: instant,
    reason: attemptReason.nullable().meta({ description: 'The latest failure of the webhook.' }),
    status: z.int().nullable().meta({ description: 'HTTP status of the latest failure.' }),
    state: z.enum(noticeStates).meta({
      description:
        '`waiting` for a few minutes for other notices, `ready`, or `dropped` because it became untrue meanwhile.',
    }),
    messages: z.array(
      z.object({
        login: z.string().nullable().meta({ description: 'Alias of the user; null for a channel.' }),
        channel: z.string().nullable().meta({ description: 'Name of the channel; null for a user.' }),
        channel_kind: channelKind.nullable(),
        address: z
          .string()
          .nullable()
          .meta({ description: 'The email of the last attempt, or the host of the chat service.' }),
        ...messageFields,
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
    'Lists notices about your account and your login, newest first, and who got them. To get the next page, send `next` as `before`.',
  params: z.object(listParams('notice', 'notices', defaultLimit)),
  response: z.object({
    notices: z.array(noticeResponse),
    unread: z.int().meta({ description: 'Notices that you have not marked as seen, at most 1,000.' }),
    next: z.int().nullable(),
  }),
  errors: [],
  async handle({ db }, { input, user }) {
    const { accountId } = user
    const limit = input.limit ?? defaultLimit
    // Reads one more notice to detect a next page.
    const found = await listNotices(db, user, { before: input.before, limit: limit + 1 })
    const page = found.slice(0, limit)
    const names = await readNames(
      db,
      accountId,
      page.flatMap(({ hookId }) => hookId ?? []),
    )
    return {
      notices: page.map((notice) => ({
        id: notice.id,
        kind: notice.kind,
        group: noticeKinds[notice.kind].group,
        title: groupNotices([notice])[0]?.headline ?? '',
        message: describeNotice(notice),
        webhook: notice.hookId === null ? null : names.find(notice.hookId),
        subject: notice.hookId === null ? labelOf(notice) || null : null,
        since: notice.streak.toISOString(),
        created_at: notice.createdAt.toISOString(),
        reason: notice.detail.reason ?? null,
        status: notice.detail.status ?? null,
        state: notice.state,
        messages: notice.messages.map((message) => ({
          login: message.alias,
          channel: message.channelName,
          channel_kind: message.channelKind,
          address: message.address,
          state: message.state,
          response_code: message.responseCode,
          reason: message.reason,
          finished_at: message.finishedAt?.toISOString() ?? null,
        })),
      })),
      unread: await countUnread(db, user),
      next: found.length > limit ? (page.at(-1)?.id ?? null) : null,
    }
  },
})

export const countUnreadNoticesOperation = sessionOperation({
  id: 'countUnreadNotices',
  group: 'Notices',
  role: 'viewer',
  summary: 'Count unread notices',
  description: 'Returns the number of notices that you have not marked as seen.',
  params: z.object({}),
  response: z.object({ unread: z.int().meta({ description: 'At most 1,000.' }) }),
  errors: [],
  handle: async ({ db }, { user }) => ({ unread: await countUnread(db, user) }),
})
