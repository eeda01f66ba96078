import { z } from 'zod'
import { listTestRequests, maxTestRequests, testReceiverUrl } from '../../../hooks/test-receiver.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { instant } from '../fields.ts'
import { namedHookResponse, readNames } from '../hooks/names.ts'

const request = z
  .object({
    id: z.string(),
    hook_id: z.int32().positive(),
    webhook: namedHookResponse.nullable(),
    event_id: z.string(),
    received_at: instant,
    method: z.string(),
    is_test: z.boolean(),
    headers: z
      .array(z.object({ name: z.string(), value: z.string() }))
      .meta({ description: 'Values of custom headers are masked.' }),
    content: z.string().nullable().meta({
      description: 'Body, or the query of a GET. Null for other than test events: they are not stored.',
    }),
    content_bytes: z.int(),
    is_truncated: z.boolean(),
  })
  .meta({ id: 'TestRequest' })

export const readTestReceiverOperation = scopedOperation('hooks:read', {
  id: 'readTestReceiver',
  group: 'Manage webhooks',
  role: 'developer',
  summary: 'Read the test receiver',
  description: `Returns the URL of the built-in test receiver of the account and its last requests, at most ${maxTestRequests} of the last 24 hours, newest first. Each had a valid \`webhook-signature\`; others are rejected.`,
  params: z.object({}),
  response: z.object({
    url: z.url().meta({ description: 'Use it as `target_url`. Other accounts cannot.' }),
    requests: z.array(request),
  }),
  errors: [],
  async handle({ db, vault, baseUrl }, { caller }) {
    const { accountId } = caller
    const requests = await listTestRequests(db, vault, accountId)
    const names = await readNames(
      db,
      accountId,
      requests.map(({ hookId }) => hookId),
    )
    return {
      url: testReceiverUrl(vault, baseUrl, accountId),
      requests: requests.map((one) => ({
        id: one.id,
        hook_id: one.hookId,
        webhook: names.find(one.hookId),
        event_id: one.eventId,
        received_at: one.receivedAt.toISOString(),
        method: one.method,
        is_test: one.isTest,
        headers: one.headers,
        content: one.content,
        content_bytes: one.contentBytes,
        is_truncated: one.isTruncated,
      })),
    }
  },
})
